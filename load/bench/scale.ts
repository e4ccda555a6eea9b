/**
 * Simulates a cache between people who type and the service, and measures what the requests cost the service, without the cache
 * and behind it.
 */
import { request } from 'undici';
import type { Running } from '../../test/support/command.ts';
import { PRODUCTS } from '../../test/support/shared.ts';
import { productIndex } from '../tools/data-sets.ts';
import { cpuOf } from '../tools/measure.ts';
import { onService } from '../tools/process.ts';
import { descriptionsIn } from '../tools/workload.ts';
import { type KeyPress, KeyPresses } from './key-presses.ts';
import { type Origin, SharedCache } from './shared-cache.ts';

/** Of the texts that people type. Requests for pages follow 0.64 to 0.83 (Breslau and others, 1999). */
const EXPONENT = 0.8;
/** As in the `Cache-Control` of the service, s. */
const MAX_AGE = 300;
const DAY = 86_400;
const SEED = 35;

/** Searches a day through one cache. */
const LOADS = [1e6, 1e7, 1e8];
/** Distinct texts that people type. */
const TEXTS = 1e7;
/** Bytes: `max_size` in `deploy/nginx.conf`, and more. */
const SHIPPED_CACHE = 500 * 2 ** 20;
const LARGE_CACHE = 8 * 2 ** 30;

/** Requests of a simulation before those that count: those of an hour, but no more than this. */
const MOST_BEFORE = 2_000_000;
/** Requests that count at least. */
const LEAST = 40_000;

/** Answers that are measured; the others have the size of one of these whose text is as long. */
const MEASURED = 10_000;

/** Of each kind. */
const COST_REQUESTS = 20_000;
/** As many requests at once as leave the service time to rest. */
const CLIENTS = 2;
const CODED = { headers: { 'accept-encoding': 'br' } };

export type ScaleFigures = Awaited<ReturnType<typeof measureScale>>;

export async function measureScale() {
  const { index } = await productIndex();
  const descriptions = await descriptionsIn(PRODUCTS);
  const data = { FOOD_DATA: index };
  const sizeOf = await onService(data, ({ url }) => answerSizes(url, descriptions));
  const presses = new KeyPresses(descriptions, TEXTS, EXPONENT);
  let passed: string[] = [];
  const caches = LOADS.flatMap((perDay) =>
    [SHIPPED_CACHE, LARGE_CACHE].map((bytes) => {
      const { figures, ...simulated } = simulate(presses, sizeOf, perDay, bytes);
      passed = simulated.passed;
      return { perDay, bytes, ...figures };
    }),
  );
  const typed = take(presses, COST_REQUESTS);
  const texts = typed.map(({ text }) => text);
  return {
    foods: descriptions.length,
    exponent: EXPONENT,
    maxAge: MAX_AGE,
    texts: TEXTS,
    /** Requests for a text, on average. */
    keys: texts.length / texts.filter((text) => text.length === 1).length,
    /** Mean bytes of the answers as sent to browsers. */
    body: typed.reduce((sum, press) => sum + sizeOf(press), 0) / typed.length,
    caches,
    /** ms of processor time an answer: to every key, and to those that pass a cache. */
    cost: {
      typed: await onService(data, (service) => costOf(service, texts)),
      passed: await onService(data, (service) => costOf(service, passed)),
    },
  };
}

function take(presses: KeyPresses, count: number): KeyPress[] {
  const requests = presses.requests(SEED);
  return Array.from({ length: count }, () => requests.next().value);
}

const targetOf = (q: string): string => `/api/food?${new URLSearchParams({ q, match: 'words' })}`;

/** Returns the bytes of the answer, as sent. */
async function sizeFrom(url: string, text: string): Promise<number> {
  const { statusCode, body } = await request(url + targetOf(text), CODED);
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
  return (await body.arrayBuffer()).byteLength;
}

type SizeOf = (press: KeyPress) => number;

/** Measures answers as browsers get them, by the length of the text. */
async function answerSizes(url: string, descriptions: readonly string[]): Promise<SizeOf> {
  const sizes = new Map<number, number[]>();
  for (const { text } of take(new KeyPresses(descriptions, TEXTS, 0), MEASURED))
    sizes.set(text.length, [...(sizes.get(text.length) ?? []), await sizeFrom(url, text)]);
  const longest = Math.max(...sizes.keys());
  return ({ key, text }) => {
    const known = sizes.get(text.length) ?? sizes.get(longest) ?? [];
    return known[key % known.length] ?? 0;
  };
}

/** Shares of requests, also in the `max-age` after a swap; and texts of requests that pass the cache. */
function simulate(presses: KeyPresses, sizeOf: SizeOf, perDay: number, bytes: number) {
  const cache = new SharedCache(bytes, MAX_AGE);
  const requests = presses.requests(SEED);
  let asked = 0;
  const passed: string[] = [];
  const run = (count: number, counts = { hit: 0, unchanged: 0, answered: 0 }) => {
    for (let i = 0; i < count; i++) {
      const press = requests.next().value;
      const origin = cache.request(press.key, sizeOf(press), Math.floor((asked++ * DAY) / perDay));
      counts[origin]++;
      if (origin !== 'hit' && passed.length < COST_REQUESTS) passed.push(press.text);
    }
    return counts;
  };
  const ofMaxAge = Math.round((perDay * MAX_AGE) / DAY);
  run(Math.min(MOST_BEFORE, Math.max(perDay / 24, ofMaxAge)));
  passed.length = 0;
  const shares = sharesOf(run(Math.max(LEAST, ofMaxAge)));
  const swapped = { hit: 0, unchanged: 0, answered: 0 };
  for (let asked = 0; asked < LEAST; asked += ofMaxAge) {
    cache.swap();
    run(ofMaxAge, swapped);
  }
  return { figures: { answers: cache.size, shares, afterSwap: sharesOf(swapped) }, passed };
}

function sharesOf({ hit, unchanged, answered }: { readonly [origin in Origin]: number }) {
  const all = hit + unchanged + answered;
  return { hit: hit / all, unchanged: unchanged / all, answered: answered / all };
}

/** ms of processor time for each of the second half of the requests; the first half fills the cache of the service. */
async function costOf({ pid, url }: Running, texts: readonly string[]): Promise<number> {
  const askAll = (some: readonly string[]): Promise<unknown> => {
    const next = some.values();
    const ask = async (): Promise<void> => {
      for (const text of next) await sizeFrom(url, text);
    };
    return Promise.all(Array.from({ length: CLIENTS }, ask));
  };
  const half = Math.floor(texts.length / 2);
  await askAll(texts.slice(0, half));
  const before = cpuOf(pid);
  await askAll(texts.slice(half));
  return (cpuOf(pid) - before) / (texts.length - half);
}
