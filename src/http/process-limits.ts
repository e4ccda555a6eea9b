/**
 * The counts for the limits of a process, in memory that its threads share: open connections, and the searches of each client in
 * a window of time. The limit is reported in the headers of the IETF draft "RateLimit header fields for HTTP". Libraries for rate
 * limits run behind a router, which searches bypass.
 */
import type { IncomingMessage } from 'node:http';
import type { RateLimit, TrustProxy } from '../settings/settings.ts';
import { keyOf } from '../text/key-table.ts';
import { clientOf } from './client-address.ts';
import { blockOf, type HeaderBlock } from './responses.ts';

/** Can be sent to other threads. */
export interface ProcessLimits {
  /** One number: the open connections. */
  readonly connections: Int32Array;
  /** Absent without a limit of searches. */
  readonly windows?: WindowsMemory;
}

interface WindowsMemory {
  /** For each bucket 1 while a thread uses it. */
  readonly locks: Int32Array;
  /** For each slot a client, when its window began, and its searches since. */
  readonly slots: Float64Array;
}

/** A client may be in any slot of its bucket: room for 100,000 clients and more, though some buckets get twice their share. */
const BUCKETS = 1 << 15;
const SLOTS = 8;
const NUMBERS = 3;

export function processLimits(rateLimit: RateLimit | undefined): ProcessLimits {
  const connections = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  if (rateLimit === undefined) return { connections };
  const locks = new Int32Array(new SharedArrayBuffer(BUCKETS * Int32Array.BYTES_PER_ELEMENT));
  const size = BUCKETS * SLOTS * NUMBERS * Float64Array.BYTES_PER_ELEMENT;
  return { connections, windows: { locks, slots: new Float64Array(new SharedArrayBuffer(size)) } };
}

interface Window {
  readonly isAllowed: boolean;
  /** As of `performance.now()`. */
  readonly startedAt: number;
}

/** The windows of all clients, in a table of fixed size. In a full bucket the client whose window began first is forgotten. */
export class ClientWindows {
  readonly #memory: WindowsMemory;

  constructor(memory: WindowsMemory) {
    this.#memory = memory;
  }

  /** Counts a search of a client if it has one left. @param now as of `performance.now()` */
  take(client: string, now: number, limit: RateLimit): Window {
    const { locks } = this.#memory;
    // Threads number their time from their own start.
    const time = performance.timeOrigin + now;
    const { bucket, key } = placeOf(client);
    // A thread locks it for less than a microsecond, unless the system suspends the thread there.
    while (Atomics.compareExchange(locks, bucket, 0, 1) !== 0) Atomics.wait(locks, bucket, 1, 1);
    const { isAllowed, startedAt } = this.#take(bucket, key, time, limit);
    Atomics.store(locks, bucket, 0);
    return { isAllowed, startedAt: startedAt - performance.timeOrigin };
  }

  #take(bucket: number, key: number, time: number, { requests, seconds }: RateLimit): Window {
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
    const startedAt = slots[slot + 1] ?? 0;
    if (slots[slot] !== key || time - startedAt >= 1000 * seconds) {
      slots.set([key, time, 1], slot);
      return { isAllowed: true, startedAt: time };
    }
    const used = slots[slot + 2] ?? 0;
    if (used >= requests) return { isAllowed: false, startedAt };
    slots[slot + 2] = used + 1;
    return { isAllowed: true, startedAt };
  }
}

/** A bucket, and a number above 0 that distinguishes the clients of a bucket. */
function placeOf(client: string): { bucket: number; key: number } {
  const { low, high } = keyOf(client);
  return { bucket: (low ^ (low >>> 15)) & (BUCKETS - 1), key: (low >>> 0) * 2 ** 20 + (high >>> 12) + 1 };
}

interface Allowance {
  /** s until the client may search again; 0: it may now. */
  readonly retryAfter: number;
  readonly headers: HeaderBlock;
}

/**
 * An answer that shared caches may store carries the policy, which is the same for all clients, and no counter: a cache
 * would report one client's counter to all others. `Cache-Control: private` would exclude shared caches, and most of
 * them read `no-cache="RateLimit"` as plain `no-cache`. So only a refusal, which no cache stores, carries the counter.
 */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #trustProxy: TrustProxy | undefined;
  readonly #windows: ClientWindows;
  readonly #policy: HeaderBlock;

  constructor(limit: RateLimit, trustProxy: TrustProxy | undefined, windows: ClientWindows) {
    this.limit = limit;
    this.#windows = windows;
    this.#trustProxy = trustProxy;
    this.#policy = blockOf(['RateLimit-Policy', `"search";q=${limit.requests};w=${limit.seconds}`]);
  }

  /** Counts a search of a client. @param now as of `performance.now()` */
  take(request: IncomingMessage, now: number): Allowance {
    const client = clientOf(request, this.#trustProxy);
    const { isAllowed, startedAt } = this.#windows.take(client, now, this.limit);
    if (isAllowed) return { retryAfter: 0, headers: this.#policy };
    // Computed from the elapsed time, which is 0 at first; end minus now may exceed the window by a rounding error.
    const reset = this.limit.seconds - Math.max(0, Math.floor((now - startedAt) / 1000));
    const counter = ['RateLimit', `"search";r=0;t=${reset}`];
    return { retryAfter: reset, headers: blockOf([...this.#policy.list, ...counter]) };
  }
}
