/**
 * The temporary files that imports write beside their targets, and the removal of stale ones.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** ms between two touches of its file by a running import. */
export const HEARTBEAT = 1000;

/** ms without a touch after which a file is stale. */
const STALE = 10_000;

/** Random, or the process id that earlier versions used. */
const SUFFIX = /^\.([0-9a-f]{16}|\d+)\.tmp$/;

/** A name that no other import uses. A process id is not enough: each container numbers its own. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.tmp`;

/**
 * Removes the files that killed imports left beside a path. Touches show whether an import still runs, since a process
 * id means nothing in another container. An import that was suspended for that long finds its file gone before it
 * renames it, and fails.
 */
export async function removeLeftovers(
  path: string,
  isOurs: (file: FileHandle) => Promise<boolean>,
): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  // They stay if the folder cannot be listed.
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)));
  await Promise.all(
    leftovers.map(async (leftover) => {
      const file = join(folder, leftover);
      if ((await isLeftover(file, isOurs)) && (await isUntouched(file))) await rm(file, { force: true });
    }),
  );
}

/** Whether the file is empty or begins like ours; an unrelated file may have such a name by chance. */
async function isLeftover(path: string, isOurs: (file: FileHandle) => Promise<boolean>): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isFile() !== true) return false;
  if (found.size === 0) return true;
  const file = await open(path).catch(() => undefined);
  try {
    return file !== undefined && (await isOurs(file));
  } finally {
    await file?.close();
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
