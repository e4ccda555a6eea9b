import { array, assert, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { FrequentCache } from '../../src/service/http/frequent-cache.ts';
import { seeded } from '../support/random.ts';

/** A value of so many bytes. */
interface Sized {
  readonly size: number;
}

const cacheOf = (bytes: number) => new FrequentCache<Sized>(bytes, ({ size }) => size);

const BYTES = 300;

test('after any requests, the cache has the values that were kept last, and no more bytes than it may', () => {
  const key = integer({ min: 0, max: 20 }).map(String);
  const request = record({ key, size: integer({ min: 1, max: 80 }) });
  assert(
    property(array(request, { maxLength: 300 }), (requests) => {
      const cache = cacheOf(BYTES);
      const kept = new Map<string, Sized>();
      for (const { key, size } of requests) {
        const found = cache.get(key);
        if (found !== undefined) expect(found).toBe(kept.get(key));
        else {
          kept.set(key, { size });
          cache.keep(key, kept.get(key) as Sized);
        }
        // A fifth is for new values.
        expect(cache.has(key)).toBe(found !== undefined || size <= BYTES / 5);
        const sizes = Array.from(kept, ([each, value]) => (cache.has(each) ? value.size : 0));
        expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(BYTES);
      }
      cache.clear();
      for (const key of kept.keys()) expect(cache.has(key)).toBe(false);
    }),
  );
});

/** Requests a text, whose answer is kept from its second search on; returns whether it was there. */
function ask(cache: FrequentCache<Sized>, number: number): boolean {
  const text = String(number);
  if (cache.get(text) !== undefined) return true;
  if (cache.isRepeated(text)) cache.keep(text, { size: 10 });
  return false;
}

test('values that were requested again and again make room once they are not', () => {
  const cache = cacheOf(100);
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
  const cache = cacheOf(100);
  for (const key of ['one', 'two']) cache.keep(key, { size: 10 });
  expect(cache.get('one')).toEqual({ size: 10 });
  cache.keep('three', { size: 10 });
  expect(cache.has('two')).toBe(true);
  for (let i = 0; i < 8; i++) {
    cache.keep(String(i), { size: 10 });
    cache.get(String(i));
  }
  expect(cache.has('one')).toBe(true);
});

test('a crawler hardly evicts what people repeat', () => {
  const [texts, requests] = [2000, 60_000];
  /** The hits among the second half of the requests, of which the n-th text has a share in proportion to 1/n. */
  const hitsBeside = (crawled: number): number => {
    const cache = cacheOf(10 * 500);
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

test.each([0, 4])('a value that does not fit into %i bytes is not kept', (bytes) => {
  const cache = cacheOf(bytes);
  cache.keep('one', { size: 2 });
  expect(cache.has('one')).toBe(false);
});
