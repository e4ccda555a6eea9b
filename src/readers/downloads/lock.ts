/**
 * Lets one import at a time download an address, since two would write the same file. The second one waits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lock } from 'proper-lockfile';
import { systemCode } from '../../errors.ts';

/** ms without renewal after which a lock belongs to a process that has ended. */
const STALE = 10_000;

/** ms between two attempts to take a lock that another process holds. */
const LOOK_INTERVAL = 250;

export interface Lock {
  /** Whether another process took the lock, such as while this one was suspended. */
  readonly lost: boolean;
  release(): Promise<void>;
}

/**
 * Waits until no other process holds the lock of the file, which need not exist.
 * @param waiting called before each wait
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
        // A lost lock belongs to another process.
        release: () => (lost ? Promise.resolve() : unlock()),
      };
    } catch (error) {
      if (systemCode(error) !== 'ELOCKED') throw error;
    }
    waiting?.();
    await sleep(LOOK_INTERVAL, undefined, { signal });
  }
}
