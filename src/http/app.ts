/**
 * Puts the HTTP side together: a catalog in, a Fastify instance out. It knows no engine and opens no socket.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import type { Settings } from '../settings.ts';
import { documentApi } from './api-document.ts';
import { clientFiles } from './client-files.ts';
import { dataSetRoute } from './data-set-route.ts';
import { answerClientError, errorBody, handleErrors, sendError, sendText } from './errors.ts';
import { createFoodHandler, FOOD_PATH, type FoodHandler, isFoodTarget } from './food-route.ts';
import { FOOD_SCHEMAS } from './food-schema.ts';

/** Bytes of request line and headers together; past it Node.js answers 431. */
const MAX_HEADER_SIZE = 32 * 1024;

/** ms that an idle connection stays open; longer than proxies keep theirs, so that none meets a closing one. */
const KEEP_ALIVE_TIMEOUT = 72_000;

/**
 * The service, not listening yet. Nothing of a request but its target, method and `Origin` is used, and what
 * HTTP itself knows: conditions and codings.
 * @throws UserError where the web client is to be served and is not built
 */
export async function createApp(
  catalog: FoodCatalog,
  settings: Pick<Settings, 'allowedOrigin' | 'nodeEnv' | 'logLevel'>,
): Promise<FastifyInstance> {
  let answerFood: FoodHandler | undefined;
  const app = Fastify({
    logger: { level: settings.logLevel, stream: process.stderr },
    // A line for each request would cost more than the search, and would keep what people look for.
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: answerClientError,
    frameworkErrors: sendError,
    serverFactory: (handler) =>
      // The search does not go through the router: it would take longer than the answer.
      createHttpServer((request, response) => {
        if (answerFood !== undefined && isFoodTarget(request.url ?? '')) answerFood(request, response);
        else handler(request, response);
      }),
  });
  // Fastify closes by itself only a server that it listens with.
  app.addHook('onClose', () => void app.server.close());

  const servesClient = settings.nodeEnv === 'production';
  const clientHint = servesClient ? '' : ' The web client is served where NODE_ENV=production.';
  handleErrors(app, `There is nothing here. The search is GET ${FOOD_PATH}?q=TEXT.${clientHint}`);

  await documentApi(app);
  const food = createFoodHandler(catalog, settings.allowedOrigin, app.log);
  answerFood = food;
  // For targets that only the router understands, such as http://host/api/food or /api/%66ood.
  // Their schemas are documentation: every request is answered, so none is validated.
  for (const method of app.supportedMethods) {
    app.route({
      method,
      url: FOOD_PATH,
      exposeHeadRoute: false,
      config: { swagger: { exposeHeadRoute: true } },
      schema: FOOD_SCHEMAS[method] ?? {},
      validatorCompiler: () => () => true,
      serializerCompiler: () => JSON.stringify,
      handler: (request, reply) => {
        reply.hijack();
        food(request.raw, reply.raw);
      },
    });
  }
  await app.register(dataSetRoute(catalog));
  if (servesClient) await app.register(clientFiles);
  return app;
}

function createHttpServer(listener: RequestListener): Server {
  const options = {
    maxHeaderSize: MAX_HEADER_SIZE,
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  };
  const server = createServer(options, (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') listener(request, response);
    else sendText(response, 400, errorBody('The header Host is missing.'), []);
  });
  // Node.js would refuse an `Expect` that it does not know, with an empty body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}
