/**
 * One import at a time fetches what an address names: two would write the same file. Whoever comes second waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { systemCode } from '../../errors.ts';

/** ms after which a lock that nobody renews belongs to a process that is gone. */
const STALE = 10_000;

/** ms between two looks at a lock that another process holds. */
const LOOK_INTERVAL = 250;

export interface Lock {
  /** Set when another process took the lock, such as after this one was suspended for a while. */
  readonly lost: boolean;
  release(): Promise<void>;
}

/**
 * Waits until no other process holds the lock of the file, which need not exist.
 * @param waiting called whenever it is held by another one
 */
export async function lockFile(
  file: string,
  { waiting, signal }: { waiting?: (() => void) | undefined; signal?: AbortSignal | undefined },
): Promise<Lock> {
  let lost = false;
  for (;;) {
    try {
      const unlock = await lock(file, { realpath: false, stale: STALE, onCompromised: () => (lost = true) });
      return {
        get lost() {
          return lost;
        },
        // Of a lock that was lost nothing is left to release.
        release: () => (lost ? Promise.resolve() : unlock()),
      };
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
    }
    waiting?.();
    await sleep(LOOK_INTERVAL, undefined, { signal });
  }
}
