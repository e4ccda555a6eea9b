/**
 * Keeps the page and a small data set, and stands in for the service while that cannot be reached.
 *
 * The page always comes from the service if it answers, so a new release is there at the next load. Searches get past the worker,
 * without starting it where browsers can; only when one has failed does the page ask again below `offline/`. Those are answered
 * from the index file of the data set, or, if the service offers none, by what the browser itself has kept.
 */
import type { NamePair } from '#core';
import { LocalAnswers } from '../../packages/browser/open-index.ts';
import { textFiles } from '../texts/languages.ts';

declare const self: ServiceWorkerGlobalScope;

/** Also in `leaving.ts`. */
const CACHE = 'food-lookup';

const PAGE = './';
const FONT = './inter-latin-wght-normal.woff2';
const WORDS = './amounts.txt';
const FILES = [FONT, WORDS, './icon.svg', './manifest.webmanifest', ...textFiles()];
const FOODS = './foods.idx';
const NAMES = './other-names.json';
const LOOKUPS = ['api/food', 'portions', 'names', 'nutrients'];
/** What answers are made of; it may change without the page. */
const DATA = [FOODS, NAMES, WORDS];

const SCOPE = self.registration.scope;
const within = (path: string): string => new URL(path, SCOPE).href;

interface Router {
  addRoutes?(rules: readonly object[]): Promise<void>;
}

self.addEventListener('install', (event: ExtendableEvent & Router) => {
  const rules = LOOKUPS.map((path) => ({
    condition: { urlPattern: { pathname: new URL(within(path)).pathname, search: '*' } },
    source: 'network',
  }));
  event.addRoutes?.(rules).catch(() => {
    // The way through the worker is longer, but the same.
  });
  event.waitUntil(Promise.all([...new Set([PAGE, ...FILES, ...DATA])].map(keep)));
  // Nothing of an earlier worker is needed.
  void self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { href, search } = new URL(request.url);
  const address = href.slice(0, href.length - search.length).replace(/#.*/, '');
  if (request.method !== 'GET' || !address.startsWith(SCOPE)) return;
  const path = address.slice(SCOPE.length);
  if (path.startsWith('offline/')) event.respondWith(standIn(path.slice('offline/'.length), search));
  else if (request.mode === 'navigate' && /^(?:index\.html)?$/.test(path))
    event.respondWith(current(event, PAGE, DATA));
  else if (FILES.some((file) => within(file) === address)) event.respondWith(current(event, address));
});

/** Behind a proxy, a service that is down has a status of its own. */
const IS_DOWN = [502, 503, 504];

/** What the service has now, which is kept, or else what was kept. @param others files that are kept again with it */
async function current(event: FetchEvent, path: string, others: readonly string[] = []): Promise<Response> {
  try {
    const response = await fetch(event.request);
    if (IS_DOWN.includes(response.status)) return (await found(path)) ?? response;
    if (response.ok) event.waitUntil(Promise.all([put(path, response.clone()), ...others.map(keep)]));
    return response;
  } catch {
    return kept(path);
  }
}

let answers: Promise<LocalAnswers | undefined> | undefined;

async function standIn(path: string, search: string): Promise<Response> {
  answers ??= openAnswers();
  const local = await (await answers)?.answer(path, new URLSearchParams(search));
  // What was found before, however old.
  return local ?? fetch(within(path + search), { cache: 'only-if-cached', mode: 'same-origin' });
}

async function openAnswers(): Promise<LocalAnswers | undefined> {
  const [foods, names, words] = await Promise.all(DATA.map(found));
  if (foods === undefined || names === undefined) return undefined;
  const pairs: readonly NamePair[] = await names.json();
  return new LocalAnswers(new Uint8Array(await foods.arrayBuffer()), pairs, await words?.text());
}

/** Fetches a file again if it has changed, and forgets it if the service no longer has it. */
async function keep(path: string): Promise<void> {
  const response = await fetch(within(path), { cache: 'no-cache' }).catch(() => undefined);
  if (response?.ok) await put(path, response);
  else if (response?.status === 404) await (await caches.open(CACHE)).delete(within(path));
}

async function put(path: string, response: Response): Promise<void> {
  await (await caches.open(CACHE)).put(within(path), response);
  answers = undefined;
}

const found = async (path: string): Promise<Response | undefined> =>
  (await caches.open(CACHE)).match(within(path));

const kept = async (path: string): Promise<Response> => (await found(path)) ?? Response.error();
