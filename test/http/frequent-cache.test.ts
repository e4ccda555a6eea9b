import { array, assert, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { FrequentCache } from '../../src/http/frequent-cache.ts';
import { seeded } from '../support/random.ts';

const BYTES = 300;

test('after any requests, the cache has the values that were kept last, and no more bytes than it may', () => {
  const request = record({
    key: integer({ min: 0, max: 20 }).map(String),
    size: integer({ min: 1, max: 80 }),
  });
  assert(
    property(array(request, { maxLength: 300 }), (requests) => {
      const cache = new FrequentCache<number>(BYTES);
      const kept = new Map<string, number>();
      for (const { key, size } of requests) {
        const found = cache.get(key);
        if (found !== undefined) expect(found).toBe(kept.get(key));
        else cache.keep(key, size, () => kept.set(key, size).get(key) ?? 0);
        // A fifth is for new values.
        expect(cache.has(key)).toBe(found !== undefined || size <= BYTES / 5);
        const sizes = Array.from(kept, ([each, bytes]) => (cache.has(each) ? bytes : 0));
        expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(BYTES);
      }
      cache.clear();
      for (const key of kept.keys()) expect(cache.has(key)).toBe(false);
    }),
  );
});

/** Requests a text, whose answer is kept from its second search on; returns whether it was there. */
function ask(cache: FrequentCache<string>, number: number): boolean {
  const text = String(number);
  if (cache.get(text) !== undefined) return true;
  if (cache.isRepeated(text)) cache.keep(text, 10, () => 'an answer');
  return false;
}

test('values that were requested again and again make room once they are not', () => {
  const cache = new FrequentCache<string>(100);
  const hitsOf = (first: number): number => {
    let hits = 0;
    for (let i = 0; i < 10; i++)
      for (let text = first; text < first + 8; text++)
        for (let n = 0; n < 3; n++) if (ask(cache, text)) hits++;
    return hits;
  };
  expect([hitsOf(0), hitsOf(100), hitsOf(0)]).toEqual([224, 224, 240 - 8]);
});

test('a value makes room among the recent ones once it is frequent, and returns to them when others displace it', () => {
  const cache = new FrequentCache<string>(100);
  const keep = (key: string) => cache.keep(key, 10, () => key);
  for (const key of ['one', 'two']) keep(key);
  expect(cache.get('one')).toBe('one');
  keep('three');
  expect(cache.has('two')).toBe(true);
  for (let i = 0; i < 8; i++) {
    keep(String(i));
    cache.get(String(i));
  }
  expect(cache.has('one')).toBe(true);
});

test('a crawler hardly evicts what people repeat', () => {
  const [texts, requests] = [2000, 60_000];
  /** The hits among the second half of the requests, of which the n-th text has a share in proportion to 1/n. */
  const hitsBeside = (crawled: number): number => {
    const cache = new FrequentCache<string>(10 * 500);
    const random = seeded(28);
    let hits = 0;
    for (let i = 0; i < requests; i++) {
      const isHit = ask(cache, Math.floor(texts ** (random(2 ** 30) / 2 ** 30)));
      if (isHit && i >= requests / 2) hits++;
      if (crawled > 0) ask(cache, texts + (i % crawled));
    }
    return hits;
  };
  const alone = hitsBeside(0);
  expect(hitsBeside(30_000)).toBeGreaterThan(0.95 * alone);
  expect(alone).toBeGreaterThan(0.3 * requests);
});

test.each([0, 4])('a value that does not fit into %i bytes is not even made', (bytes) => {
  const cache = new FrequentCache<string>(bytes);
  cache.keep('one', 2, () => {
    throw new Error('made');
  });
  expect(cache.has('one')).toBe(false);
});
