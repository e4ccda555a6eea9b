/**
 * Waits for files that another program has open. Only on Windows does that prevent anything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from './errors.ts';

/** Error codes of Windows if another program has the file open, mostly a virus scanner, or a service that is just reading it. */
const IN_USE: readonly unknown[] = ['EPERM', 'EACCES', 'EBUSY'];

/** ms for which the file may stay in use, and ms between two attempts. */
const PATIENCE = 10_000;
const INTERVAL = 100;

/** A file that stays in use. It has a code like the errors of the system. */
class InUse extends Error {
  readonly code = 'EBUSY';
}

/** Renames a file over another, which fails on Windows as long as a program has one of them open. */
export async function onceFree(
  rename: () => Promise<void>,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  if (platform !== 'win32') return rename();
  for (const end = Date.now() + PATIENCE; ; await sleep(INTERVAL)) {
    try {
      return await rename();
    } catch (error) {
      if (!IN_USE.includes(systemCode(error))) throw error;
      if (Date.now() > end) throw new InUse('the file is in use', { cause: error });
    }
  }
}
