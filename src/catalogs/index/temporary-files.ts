/**
 * The files that imports write beside the ones that they replace, and what becomes of those that were left behind.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** ms after which a running import touches its file again. */
export const HEARTBEAT = 1000;

/** ms without a touch after which a file belongs to no running import. */
const STALE = 10_000;

/** Random, or the process id that earlier versions took. */
const SUFFIX = /^\.([0-9a-f]{16}|\d+)\.tmp$/;

/** A name that no other import has. A process id would not do: each container counts its own. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(8).toString('hex')}.tmp`;

/**
 * Removes what killed imports left beside a path. Whether one still runs is told by its touches, since a process id
 * means nothing in another container. Should an import have been suspended for that long, it finds its file gone
 * before it renames it, and fails.
 */
export async function removeLeftovers(
  path: string,
  isOurs: (file: FileHandle) => Promise<boolean>,
): Promise<void> {
  const folder = dirname(path);
  const name = basename(path);
  // A folder that cannot be listed keeps them.
  const names = await readdir(folder).catch(() => []);
  const leftovers = names.filter((other) => other.startsWith(name) && SUFFIX.test(other.slice(name.length)));
  await Promise.all(
    leftovers.map(async (leftover) => {
      const file = join(folder, leftover);
      if ((await isPart(file, isOurs)) && (await isUntouched(file))) await rm(file, { force: true });
    }),
  );
}

/** Empty, or begun: somebody else's file may have such a name by chance. */
async function isPart(path: string, isOurs: (file: FileHandle) => Promise<boolean>): Promise<boolean> {
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
  // Never longer, however wrong the clock of the disk may be.
  const rest = Math.min(STALE, before + STALE - Date.now());
  if (rest <= 0) return true;
  await sleep(rest);
  return (await touched()) === before;
}
