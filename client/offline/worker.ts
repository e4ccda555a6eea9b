/**
 * Keeps the page and what it needs without a network, the index of a small data set among it.
 *
 * All of this comes from the service if it answers, so a new release is there at the next load. Searches get past this worker,
 * without starting it where browsers can.
 */
import { textFiles } from '../texts/languages.ts';

declare const self: ServiceWorkerGlobalScope;

// Its address has the language of the page, as that of the index does.
/** Also in `leaving.ts`. */
const CACHE = 'food-lookup';

const PAGE = './';
const FILES = [
  './inter-latin-wght-normal.woff2',
  './amounts.txt',
  './licences.txt',
  './icon.svg',
  './manifest.webmanifest',
  './docs',
  ...textFiles(),
  './answers.js',
  `./foods.idx${self.location.search}`,
  './other-names.json',
];
const LOOKUPS = ['api/food', 'portions', 'names', 'nutrients'];

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
  event.waitUntil(Promise.all([PAGE, ...FILES].map(keep)));
  // Nothing of an earlier worker is needed.
  void self.skipWaiting();
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { href, search } = new URL(request.url);
  const file = href.replace(/#.*/, '');
  const address = file.slice(0, file.length - search.length);
  if (request.method !== 'GET' || !address.startsWith(SCOPE)) return;
  if (request.mode === 'navigate' && /^(?:index\.html)?$/.test(address.slice(SCOPE.length)))
    event.respondWith(current(event, PAGE));
  else {
    const path = [file, address].find((each) => FILES.some((own) => within(own) === each));
    if (path !== undefined) event.respondWith(current(event, path));
  }
});

/** Behind a proxy, a service that is down has a status of its own. */
const IS_DOWN = [502, 503, 504];

/** What the service has now, which is kept, or else what was kept. */
async function current(event: FetchEvent, path: string): Promise<Response> {
  try {
    const response = await fetch(event.request);
    if (IS_DOWN.includes(response.status)) return (await kept(path)) ?? response;
    event.waitUntil(put(path, response.clone()));
    return response;
  } catch {
    return (await kept(path)) ?? Response.error();
  }
}

async function keep(path: string): Promise<void> {
  const response = await fetch(within(path), { cache: 'no-cache' }).catch(() => undefined);
  if (response) await put(path, response);
}

/** Forgets a file that the service no longer has. */
async function put(path: string, response: Response): Promise<void> {
  const cache = await caches.open(CACHE);
  if (response.ok) await cache.put(within(path), response);
  else if (response.status === 404) await cache.delete(within(path));
}

const kept = async (path: string): Promise<Response | undefined> =>
  (await caches.open(CACHE)).match(within(path));
