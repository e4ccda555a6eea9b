/**
 * Assembles the HTTP side: takes a catalog, returns a Fastify instance. It knows no engine and opens no socket.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { type FoodCatalog, NO_OTHER_NAMES, type OtherNames } from '../foods/catalog.ts';
import { createLog, loggedMs, requestIdOf } from '../operations/log.ts';
import { type Metrics, Operations } from '../operations/metrics.ts';
import { SEARCH } from '../operations/outcomes.ts';
import type { Settings } from '../settings/settings.ts';
import { Connections } from './connections.ts';
import { completeServer, createHttpServer, dispatch, ignoreUpgrade } from './http-server.ts';
import { type Fault, faultOf, refuse } from './malformed.ts';
import { OverloadGuard } from './overload-guard.ts';
import { type ProcessLimits, processLimits, RateLimiter } from './process-limits.ts';
import { answerError, handleErrors, SECURITY_HEADERS } from './responses.ts';
import {
  addToRouter,
  clientFiles,
  dataSetRoute,
  foodRoutes,
  operationsRoutes,
  reasonForNoClient,
} from './routes.ts';
import { SearchTurns } from './search-turns.ts';

/** The limit of connections if that of the system is unknown. */
export const MAX_CONNECTIONS = 20_000;

export interface ProcessContext {
  readonly operations: Operations;
  readonly log: FastifyBaseLogger;
  readonly limits: ProcessLimits;
}

/** @param limits those of the process, if another thread has made them */
export async function contextOf(
  { logLevel, rateLimit }: Pick<Settings, 'logLevel' | 'rateLimit'>,
  limits = processLimits(rateLimit),
  isAtTerminal?: boolean,
): Promise<ProcessContext> {
  return { operations: new Operations(), log: await createLog(logLevel, isAtTerminal), limits };
}

/**
 * The service, not listening yet. It reads a request's target, method and `Origin`, and what HTTP itself defines: conditions
 * and codings. Closing it lets requests finish.
 * @throws UserError in production if the web client is not built
 */
export async function createApp(
  catalog: FoodCatalog,
  settings: Omit<Settings, 'port' | 'host' | 'foodData' | 'otherNames'>,
  context?: ProcessContext,
  otherNames: OtherNames = NO_OTHER_NAMES,
): Promise<FastifyInstance> {
  const { operations, log, limits } = context ?? (await contextOf(settings));
  const { metrics } = operations;
  const server = createHttpServer().once('listening', () => {
    operations.catalog = catalog;
  });
  const { maxConnections: limit = MAX_CONNECTIONS, shutdownDelay, rateLimit, trustProxy } = settings;
  const connections = new Connections(server, { limit, shutdownDelay }, operations, limits.connections);
  completeServer(server, (fault, socket) => connections.refuse(fault, socket));
  const parts = {
    ...{ metrics, connections, log },
    overload: new OverloadGuard(metrics),
    limiter: rateLimit && new RateLimiter(rateLimit, trustProxy, limits),
    turns: new SearchTurns(metrics, trustProxy),
  };
  const routes = foodRoutes(catalog, settings, otherNames, parts);
  const app = Fastify({
    ...fastifyOptions(log),
    clientErrorHandler: (error, socket) => connections.refuse(faultOf(error), socket),
    serverFactory: (router) => server.on('request', dispatch(connections, routes.search, router)),
  });
  app.addHook('preClose', () => connections.stop());
  countOthers(app, metrics, settings.logRequests);
  await app.register(helmet, SECURITY_HEADERS);

  const noClient = reasonForNoClient(settings.nodeEnv);
  if (noClient !== undefined) log.info(noClient);
  const nothingHere = `Not found. Search with GET ${SEARCH.path}?q=TEXT.`;
  handleErrors(app, noClient === undefined ? nothingHere : `${nothingHere} ${noClient}`);

  addToRouter(app, routes, settings.corsRoutes);
  dataSetRoute(app, catalog);
  if (settings.operationsPort === undefined) await app.register(operationsRoutes(operations));
  await app.register(clientFiles, { hasPage: noClient === undefined });
  return app;
}

export async function createOperationsApp({
  operations,
  log,
}: Omit<ProcessContext, 'limits'>): Promise<FastifyInstance> {
  const newest = new WeakMap<Socket, ServerResponse>();
  const refuseNext = (fault: Fault, socket: Socket) => refuse(fault, socket, newest.get(socket));
  const app = Fastify({
    ...fastifyOptions(log),
    clientErrorHandler: (error, socket) => refuseNext(faultOf(error), socket),
  });
  completeServer(app.server, refuseNext);
  app.server.prependListener('request', (request, response) => {
    newest.set(request.socket, response);
    ignoreUpgrade(request, response);
  });
  await app.register(helmet, SECURITY_HEADERS);
  handleErrors(app, 'Not found. There are /health/live, /health/ready and /metrics.');
  await app.register(operationsRoutes(operations));
  return app;
}

const fastifyOptions = (log: FastifyBaseLogger) => ({
  loggerInstance: log,
  // A line for each request would cost more than the search, and would record what people search for.
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: requestIdOf,
  frameworkErrors: answerError,
  // Requests that arrive while the service stops are still answered.
  return503OnClosing: false,
});

/** Characters that are logged of an address that was not found, which may be as long as a client likes. */
const MAX_NOT_FOUND = 200;

/** Counts and logs the requests to all paths but that of the search, which counts its own. */
function countOthers(app: FastifyInstance, metrics: Metrics, logRequests: Settings['logRequests']): void {
  app.addHook('onResponse', async (request, { statusCode: status, elapsedTime: ms }) => {
    const { url } = request.routeOptions;
    if (url === SEARCH.path) return;
    metrics.answeredOther(status);
    if (logRequests === 'none') return;
    const isFound = status !== 404;
    const target = isFound ? request.url : request.url.slice(0, MAX_NOT_FOUND);
    // Without what may be the text of a search: `/api/foods` of `/api/foods?q=egg`.
    const path = logRequests === 'searches' ? target : isFound ? url : target.split(/\?|%3f/i, 1)[0];
    request.log.info({ method: request.method, path, status, ms: loggedMs(ms) }, 'answered');
  });
}
