/**
 * Renames over a file, and makes that survive a power failure, as far as each system can.
 */
import { open, rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from '../../errors.ts';

/** Of Windows, where another program has the file open: mostly a scanner for viruses, or a service that just reads it. */
const IN_USE: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** ms for which a file may be in use, and between two attempts. */
const PATIENCE = 10_000;
const INTERVAL = 100;

/** A file that stays in use. It has a code like the errors of the system. */
class InUse extends Error {
  readonly code = 'EBUSY';
}

/** Puts a file in the place of another in one step. On Windows that fails as long as a program has the other one open. */
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
 * Makes the names in a folder survive a power failure. Returns false where the system refuses: Windows for every folder,
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
