/** The policy of the cache, compared with a plain implementation. */
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { FrequentCache } from '../../src/http/frequent-cache.ts';
import { seeded } from '../support/random.ts';

/** Requests after which the counters are halved. */
const PERIOD = 2 ** 17;

/** Uses a list instead of a map with a moving iterator, and exact counters instead of shared ones. */
class PlainCache {
  entries: { key: string; hash: number; size: number }[] = [];
  readonly counters = new Map<number, number>();
  hand = 0;

  readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  count(hash: number): number {
    const before = this.counters.get(hash) ?? 0;
    this.counters.set(hash, Math.min(15, before + 1));
    return before + 1;
  }

  get(key: string): string | undefined {
    const entry = this.entries.find((entry) => entry.key === key);
    if (entry) this.count(entry.hash);
    return entry?.key;
  }

  offer(key: string, hash: number, size: number): void {
    if (size > this.maxBytes || this.entries.some((entry) => entry.key === key)) return;
    const bytes = () => this.entries.reduce((sum, entry) => sum + entry.size, 0);
    while (bytes() + size > this.maxBytes) {
      if (this.hand === this.entries.length) this.hand = 0;
      const entry = this.entries[this.hand];
      if (entry === undefined) throw new Error('a cache without entries is never full');
      if ((this.counters.get(entry.hash) ?? 0) + 2 > (this.counters.get(hash) ?? 0)) {
        this.hand++;
        return;
      }
      this.entries.splice(this.hand, 1);
    }
    this.entries.push({ key, hash, size });
  }
}

/** Hashes that do not share a counter. */
const hashOf = (n: number): number => (n << 13) | n;

test('after any requests, the cache holds what the plain one holds', () => {
  const request = record({
    text: integer({ min: 0, max: 20 }),
    coding: constantFrom('', 'br '),
    size: integer({ min: 1, max: 120 }),
    least: constantFrom(1, 2),
  });
  assert(
    property(array(request, { maxLength: 300 }), (requests) => {
      const cache = new FrequentCache<string>(300);
      const plain = new PlainCache(300);
      for (const { text, coding, size, least } of requests) {
        const key = `${coding}${text}`;
        const hash = hashOf(text);
        const found = cache.get(key);
        expect(found).toBe(plain.get(key));
        if (found !== undefined) continue;
        const times = cache.missed(hash);
        expect(Math.min(times, 15)).toBe(Math.min(plain.count(hash), 15));
        if (times < least) continue;
        cache.offer(key, hash, size, () => key);
        plain.offer(key, hash, size);
      }
      for (let text = 0; text <= 20; text++)
        for (const coding of ['', 'br '])
          expect(cache.get(`${coding}${text}`)).toBe(plain.get(`${coding}${text}`));
    }),
  );
});

/** Asks for a text, which is kept from its second request on; returns whether it was there. */
function ask(cache: FrequentCache<string>, text: number): boolean {
  if (cache.get(String(text)) !== undefined) return true;
  if (cache.missed(hashOf(text)) > 1) cache.offer(String(text), hashOf(text), 100, () => 'an answer');
  return false;
}

test('entries that are no longer requested make room', () => {
  const cache = new FrequentCache<string>(100);
  for (let i = 0; i < 1000; i++) ask(cache, 1);
  for (let i = 0; i < 10; i++) ask(cache, 2);
  expect(ask(cache, 2)).toBe(false);
  for (let i = 0; i < 2 * PERIOD; i++) cache.missed(hashOf(3));
  for (let i = 0; i < 5; i++) ask(cache, 2);
  expect(ask(cache, 2)).toBe(true);
});

test('a crawler hardly evicts what people repeat', () => {
  const [texts, requests] = [2000, 60_000];
  /** The hits among the second half of the requests, of which the n-th text has a share in proportion to 1/n. */
  const hitsBeside = (crawled: number): number => {
    const cache = new FrequentCache<string>(100 * 500);
    const random = seeded(28);
    let hits = 0;
    for (let i = 0; i < requests; i++) {
      const isHit = ask(cache, Math.floor(texts ** (random(2 ** 30) / 2 ** 30)));
      if (isHit && i >= requests / 2) hits++;
      if (crawled > 0) ask(cache, texts + (i % crawled));
    }
    return hits;
  };
  expect(hitsBeside(30_000)).toBeGreaterThan(0.95 * hitsBeside(0));
  expect(hitsBeside(0)).toBeGreaterThan(0.3 * requests);
});

test('an entry that does not fit is not even made', () => {
  const cache = new FrequentCache<string>(0);
  cache.offer('one', 1, 1, () => {
    throw new Error('made');
  });
  expect(cache.get('one')).toBeUndefined();
});
