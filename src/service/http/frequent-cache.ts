/**
 * A cache bounded in bytes that a crawler cannot empty: a segmented LRU (Karedla, Love and Wherry, 1994). A value is kept from the
 * second search for its text on, among the recent ones, and once it is requested again, among the frequent ones, where only others
 * like it replace it. A crawler that requests very many texts in turn reaches neither.
 */
import { LRUCache } from 'lru-cache';
import { hashOfText } from '#core';

/** Of all bytes, for values that were not requested since they were kept. */
const RECENT_SHARE = 0.2;

/** Texts of which a second search is noticed: fewer than a crawler requests before it begins again. */
const MAX_SEARCHED = 10_000;

export class FrequentCache<Value extends object> {
  readonly #recent: LRUCache<string, Value>;
  readonly #frequent: LRUCache<string, Value>;
  /** By the hash of the text. */
  readonly #searched = new LRUCache<number, true>({ max: MAX_SEARCHED });

  /** @param sizeCalculation the bytes of an entry */
  constructor(maxBytes: number, sizeCalculation: (value: Value, key: string) => number) {
    // At least 1, because 0 would mean no limit.
    const segment = (share: number) => ({
      maxSize: Math.max(1, Math.floor(share * maxBytes)),
      sizeCalculation,
    });
    this.#recent = new LRUCache(segment(RECENT_SHARE));
    this.#frequent = new LRUCache({
      ...segment(1 - RECENT_SHARE),
      dispose: (value, key, reason) => {
        if (reason === 'evict') this.#recent.set(key, value);
      },
    });
  }

  get(key: string): Value | undefined {
    const frequent = this.#frequent.get(key);
    if (frequent !== undefined) return frequent;
    const recent = this.#recent.get(key);
    if (recent === undefined) return undefined;
    this.#recent.delete(key);
    this.#frequent.set(key, recent);
    return recent;
  }

  has(key: string): boolean {
    return this.#frequent.has(key) || this.#recent.has(key);
  }

  /** Notes a search for a text; returns whether it was searched for before. */
  isRepeated(text: string): boolean {
    const hash = hashOfText(text);
    if (this.#searched.get(hash)) return true;
    this.#searched.set(hash, true);
    return false;
  }

  /** Keeps a value, unless there is one already, or it is larger than the part for recent ones. */
  keep(key: string, value: Value): void {
    if (!this.has(key)) this.#recent.set(key, value);
  }

  clear(): void {
    this.#recent.clear();
    this.#frequent.clear();
  }
}
