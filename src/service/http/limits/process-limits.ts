/**
 * The counts for the limits of a process, in memory that its threads share: open connections, and the searches of each client in
 * a window of time. Libraries for rate limits run behind a router, which searches bypass.
 */
import type { IncomingMessage } from 'node:http';
import { keyOf } from '#core';
import type { RateLimit, TrustProxy } from '../../settings/settings.ts';
import { clientOf } from '../food-request.ts';
import { header } from '../responses.ts';

/** A client may be in any slot of its bucket: room for 100,000 clients and more, though some buckets get twice their share. */
const BUCKETS = 1 << 15;
const SLOTS = 8;
const NUMBERS = 3;

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

export type RateLimiter = ReturnType<typeof rateLimiter>;

/**
 * The windows of all clients, in a table of fixed size. In a full bucket the client whose window began first is forgotten.
 *
 * The headers are those of the IETF draft "RateLimit header fields for HTTP". Only a refusal carries the counter: a shared cache
 * would report that of an answer to all other clients.
 */
export function rateLimiter(
  limit: RateLimit,
  trustProxy: TrustProxy | undefined,
  { locks, slots }: ProcessLimits,
) {
  const policy = header('RateLimit-Policy', `"search";q=${limit.requests};w=${limit.seconds}`);

  /** @returns ms since the window of the client began, if it has no search left */
  const count = (bucket: number, key: number, time: number, searches: number): number | undefined => {
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
    if (slots[slot] !== key || elapsed >= 1000 * limit.seconds) slots.set([key, time, 0], slot);
    const used = slots[slot + 2] ?? 0;
    if (used >= limit.requests) return elapsed;
    slots[slot + 2] = used + searches;
    return undefined;
  };

  /**
   * Counts searches of a client if it has one left, so that a request for several is never refused for ever.
   * @param now as of `performance.now()`
   * @returns s until the client may search again, 0 if it may now; and headers
   */
  const take = (request: IncomingMessage, now: number, searches = 1) => {
    const { low, high } = keyOf(clientOf(request, trustProxy));
    const bucket = (low ^ (low >>> 15)) & (BUCKETS - 1);
    /** Above 0, and distinguishes the clients of a bucket. */
    const key = (low >>> 0) * 2 ** 20 + (high >>> 12) + 1;
    // A thread locks it for less than a microsecond, unless the system suspends the thread there.
    while (Atomics.compareExchange(locks, bucket, 0, 1) !== 0) Atomics.wait(locks, bucket, 1, 1);
    // Threads number their time from their own start.
    const elapsed = count(bucket, key, performance.timeOrigin + now, searches);
    Atomics.store(locks, bucket, 0);
    if (elapsed === undefined) return { retryAfter: 0, headers: policy };
    // Computed from the elapsed time, which is 0 at first; end minus now may exceed the window by a rounding error.
    const reset = limit.seconds - Math.max(0, Math.floor(elapsed / 1000));
    return { retryAfter: reset, headers: policy + header('RateLimit', `"search";r=0;t=${reset}`) };
  };

  return { limit, take };
}
