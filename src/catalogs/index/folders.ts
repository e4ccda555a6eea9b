/**
 * What each system can do with a folder.
 */
import { open, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { systemCode } from '../../errors.ts';

/** The errors where Windows does not know the real path of a folder: on drives that it does not manage, such as RAM disks. */
const UNKNOWN_PLACE: readonly unknown[] = ['EISDIR', 'UNKNOWN'];

/** The path of a folder without symbolic links, as far as the system knows it. */
export async function realFolder(
  folder: string,
  real: (path: string) => Promise<string> = realpath,
): Promise<string> {
  try {
    return await real(folder);
  } catch (error) {
    if (!UNKNOWN_PLACE.includes(systemCode(error))) throw error;
    return resolve(folder);
  }
}

/**
 * Makes the names in a folder survive a power failure. Returns false if the system refuses, such as for a folder that this
 * user may not read.
 */
export async function syncFolder(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  try {
    // Windows syncs only what is open for writing; other systems open no folder in this way.
    const handle = await open(folder, platform === 'win32' ? 'r+' : 'r');
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
