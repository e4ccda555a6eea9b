/** Assembles the HTTP side: takes a catalog, returns a Fastify instance that does not listen yet. */
import type { RequestListener } from 'node:http';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type FoodCatalog, NO_OTHER_NAMES, type OtherNames } from '#core';
import { createLog, loggedMs, requestIdOf } from '../operations/log.ts';
import { type Metrics, Operations } from '../operations/metrics.ts';
import { SEARCH } from '../operations/outcomes.ts';
import type { Settings } from '../settings/settings.ts';
import { isFoodTarget } from './food-request.ts';
import type { FoodRoute } from './food-route.ts';
import { faultOf, requestFaultOf } from './http-server.ts';
import { Connections } from './limits/connections.ts';
import { Overload } from './limits/overload.ts';
import { PATIENCE, type Patience } from './limits/patience.ts';
import { type ProcessLimits, processLimits, rateLimiter } from './limits/process-limits.ts';
import { SearchTurns } from './limits/search-turns.ts';
import { send, skipInput } from './node-http.ts';
import { offlineRoutes } from './offline.ts';
import { answerError, handleErrors, header, SECURITY_HEADERS } from './responses.ts';
import {
  addToRouter,
  clientFiles,
  dataSetRoute,
  foodRoutes,
  operationsRoutes,
  reasonForNoClient,
} from './routes.ts';

/** The limit of connections if that of the system is unknown. */
export const MAX_CONNECTIONS = 20_000;

export interface ProcessContext {
  readonly operations: Operations;
  readonly log: FastifyBaseLogger;
  readonly limits: ProcessLimits;
  readonly patience: Patience;
}

/** @param limits those of the process, if another thread has made them */
export async function contextOf(
  { logLevel, rateLimit }: Pick<Settings, 'logLevel' | 'rateLimit'>,
  limits = processLimits(rateLimit),
): Promise<ProcessContext> {
  return { operations: new Operations(), log: await createLog(logLevel), limits, patience: PATIENCE };
}

/** Closing it lets requests finish. @throws UserError in production if the web client is not built */
export async function createApp(
  catalog: FoodCatalog,
  settings: Omit<Settings, 'port' | 'host' | 'foodData' | 'otherNames'>,
  { operations, log, limits, patience }: ProcessContext,
  otherNames: OtherNames = NO_OTHER_NAMES,
): Promise<FastifyInstance> {
  const { metrics } = operations;
  const { maxConnections: limit = MAX_CONNECTIONS, shutdownDelay, rateLimit, trustProxy } = settings;
  const connections = new Connections({ limit, shutdownDelay, patience }, operations, limits.connections);
  connections.server.once('listening', () => {
    operations.catalog = catalog;
  });
  const turns = new SearchTurns(metrics, trustProxy, patience);
  const parts = {
    ...{ metrics, connections, log, turns },
    overload: new Overload(metrics, turns, patience.turn),
    limiter: rateLimit && rateLimiter(rateLimit, trustProxy, limits),
  };
  const routes = foodRoutes(catalog, settings, otherNames, parts);
  const app = await appOn(connections, log, routes[0]);
  countOthers(app, metrics, settings.logRequests);

  const noClient = reasonForNoClient(settings.nodeEnv);
  if (noClient !== undefined) log.info(noClient);
  const nothingHere = `Not found. Search with GET ${SEARCH.path}?q=TEXT.`;
  handleErrors(app, noClient === undefined ? nothingHere : `${nothingHere} ${noClient}`);

  addToRouter(app, routes);
  dataSetRoute(app, catalog, settings);
  if (settings.operationsPort === undefined) await app.register(operationsRoutes(operations));
  const { offline, offlineFoods } = settings;
  await app.register(clientFiles, { hasPage: noClient === undefined, offline });
  if (offline) await app.register(offlineRoutes, { catalog, otherNames, offlineFoods });
  await app.ready();
  return app;
}

export async function createOperationsApp({
  operations,
  log,
}: Pick<ProcessContext, 'operations' | 'log'>): Promise<FastifyInstance> {
  // Bounded like the others, but counted nowhere.
  const bounds = { limit: MAX_CONNECTIONS, shutdownDelay: 0, patience: PATIENCE };
  const connections = new Connections(bounds, new Operations(), new Int32Array(1));
  const app = await appOn(connections, log);
  handleErrors(app, 'Not found. There are /health/live, /health/ready and /metrics.');
  await app.register(operationsRoutes(operations));
  await app.ready();
  return app;
}

/** An app without routes. @param foodRoute gets the searches that need no router */
async function appOn(
  connections: Connections,
  log: FastifyBaseLogger,
  foodRoute?: FoodRoute,
): Promise<FastifyInstance> {
  const { server } = connections;
  const app = Fastify({
    loggerInstance: log,
    // A line for each request would cost more than the search, and would record what people search for.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIdOf,
    frameworkErrors: answerError,
    // Requests that arrive while the service stops are still answered.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => connections.refuse(faultOf(error), socket),
    serverFactory: (router) => server.on('request', dispatch(connections, router, foodRoute)),
  });
  app.addHook('preClose', () => connections.stop());
  await app.register(helmet, SECURITY_HEADERS);
  return app;
}

const CLOSE = header('Connection', 'close');

/** Sends searches directly to their route, since the router would take longer than the answer. */
const dispatch =
  (connections: Connections, router: RequestListener, foodRoute?: FoodRoute): RequestListener =>
  (request, response) => {
    if (!connections.admit(request.socket, response)) return;
    const fault = requestFaultOf(request);
    if (fault !== undefined) send(response, { ...fault, headers: fault.headers + CLOSE });
    else if (foodRoute !== undefined && isFoodTarget(request.url ?? '')) {
      skipInput(request);
      foodRoute.handle(response);
    } else router(request, response);
  };

/** Characters that are logged of an address that was not found, which may be as long as a client likes. */
const MAX_NOT_FOUND = 200;

/** Counts and logs the requests to all paths but that of the search, which counts its own. */
function countOthers(app: FastifyInstance, metrics: Metrics, logRequests: Settings['logRequests']): void {
  app.addHook('onResponse', async (request, { statusCode: status, elapsedTime: ms }) => {
    const { url } = request.routeOptions;
    if (url === SEARCH.path) return;
    metrics.otherRequests[status] = (metrics.otherRequests[status] ?? 0) + 1;
    if (logRequests === 'none') return;
    const isFound = status !== 404;
    const target = isFound ? request.url : request.url.slice(0, MAX_NOT_FOUND);
    // Without what may be the text of a search: `/api/foods` of `/api/foods?q=egg`.
    const path = logRequests === 'searches' ? target : isFound ? url : target.split(/\?|%3f/i, 1)[0];
    request.log.info({ method: request.method, path, status, ms: loggedMs(ms) }, 'answered');
  });
}
