/**
 * What each system can do with a folder.
 */
import { constants } from 'node:fs';
import { access, open, realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemCode } from '../../errors.ts';
import { temporaryName } from './temporary-files.ts';

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

/** Fails where this user may not create files. On Windows only an attempt shows that: access() ignores permissions there. */
export async function requireWritable(
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<void> {
  await access(folder, constants.W_OK | constants.X_OK);
  if (platform !== 'win32') return;
  const attempt = temporaryName(join(folder, 'food-lookup'));
  const file = await open(attempt, 'wx');
  await file.close();
  await rm(attempt);
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
