/**
 * The counts for the limits of a process, in memory that its threads share: open connections, and searches of clients.
 */
import type { RateLimit } from '../settings/limits.ts';
import { keyOf } from '../text-key.ts';
import type { ClientWindows, Window } from './rate-limit.ts';

/** Can be sent to other threads. */
export interface ProcessLimits {
  /** One number: the open connections. */
  readonly connections: Int32Array;
  /** Absent if there is one thread, or no limit. */
  readonly windows?: SharedWindowsMemory;
}

export interface SharedWindowsMemory {
  /** For each bucket 1 while a thread uses it. */
  readonly locks: Int32Array;
  /** For each slot a client, when its window began, and its searches since. */
  readonly slots: Float64Array;
}

/** A client may be in any slot of its bucket: room for 100,000 clients and more, though some buckets get twice their share. */
const BUCKETS = 1 << 15;
const SLOTS = 8;
const NUMBERS = 3;

export const limitsOfOneThread = (): ProcessLimits => ({ connections: new Int32Array(1) });

export function limitsOfThreads(rateLimit: RateLimit | undefined): ProcessLimits {
  const connections = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  if (rateLimit === undefined) return { connections };
  const locks = new Int32Array(new SharedArrayBuffer(BUCKETS * Int32Array.BYTES_PER_ELEMENT));
  const size = BUCKETS * SLOTS * NUMBERS * Float64Array.BYTES_PER_ELEMENT;
  return { connections, windows: { locks, slots: new Float64Array(new SharedArrayBuffer(size)) } };
}

/** Windows in a table of fixed size. In a full bucket the client whose window began first is forgotten. */
export class SharedWindows implements ClientWindows {
  readonly #memory: SharedWindowsMemory;

  constructor(memory: SharedWindowsMemory) {
    this.#memory = memory;
  }

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
