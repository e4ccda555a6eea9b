/**
 * Simulates a cache between people who type and the service, compares the simulation with nginx, and measures what the requests
 * cost the service, without the cache and behind it.
 */
import { loadavg } from 'node:os';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { openCatalog, readOtherNames } from '../../src/cli/open-catalog.ts';
import { serve } from '../../test/support/command.ts';
import { type ProxyProgram, startProxied } from '../../test/support/proxied.ts';
import { NGINX } from '../../test/support/proxies.ts';
import { imported } from '../tools/data-sets.ts';
import { type KeyPress, KeyPresses } from '../tools/key-presses.ts';
import { cpuOf } from '../tools/measure.ts';
import { type Origin, SharedCache } from '../tools/shared-cache.ts';
import { PRODUCTS, productDescriptions } from '../tools/workload.ts';

/** Of the texts that people type. Requests for pages follow 0.64 to 0.83 (Breslau and others, 1999). */
const EXPONENT = 0.8;
/** As in the `Cache-Control` of the service, s. */
const MAX_AGE = 300;
const DAY = 86_400;
const SEED = 35;

/** Searches a day through one cache. */
const LOADS = [1e6, 1e7, 1e8];
/** Distinct texts that people type. */
const FEW_TEXTS = 1e5;
const MANY_TEXTS = 1e7;
/** Bytes: 80,000 answers, as many as `keys_zone` in `deploy/nginx.conf` has room for, and more. */
const SHIPPED_CACHE = 80_000 * 4096;
const LARGE_CACHE = 8 * 2 ** 30;

/** Requests of a simulation before those that count: those of an hour, but no more than this. */
const MOST_BEFORE = 2_000_000;
/** Requests that count at least. */
const LEAST = 40_000;

/** Answers that are measured; the others have the size of one of these whose text is as long. */
const MEASURED = 10_000;
const LEAST_COMPRESSED = 1024;

/** Of each kind. */
const COST_REQUESTS = 20_000;
/** As many requests at once as leave the service time to rest. */
const CLIENTS = 2;
const CODED = { headers: { 'accept-encoding': 'br' } };
const NGINX_REQUESTS = 10_000;
const NGINX_MAX_AGE = 5;

type Shares = { readonly [origin in Origin]: number };

export interface CacheFigures {
  readonly perDay: number;
  readonly texts: number;
  readonly bytes: number;
  /** Answers in the cache. */
  readonly answers: number;
  readonly shares: Shares;
  /** In the `max-age` after a swap. */
  readonly afterSwap: Shares;
}

export interface ScaleFigures {
  readonly foods: number;
  readonly exponent: number;
  readonly maxAge: number;
  /** Requests for a text, in the mean. */
  readonly keys: number;
  /** Mean bytes of the answers as sent to browsers. */
  readonly body: number;
  readonly caches: readonly CacheFigures[];
  readonly nginx: { readonly requests: number; readonly shares: Shares; readonly simulated: Shares };
  /** Programs that wanted a core before the cost was measured, in the mean of a minute; this one is among them. */
  readonly busy: number;
  /** ms of processor time an answer: to every key, and to those that pass a cache. */
  readonly cost: { readonly typed: number; readonly passed: number };
}

export async function measureScale(): Promise<ScaleFigures> {
  const { index } = await imported(PRODUCTS, 'products');
  const descriptions = await productDescriptions();
  const sizeOf = await answerSizes(index, descriptions);
  const caches: CacheFigures[] = [];
  let passed: string[] = [];
  for (const texts of [FEW_TEXTS, MANY_TEXTS]) {
    const presses = new KeyPresses(descriptions, texts, EXPONENT);
    for (const perDay of LOADS)
      for (const bytes of [SHIPPED_CACHE, LARGE_CACHE]) {
        const simulated = simulate(presses, sizeOf, perDay, bytes);
        caches.push({ perDay, texts, bytes, ...simulated.figures });
        if (perDay === 1e8) passed = simulated.passed;
      }
  }
  const presses = new KeyPresses(descriptions, MANY_TEXTS, EXPONENT);
  const typed = take(presses, COST_REQUESTS).map(({ text }) => text);
  const [busy = 0] = loadavg();
  const cost = { typed: await costOf(index, typed), passed: await costOf(index, passed) };
  const service = await serve([], { FOOD_DATA: index });
  try {
    const nginx = await compareWithNginx(service, new KeyPresses(descriptions, FEW_TEXTS, EXPONENT));
    const body = typed.reduce((sum, text, i) => sum + sizeOf({ key: i, text }), 0) / typed.length;
    const starts = typed.filter((text) => text.length === 1).length;
    const keys = typed.length / starts;
    return {
      foods: descriptions.length,
      exponent: EXPONENT,
      maxAge: MAX_AGE,
      keys,
      body,
      caches,
      nginx,
      busy,
      cost,
    };
  } finally {
    await service.stop();
  }
}

function take(presses: KeyPresses, count: number): KeyPress[] {
  const requests = presses.requests(SEED);
  return Array.from({ length: count }, () => requests.next().value);
}

const targetOf = (q: string): string => `/api/food?${new URLSearchParams({ q, match: 'words' })}`;

type SizeOf = (press: KeyPress) => number;

/** Measures answers as browsers get them, by the length of the text. */
async function answerSizes(index: string, descriptions: readonly string[]): Promise<SizeOf> {
  const catalog = await openCatalog(index);
  const names = await readOtherNames('data/other-names.csv');
  const compress = promisify(brotliCompress);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const sizes = new Map<number, number[]>();
  for (const { text } of take(new KeyPresses(descriptions, MANY_TEXTS, 0), MEASURED)) {
    const { body } = await catalog.searchWords(text, names);
    const size = body.length < LEAST_COMPRESSED ? body.length : (await compress(body, { params })).length;
    sizes.set(text.length, [...(sizes.get(text.length) ?? []), size]);
  }
  await catalog.close();
  const longest = Math.max(...sizes.keys());
  return ({ key, text }) => {
    const known = sizes.get(text.length) ?? sizes.get(longest) ?? [];
    return known[key % known.length] ?? 0;
  };
}

function simulate(presses: KeyPresses, sizeOf: SizeOf, perDay: number, bytes: number) {
  const cache = new SharedCache(bytes, MAX_AGE);
  const requests = presses.requests(SEED);
  let asked = 0;
  const passed: string[] = [];
  const run = (count: number): Shares => {
    const counts = { hit: 0, unchanged: 0, answered: 0 };
    for (let i = 0; i < count; i++) {
      const press = requests.next().value;
      const origin = cache.request(press.key, sizeOf(press), Math.floor((asked++ * DAY) / perDay));
      counts[origin]++;
      if (origin !== 'hit' && passed.length < COST_REQUESTS) passed.push(press.text);
    }
    return sharesOf(counts);
  };
  const ofMaxAge = Math.round((perDay * MAX_AGE) / DAY);
  run(Math.min(MOST_BEFORE, Math.max(perDay / 24, ofMaxAge)));
  passed.length = 0;
  const shares = run(Math.max(LEAST, ofMaxAge));
  const windows = Array.from({ length: Math.ceil(LEAST / ofMaxAge) }, () => {
    cache.swap();
    return run(ofMaxAge);
  });
  const mean = (origin: Origin): number =>
    windows.reduce((sum, window) => sum + window[origin], 0) / windows.length;
  const afterSwap = { hit: mean('hit'), unchanged: mean('unchanged'), answered: mean('answered') };
  return { figures: { answers: cache.size, shares, afterSwap }, passed };
}

function sharesOf({ hit, unchanged, answered }: Shares): Shares {
  const all = hit + unchanged + answered;
  return { hit: hit / all, unchanged: unchanged / all, answered: answered / all };
}

/** ms of processor time of a new service for each of the second half of the requests; the first half fills its own cache. */
async function costOf(index: string, texts: readonly string[]): Promise<number> {
  const service = await serve([], { FOOD_DATA: index });
  const askAll = async (asked: Iterator<string, undefined>): Promise<void> => {
    for (let next = asked.next(); !next.done; next = asked.next()) {
      const response = await fetch(service.url + targetOf(next.value), CODED);
      if (!response.ok) throw new Error(`answered ${response.status}`);
      await response.arrayBuffer();
    }
  };
  const ask = (some: readonly string[]): Promise<unknown> => {
    const asked = some.values();
    return Promise.all(Array.from({ length: CLIENTS }, () => askAll(asked)));
  };
  const half = Math.floor(texts.length / 2);
  try {
    await ask(texts.slice(0, half));
    const before = cpuOf(service.pid);
    await ask(texts.slice(half));
    return (cpuOf(service.pid) - before) / (texts.length - half);
  } finally {
    await service.stop();
  }
}

/** With enough room, and answers that are fresh for some seconds, so that many are revalidated. */
async function compareWithNginx(service: { readonly port: number }, presses: KeyPresses) {
  const program: ProxyProgram = {
    ...NGINX,
    changes: (places) => ({
      ...NGINX.changes(places),
      'proxy_cache_revalidate on;': `proxy_cache_revalidate on; proxy_ignore_headers Cache-Control; proxy_cache_valid 200 ${NGINX_MAX_AGE}s;`,
    }),
  };
  const proxied = await startProxied(program, { services: [service, service] });
  const cache = new SharedCache(LARGE_CACHE, NGINX_MAX_AGE);
  const real = { hit: 0, unchanged: 0, answered: 0 };
  const simulated = { ...real };
  const names: { readonly [status: string]: Origin } = {
    HIT: 'hit',
    REVALIDATED: 'unchanged',
    MISS: 'answered',
  };
  try {
    for (const { key, text } of take(presses, NGINX_REQUESTS)) {
      const second = Math.floor(Date.now() / 1000);
      const { headers, body } = await proxied.ask(targetOf(text), CODED);
      const origin = names[String(headers['x-cache'])];
      if (origin === undefined) throw new Error(`nginx says ${String(headers['x-cache'])}`);
      real[origin]++;
      simulated[cache.request(key, body.length, second)]++;
    }
  } finally {
    await proxied.close();
  }
  return { requests: NGINX_REQUESTS, shares: sharesOf(real), simulated: sharesOf(simulated) };
}
