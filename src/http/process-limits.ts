/**
 * The counts for the limits of a process, in memory that its threads share: open connections, and the searches of each client in
 * a window of time. The limit is reported in the headers of the IETF draft "RateLimit header fields for HTTP". Libraries for rate
 * limits run behind a router, which searches bypass.
 */
import type { IncomingMessage } from 'node:http';
import type { RateLimit, TrustProxy } from '../settings/settings.ts';
import { keyOf } from '../text/key-table.ts';
import { clientOf } from './client-address.ts';
import { header } from './responses.ts';

/** A client may be in any slot of its bucket: room for 100,000 clients and more, though some buckets get twice their share. */
const BUCKETS = 1 << 15;
const SLOTS = 8;
const NUMBERS = 3;

/** Can be sent to other threads. */
export type ProcessLimits = ReturnType<typeof processLimits>;

export function processLimits(rateLimit: RateLimit | undefined) {
  const buckets = rateLimit === undefined ? 0 : BUCKETS;
  return {
    /** One number: those that are open. */
    connections: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
    /** For each bucket 1 while a thread uses it. */
    locks: new Int32Array(new SharedArrayBuffer(buckets * Int32Array.BYTES_PER_ELEMENT)),
    /** For each slot a client, when its window began, and its searches since. */
    slots: new Float64Array(
      new SharedArrayBuffer(buckets * SLOTS * NUMBERS * Float64Array.BYTES_PER_ELEMENT),
    ),
  };
}

interface Allowance {
  /** s until the client may search again; 0: it may now. */
  readonly retryAfter: number;
  readonly headers: string;
}

/**
 * The windows of all clients, in a table of fixed size. In a full bucket the client whose window began first is forgotten.
 *
 * An answer that shared caches may store carries the policy, which is the same for all clients, and no counter: a cache
 * would report one client's counter to all others. `Cache-Control: private` would exclude shared caches, and most of
 * them read `no-cache="RateLimit"` as plain `no-cache`. So only a refusal, which no cache stores, carries the counter.
 */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #memory: ProcessLimits;
  readonly #policy: string;

  constructor(limit: RateLimit, trustProxy: TrustProxy | undefined, memory: ProcessLimits) {
    this.limit = limit;
    this.#trustProxy = trustProxy;
    this.#memory = memory;
    this.#policy = header('RateLimit-Policy', `"search";q=${limit.requests};w=${limit.seconds}`);
  }

  /** Counts a search of a client if it has one left. @param now as of `performance.now()` */
  take(request: IncomingMessage, now: number): Allowance {
    const { bucket, key } = placeOf(clientOf(request, this.#trustProxy));
    const { locks } = this.#memory;
    // A thread locks it for less than a microsecond, unless the system suspends the thread there.
    while (Atomics.compareExchange(locks, bucket, 0, 1) !== 0) Atomics.wait(locks, bucket, 1, 1);
    // Threads number their time from their own start.
    const used = this.#count(bucket, key, performance.timeOrigin + now);
    Atomics.store(locks, bucket, 0);
    if (used.isAllowed) return { retryAfter: 0, headers: this.#policy };
    // Computed from the elapsed time, which is 0 at first; end minus now may exceed the window by a rounding error.
    const reset = this.limit.seconds - Math.max(0, Math.floor(used.elapsed / 1000));
    return { retryAfter: reset, headers: this.#policy + header('RateLimit', `"search";r=0;t=${reset}`) };
  }

  /** @returns ms since the window began */
  #count(
    bucket: number,
    key: number,
    time: number,
  ): { readonly isAllowed: boolean; readonly elapsed: number } {
    const { slots } = this.#memory;
    const first = bucket * SLOTS * NUMBERS;
    let slot = first;
    for (let at = first; at < first + SLOTS * NUMBERS; at += NUMBERS) {
      if (slots[at] === key) {
        slot = at;
        break;
      }
      if ((slots[at + 1] ?? 0) < (slots[slot + 1] ?? 0)) slot = at;
    }
    const elapsed = time - (slots[slot + 1] ?? 0);
    if (slots[slot] !== key || elapsed >= 1000 * this.limit.seconds) slots.set([key, time, 0], slot);
    const used = slots[slot + 2] ?? 0;
    const isAllowed = used < this.limit.requests;
    if (isAllowed) slots[slot + 2] = used + 1;
    return { isAllowed, elapsed };
  }
}

/** A bucket, and a number above 0 that distinguishes the clients of a bucket. */
function placeOf(client: string): { bucket: number; key: number } {
  const { low, high } = keyOf(client);
  return { bucket: (low ^ (low >>> 15)) & (BUCKETS - 1), key: (low >>> 0) * 2 ** 20 + (high >>> 12) + 1 };
}
