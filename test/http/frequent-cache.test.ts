/** The policy of the cache, compared with a plain implementation. */
import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { FrequentCache } from '../../src/http/frequent-cache.ts';

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

test('entries that are no longer requested make room', () => {
  const cache = new FrequentCache<string>(100);
  const ask = (text: number): boolean => {
    if (cache.get(String(text)) !== undefined) return true;
    cache.missed(hashOf(text));
    cache.offer(String(text), hashOf(text), 100, () => 'an answer');
    return false;
  };
  for (let i = 0; i < 1000; i++) ask(1);
  for (let i = 0; i < 10; i++) ask(2);
  expect(ask(2)).toBe(false);
  for (let i = 0; i < 2 * PERIOD; i++) cache.missed(hashOf(3));
  for (let i = 0; i < 5; i++) ask(2);
  expect(ask(2)).toBe(true);
});

test('an entry that does not fit is not even made', () => {
  const cache = new FrequentCache<string>(0);
  cache.offer('one', 1, 1, () => {
    throw new Error('made');
  });
  expect(cache.get('one')).toBeUndefined();
});
