/**
 * Puts the HTTP side together: a catalog in, a Fastify instance out. It knows no engine and opens no socket.
 */
import {
  createServer,
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import { createLog, requestIdOf } from '../operations/log.ts';
import { Operations, operationsRoutes } from '../operations/operations.ts';
import type { Settings } from '../settings/settings.ts';
import { documentApi } from './api-document.ts';
import { clientFiles, reasonForNoClient } from './client-files.ts';
import { Connections } from './connections.ts';
import { dataSetRoute } from './data-set-route.ts';
import { answerError, errorBody, handleErrors, sendText } from './errors.ts';
import { createFoodHandler, FOOD_PATH, isFoodTarget } from './food-route.ts';
import { FOOD_SCHEMAS } from './food-schema.ts';
import { faultOf, refuse } from './malformed.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** Connections where the caller knows of no limit of the system. */
export const MAX_CONNECTIONS = 20_000;

const SERVER_OPTIONS = {
  /** Bytes of request line and headers together; past it Node.js answers 431. */
  maxHeaderSize: 32 * 1024,
  /** Node.js would answer without a body; `hostFaultOf` looks for it. */
  requireHostHeader: false,
  /** ms; 0: idle connections are closed by `Connections`. */
  keepAliveTimeout: 0,
  /** ms for the headers, and for all of a request; past them 408. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** ms between two looks for those that are late. */
  connectionsCheckingInterval: 100,
};

/**
 * What `createServer` does not take. A client that closes its sending side still gets its answers; then Node.js closes the
 * connection (a property of every version, without a type). Headers are bounded by their bytes alone: one beyond a number would be
 * dropped unseen, a second `Host` as well.
 */
const SERVER_PROPERTIES = { httpAllowHalfOpen: true, maxHeadersCount: 0 };

const HOST = 'host';

/** What the parts of the process share. */
export interface Shared {
  readonly operations: Operations;
  readonly log: FastifyBaseLogger;
}

/**
 * The service, not listening yet. Nothing of a request but its target, method and `Origin` is used, and what
 * HTTP itself knows: conditions and codings. Closing it finishes what was begun.
 * @throws UserError in production where the web client is not built
 */
export async function createApp(
  catalog: FoodCatalog,
  settings: Omit<Settings, 'port' | 'host' | 'foodData'>,
  shared?: Shared,
): Promise<FastifyInstance> {
  const { operations, log } = shared ?? {
    operations: new Operations(),
    log: await createLog(settings.logLevel),
  };
  const { metrics } = operations;
  const server = createHttpServer((request, response) => listener(request, response));
  server.once('listening', () => {
    operations.catalog = catalog;
  });
  const connections = new Connections(server, settings.maxConnections ?? MAX_CONNECTIONS, operations);
  const answerFood = createFoodHandler(catalog, settings, { metrics, connections, log });
  let listener: RequestListener;

  const app = Fastify({
    ...fastifyOptions(log),
    clientErrorHandler: (error, socket) => connections.refuse(faultOf(error), socket),
    serverFactory: (handler) => {
      // The search does not go through the router: it would take longer than the answer.
      listener = (request, response) => {
        if (!connections.admit(request.socket, response)) return;
        const fault = hostFaultOf(request);
        if (fault !== undefined) sendText(response, 400, errorBody(fault), ['Connection', 'close']);
        else if (isFoodTarget(request.url ?? '')) answerFood(request, response);
        else handler(request, response);
      };
      return server;
    },
  });
  app.addHook('preClose', () => connections.stop());
  app.addHook('onResponse', async (request, { statusCode: status, elapsedTime }) => {
    if (request.routeOptions.url === FOOD_PATH) return;
    metrics.answeredOther(status);
    const path = settings.logRequests === 'searches' ? request.url : request.routeOptions.url;
    if (settings.logRequests !== 'none')
      request.log.info({ method: request.method, path, status, ms: elapsedTime }, 'answered');
  });
  await app.register(helmet, SECURITY_HEADERS);

  const noClient = await reasonForNoClient(settings.nodeEnv);
  if (noClient !== undefined) log.info(noClient);
  const nothingHere = `There is nothing here. The search is GET ${FOOD_PATH}?q=TEXT.`;
  handleErrors(app, noClient === undefined ? nothingHere : `${nothingHere} ${noClient}`);

  await documentApi(app);
  // For targets that only the router understands, such as http://host/api/food or /api/%66ood.
  // Their schemas are documentation: every request is answered, so none is validated.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  for (const method of app.supportedMethods) {
    app.route({
      method,
      url: FOOD_PATH,
      exposeHeadRoute: false,
      helmet: false,
      config: { swagger: { exposeHeadRoute: true } },
      schema: FOOD_SCHEMAS[method] ?? {},
      validatorCompiler: () => () => true,
      serializerCompiler: () => JSON.stringify,
      // Before Fastify looks at the body, which the search has no use for.
      onRequest: async (request, reply) => {
        reply.hijack();
        answerFood(request.raw, reply.raw);
      },
      handler: () => {},
    });
  }
  await app.register(dataSetRoute(catalog));
  if (settings.operationsPort === undefined) await app.register(operationsRoutes(operations));
  if (noClient === undefined) await app.register(clientFiles);
  return app;
}

/** Health and metrics on a port of their own. */
export async function createOperationsApp({ operations, log }: Shared): Promise<FastifyInstance> {
  const newest = new WeakMap<Socket, ServerResponse>();
  const app = Fastify({
    ...fastifyOptions(log),
    clientErrorHandler: (error, socket) => refuse(faultOf(error), socket, newest.get(socket)),
  });
  Object.assign(app.server, SERVER_PROPERTIES);
  app.server.on('request', (request, response) => newest.set(request.socket, response));
  await app.register(helmet, SECURITY_HEADERS);
  handleErrors(app, 'There is nothing here. There are /health/live, /health/ready and /metrics.');
  await app.register(operationsRoutes(operations));
  return app;
}

const fastifyOptions = (log: FastifyBaseLogger) => ({
  loggerInstance: log,
  // A line for each request would cost more than the search, and would keep what people look for.
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: requestIdOf,
  frameworkErrors: answerError,
  // What comes while the service stops is still answered.
  return503OnClosing: false,
});

function createHttpServer(listener: RequestListener): Server {
  const server = Object.assign(createServer(SERVER_OPTIONS, listener), SERVER_PROPERTIES);
  // Node.js would refuse an `Expect` that it does not know, with an empty body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** What is wrong with the header `Host` (RFC 9112, 3.2). */
function hostFaultOf({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++;
  }
  if (hosts > 1) return 'The header Host is there more than once.';
  return hosts === 0 && httpVersion === '1.1' ? 'The header Host is missing.' : undefined;
}
