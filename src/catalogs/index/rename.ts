/**
 * Renames over a file, and makes that survive a power failure, as far as each system can.
 */
import { open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../errors.ts';

/** Error codes of Windows if another program has the file open, mostly a virus scanner, or a service that is just reading it. */
const IN_USE: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** ms for which the file may stay in use, and ms between two attempts. */
const PATIENCE = 10_000;
const INTERVAL = 100;

/** A file that stays in use. It has a code like the errors of the system. */
class InUse extends Error {
  readonly code = 'EBUSY';
}

/** Replaces a file by another in one step. On Windows this fails as long as a program has the old file open. */
export async function renameOver(
  from: string,
  to: string,
  platform: NodeJS.Platform = process.platform,
  move: typeof rename = rename,
): Promise<void> {
  if (platform !== 'win32') return move(from, to);
  for (const end = Date.now() + PATIENCE; ; await sleep(INTERVAL)) {
    try {
      return await move(from, to);
    } catch (error) {
      if (!IN_USE.includes(systemCode(error))) throw error;
      if (Date.now() > end) throw new InUse('the file is in use', { cause: error });
    }
  }
}

/**
 * Makes the names in a folder survive a power failure. Returns false if the system refuses: Windows for every folder,
 * others for a folder that this user may not read.
 */
export async function syncFolder(folder: string): Promise<boolean> {
  try {
    const handle = await open(folder);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    return true;
  } catch {
    return false;
  }
}
