/**
 * A simulated cache of a proxy, by the rules of nginx, with which it was compared: bounded in bytes, of which each answer takes
 * whole blocks; the least recently used answers make room; a stale one is revalidated by its tag, and what nobody requests for
 * an hour is removed. Time is in whole seconds.
 */
import { LRUCache } from 'lru-cache';

/** Bytes of a file system's block: nginx counts the blocks of the file of an answer. */
const BLOCK = 4096;

/** Bytes of headers and nginx's own record in that file, roughly. */
const HEAD = 1024;

/** s without a request after which an answer is removed: `inactive` in `deploy/nginx.conf`. */
const INACTIVE = 3600;

/** Where the answer to a request comes from: the cache, the cache after a 304, or the service. */
export type Origin = 'hit' | 'unchanged' | 'answered';

interface Entry {
  /** The second until which it is fresh. */
  until: number;
  used: number;
  dataSet: number;
}

export class SharedCache {
  readonly #entries: LRUCache<number, Entry>;
  readonly #maxAge: number;
  #dataSet = 0;

  /** @param maxAge s for which an answer is fresh */
  constructor(bytes: number, maxAge: number) {
    this.#entries = new LRUCache({ maxSize: bytes });
    this.#maxAge = maxAge;
  }

  /** The number of answers in it. */
  get size(): number {
    return this.#entries.size;
  }

  /** From now on the service answers from another data set, with other tags. */
  swap(): void {
    this.#dataSet++;
  }

  /** @param body bytes of its answer */
  request(key: number, body: number, second: number): Origin {
    const entry = this.#entries.get(key);
    const until = second + this.#maxAge;
    if (entry === undefined || second - entry.used > INACTIVE) {
      const size = BLOCK * Math.ceil((body + HEAD) / BLOCK);
      this.#entries.set(key, { until, used: second, dataSet: this.#dataSet }, { size });
      return 'answered';
    }
    entry.used = second;
    if (second <= entry.until) return 'hit';
    entry.until = until;
    if (entry.dataSet === this.#dataSet) return 'unchanged';
    entry.dataSet = this.#dataSet;
    return 'answered';
  }
}
