/** How long this program waits for a database, and the only loop that retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkClock } from '#core';

/** ms that one query of a search may take, including its connection. */
export const QUERY_TIMEOUT = 700;

/** ms for a whole search: two queries, the second to another server. */
export const SEARCH_TIMEOUT = 1500;

export const LATE = 'The database did not answer in time. Try again.';

/** ms before a search tries again. */
export const RETRY_DELAY = 25;

/** ms for which searches wait for another server; in a longer outage they fail at once. */
export const OUTAGE_PATIENCE = 2500;

/** ms between two checks of the server. */
export const LOOK_INTERVAL = 400;

/** ms to connect for a check, and for the check itself; see {@link unlessSilent}. */
export const LOOK_TIMEOUT = 500;

/** ms of which such a wait consists. */
const SLICE = 25;

/** ms for which a check confirms that a data set is the current one. */
export const CONFIRMED_FOR = 1500;

/** ms between two attempts to find a standby while the service reads from a primary. */
export const REVISIT_INTERVAL = 5000;

/** ms for which hosts named earlier may still be chosen instead of the one that answered first. */
export const HEAD_START = 20;

/** ms for which a start waits for a server by default. */
export const START_PATIENCE = 3000;

/** ms within which a server must accept the connection of an import. */
export const IMPORT_CONNECT_TIMEOUT = 10_000;

/** ms for which an import that lost its connection at its switch waits for a primary: longer than an election takes. */
export const OUTCOME_PATIENCE = 60_000;

/** ms for which an import keeps the old tables after its switch: services look every LOOK_INTERVAL. */
export const GRACE = 2000;

/** The result, or undefined once it is over. A result that arrived while this process was busy is still in time. */
async function unless<Result>(isOver: () => boolean, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setInterval(() => {
      if (isOver()) setImmediate(resolve, undefined);
    }, SLICE);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result, or undefined once this process has waited for it for `ms`. Time in which it worked instead does not count: while
 * each turn of the event loop takes 100 ms, the answers of a healthy server lie unread for as long.
 */
export function unlessSilent<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  let left = Math.ceil(ms / SLICE);
  return unless(() => --left <= 0, work);
}

/** The ms that are left. */
export type Left = () => number;

export function within(ms: number, now = () => performance.now()): Left {
  const end = now() + ms;
  return () => end - now();
}

const clock = new WorkClock();

/** Time in which this process was stopped does not count, as long as it is read every {@link SLICE}. */
export const withinWork = (ms: number): Left => within(ms, () => clock.read());

/** The result, or undefined once no time is left. */
export const before = <Result>(left: Left, work: Promise<Result>): Promise<Result | undefined> =>
  unless(() => left() <= 0, work);

/** Repeats the attempt every `pause` ms until it has a result; undefined if no time is left for another one. */
export async function retry<Result>(
  left: Left,
  pause: number,
  attempt: () => Promise<Result | undefined>,
): Promise<Result | undefined> {
  for (;;) {
    const result = await attempt();
    if (result !== undefined || left() <= pause) return result;
    await sleep(pause);
  }
}
