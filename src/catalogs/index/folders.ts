/**
 * What each system can do with a folder, and the temporary files that imports write beside their targets there.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEADER_SIZE, isIndex } from '../../search/index-format.ts';
import { systemCode } from '../../system/errors.ts';

/** Error codes of Windows for folders whose real path it does not know: on drives that it does not manage, such as RAM disks. */
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

/** Fails if this user may not create files in a folder. On Windows, access() ignores permissions, so this tries it. */
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
    // Windows syncs a folder only if it is open for writing; other systems cannot open one for writing.
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

/** ms between two touches of its file by a running import. */
export const HEARTBEAT = 1000;

/** ms without a touch after which a file is stale. */
const STALE = 10_000;

/** As {@link temporaryName} makes them. */
const SUFFIX = /^\.[0-9a-f]{16}\.tmp$/;

/** A name that no other import uses. A process id is not enough: each container numbers its own. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.tmp`;

/**
 * Removes the files that killed imports left beside a path. Touches show whether an import still runs, since a process
 * id means nothing in another container. An import that was suspended for that long finds its file gone before it
 * renames it, and fails.
 */
export async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  // They stay if the folder cannot be listed.
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)));
  await Promise.all(
    leftovers.map(async (leftover) => {
      const file = join(folder, leftover);
      if ((await isLeftover(file)) && (await isUntouched(file))) await rm(file, { force: true });
    }),
  );
}

/** Whether the file is empty or begins like ours; an unrelated file may have such a name by chance. */
async function isLeftover(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  return found.size === 0 || isIndexFile(path).catch(() => false);
}

/** Recognizes an index file of any version by its first bytes, even if the rest is damaged. */
export async function isIndexFile(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    return isIndex((await file.read(new Uint8Array(HEADER_SIZE), 0, HEADER_SIZE, 0)).buffer);
  } finally {
    await file.close();
  }
}

async function isUntouched(path: string): Promise<boolean> {
  const touched = async () => (await lstat(path).catch(() => undefined))?.mtimeMs;
  const before = await touched();
  if (before === undefined) return false;
  // At most STALE, however wrong the clock of the disk is.
  const rest = Math.min(STALE, before + STALE - Date.now());
  if (rest <= 0) return true;
  await sleep(rest);
  return (await touched()) === before;
}
