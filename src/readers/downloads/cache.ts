/**
 * One address in the cache folder: the file, the part of it that has arrived, the validators of the server, and the lock that
 * lets one import at a time download it. Each address has its own folder, so that the file keeps its name.
 */
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { systemCode } from '../../system/errors.ts';

export interface Validators {
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
  readonly total?: number | undefined;
  readonly complete?: boolean | undefined;
}

export type CacheEntry = ReturnType<typeof cacheEntry>;

export function cacheEntry(cache: string, url: string) {
  const folder = join(cache, createHash('sha256').update(url).digest('hex').slice(0, 16));
  const name = basename(new URL(url).pathname).replace(/[^\w.+-]+/g, '_');
  const file = join(folder, name === '' || name === '.' || name === '..' ? 'data' : name);
  return { folder, file, part: `${file}.part`, memory: `${file}.json` };
}

export async function validatorsOf({ memory }: CacheEntry): Promise<Validators> {
  try {
    return JSON.parse(await readFile(memory, 'utf8')) as Validators;
  } catch {
    // Absent, or truncated by a crash: the file is downloaded from its beginning.
    return {};
  }
}

export const remember = ({ memory }: CacheEntry, validators: Validators): Promise<void> =>
  writeFile(memory, JSON.stringify(validators));

export const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  );

/** ms without renewal after which a lock belongs to a process that has ended. */
const STALE = 10_000;
/** ms between two looks at a lock that another process holds. */
const LOOK_INTERVAL = 250;

/**
 * Waits until no other process holds the lock of the file, which need not exist, and returns what releases it.
 * @param lost called if another process takes the lock, such as while this one is suspended
 */
export async function lockFile(
  file: string,
  { waiting, signal }: { waiting?: (() => void) | undefined; signal?: AbortSignal | undefined },
  lost: () => void,
): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const unlock = await lock(file, { realpath: false, stale: STALE, onCompromised: lost });
      // A lost lock belongs to another process.
      return () => unlock().catch(() => {});
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
    }
    waiting?.();
    await sleep(LOOK_INTERVAL, undefined, { signal });
  }
}
