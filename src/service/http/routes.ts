/** The routes: the search and the look-ups over one handler; by Fastify those of the process, and the files of the build. */
import { existsSync } from 'node:fs';
import { METHODS } from 'node:http';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { type FoodCatalog, NO_OTHER_NAMES, type OtherNames, UserError } from '#core';
import { loggedMs, requestIdOf } from '../operations/log.ts';
import type { Operations } from '../operations/metrics.ts';
import { LOOKUPS, SEARCH } from '../operations/outcomes.ts';
import type { Settings } from '../settings/settings.ts';
import { codingFor } from './coding.ts';
import { createCrossOrigin, sameOriginOnly } from './cross-origin.ts';
import { FoodRoute, type RouteParts } from './food-route.ts';
import { servePage, serveReader } from './pages.ts';
import { JSON_TYPE } from './responses.ts';

/** Bytes of the cached answers of a look-up, most of which have less than 200. */
const LOOKUP_CACHE = 2 ** 20;

/** `GET /api/food?q=TEXT`, which counts its own requests, because most get past the router; and the look-ups. */
export function foodRoutes(
  catalog: FoodCatalog,
  settings: Pick<Settings, 'allowedOrigin' | 'corsRoutes' | 'logRequests' | 'answerCache'>,
  otherNames: OtherNames,
  parts: RouteParts,
): [search: FoodRoute, ...lookups: FoodRoute[]] {
  const { allowedOrigin, corsRoutes, logRequests, answerCache: cacheSize } = settings;
  const { metrics, log } = parts;
  const crossOrigin = createCrossOrigin(allowedOrigin, log);
  const search = new FoodRoute(catalog, parts, {
    endpoint: SEARCH,
    crossOrigin,
    otherNames,
    cacheSize,
    answered(request, outcome, ms) {
      metrics.outcomes[outcome]++;
      metrics.requests.observe(ms / 1000);
      if (logRequests === 'none') return;
      const path = logRequests === 'searches' ? request.url : SEARCH.path;
      const reqId = requestIdOf(request);
      log.info({ reqId, method: request.method, path, outcome, ms: loggedMs(ms) }, 'answered');
    },
  });
  const lookups = LOOKUPS.map((lookup) => {
    const others = { otherNames: lookup.find ? NO_OTHER_NAMES : otherNames, cacheSize: LOOKUP_CACHE };
    return new FoodRoute(
      catalog,
      parts,
      corsRoutes.split(',').includes(lookup.match)
        ? { endpoint: { ...lookup, methods: SEARCH.methods }, crossOrigin, ...others }
        : { endpoint: lookup, crossOrigin: sameOriginOnly(allowedOrigin, log, lookup), ...others },
    );
  });
  return [search, ...lookups];
}

/** All methods of these paths, before Fastify reads a body; of the search the targets such as `/api/%66ood`. */
export function addToRouter(app: FastifyInstance, routes: readonly FoodRoute[]): void {
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  const method = [...app.supportedMethods];
  for (const route of routes)
    app.route({
      method,
      url: route.options.endpoint.path,
      exposeHeadRoute: false,
      // Helmet's headers would forbid pages on other origins to embed it.
      ...(route.options.crossOrigin.preflightHeadersFor && { helmet: false }),
      onRequest: async (_request, reply) => {
        reply.hijack();
        route.handle(reply.raw);
      },
      handler: () => {},
    });
}

export function dataSetRoute(
  app: FastifyInstance,
  catalog: FoodCatalog,
  { offline }: Pick<Settings, 'offline'>,
): void {
  app.get('/data-set', async (_request, reply) => {
    const { name, date, source, licence, language, languages, foods, identity } = catalog.dataSet;
    const { codes = 0, hasNutrients = false } = catalog.dataSet;
    const facts = { name, date, source, licence, language, languages, foods, identity, codes, hasNutrients };
    const body = JSON.stringify({ ...facts, offline });
    return reply.header('cache-control', 'no-cache').type(JSON_TYPE).send(body);
  });
}

/** Only in this spelling: `/%6detrics` and `http://host/metrics` would get past a proxy that hides the paths as written. */
export function operationsRoutes(operations: Operations) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async ({ originalUrl, routeOptions: { url } }, reply) => {
      if (originalUrl.split('?', 1)[0] !== url) return reply.callNotFound();
      reply.header('cache-control', 'no-store');
    });
    app.get('/health/live', async () => ({ live: true }));
    app.get('/health/ready', async (_request, reply) => {
      const readiness = operations.readiness();
      if (typeof readiness === 'string') return reply.code(503).send({ error: readiness });
      const { name, date, foods } = readiness;
      return { name, date, foods };
    });
    app.get('/metrics', async (_request, reply) =>
      reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(await operations.report()),
    );
  };
}

/** Where the build puts the client, seen from this file both in `src` and in `dist`. */
const CLIENT_FOLDER = fileURLToPath(new URL('../../../dist/client/', import.meta.url));

/** Served even without the page at `/`. */
const DOCUMENTS = /^\/?(?:openapi\.json|amounts\.txt|icon\.svg|[\w-]+\.woff2)$/;

/** The script that keeps the page, and the one that takes its place to remove what was kept. */
const WORKER = 'worker.js';
const LEAVING = 'leaving.js';

/** The reader of codes, of which there is a Brotli copy alone: clients that have a camera and WebAssembly accept it. */
const READER = 'zxing_reader.wasm';

/** Of typefaces and icons, whose names stay the same: a changed one arrives later, and the page needs neither. */
const MONTH = 'public, max-age=2592000';

/** Of the thread that reads codes: it compiles WebAssembly, which the page itself may not. */
const SCANNER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'; connect-src 'self'";

const isBuilt = (): boolean => existsSync(`${CLIENT_FOLDER}index.html`);

/** Why there is no page at `/`, if so. @throws UserError in production, where nobody would read the sentence */
export function reasonForNoClient(nodeEnv: string | undefined): string | undefined {
  if (nodeEnv === 'development') return 'NODE_ENV=development: the web client is not served.';
  if (isBuilt()) return undefined;
  if (nodeEnv === 'production')
    throw new UserError(
      'NODE_ENV: "production" serves the web client, which is not built. Run: npm run build',
    );
  return 'The web client is not built. To see it at /, run npm run build and start the service again.';
}

/** What a worker may do is up to its own headers: it requests what it keeps. */
const OF_WORKERS = "default-src 'none';connect-src 'self'";

export async function clientFiles(
  app: FastifyInstance,
  { hasPage, offline }: { hasPage: boolean; offline: boolean },
): Promise<void> {
  if (!isBuilt()) return;
  // Codings are chosen as for answers. The library would read lists without a limit.
  app.addHook('onRequest', async ({ headers }) => {
    headers['accept-encoding'] = codingFor(headers['accept-encoding']);
  });
  await app.register(fastifyStatic, {
    root: CLIENT_FOLDER,
    index: false,
    cacheControl: false,
    preCompressed: true,
    // The copies have no address of their own, and the pages have routes.
    allowedPath: (path) => !/\.(?:br|gz|html)$/.test(path) && (hasPage || DOCUMENTS.test(path)),
    setHeaders: (reply, path) => {
      reply.setHeader('cache-control', /\.(?:woff2|png|svg(?:\.\w+)?)$/.test(path) ? MONTH : 'no-cache');
      reply.setHeader('vary', 'Accept-Encoding');
      const isScanner = path.includes('scan-worker');
      if (path.includes('.js'))
        reply.setHeader('content-security-policy', isScanner ? SCANNER_POLICY : OF_WORKERS);
    },
  });
  if (hasPage && !offline) app.get(`/${WORKER}`, async (_request, reply) => reply.sendFile(LEAVING));
  if (hasPage) serveReader(app, `/${READER}`, `${CLIENT_FOLDER}${READER}.br`);
  // It may query a service elsewhere (`?api=URL`). It sends only the typed text there, because it knows nothing else.
  if (hasPage) servePage(app, `${CLIENT_FOLDER}index.html`, ['/', '/index.html'], '*');
  servePage(app, `${CLIENT_FOLDER}docs.html`, ['/docs', '/docs.html'], "'self'");
  // Relative links in the page would lead to other addresses there.
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs'));
}
