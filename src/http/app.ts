/**
 * Puts the HTTP side together: a catalog in, a Fastify instance out. It knows no engine and opens no socket.
 */
import { METHODS } from 'node:http';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import type { Settings } from '../settings.ts';
import { clientFiles } from './client-files.ts';
import { createCrossOrigin } from './cross-origin.ts';
import { dataSetRoute } from './data-set-route.ts';
import { answerClientError, errorBody, handleErrors, JSON_TYPE, sendError } from './errors.ts';
import { FOOD_PATH, foodRoute } from './food-route.ts';

/** Bytes of request line and headers together; past it Node.js answers 431. */
const MAX_HEADER_SIZE = 32 * 1024;

/** Refused by the web's own rules (CONNECT) or known to Fastify from the start. */
const isMissing = (app: FastifyInstance) => (method: string) =>
  method !== 'CONNECT' && !app.supportedMethods.includes(method);

/**
 * The service, not listening yet. Nothing of a request but its target, method and `Origin` is used.
 * @throws UserError where the web client is to be served and is not built
 */
export async function createApp(
  catalog: FoodCatalog,
  settings: Pick<Settings, 'allowedOrigin' | 'nodeEnv' | 'logLevel'>,
): Promise<FastifyInstance> {
  const app = Fastify({
    logger: { level: settings.logLevel, stream: process.stderr },
    // A line for each request would cost more than the search, and would keep what people look for.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: {
      querystringParser: (text) => new URLSearchParams(text) as unknown as Record<string, unknown>,
    },
    http: { maxHeaderSize: MAX_HEADER_SIZE, requireHostHeader: false },
    clientErrorHandler: answerClientError,
    frameworkErrors: sendError,
  });
  for (const method of METHODS.filter(isMissing(app))) app.addHttpMethod(method);

  // Node.js would answer these two with an empty body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.addHook('onRequest', async (request, reply) => {
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      return reply.code(400).type(JSON_TYPE).send(errorBody('The header Host is missing.'));
    }
    return undefined;
  });

  const servesClient = settings.nodeEnv === 'production';
  const clientHint = servesClient ? '' : ' The web client is served where NODE_ENV=production.';
  handleErrors(app, `There is nothing here. The search is GET ${FOOD_PATH}?q=TEXT.${clientHint}`);
  await app.register(foodRoute(catalog, createCrossOrigin(settings.allowedOrigin)));
  await app.register(dataSetRoute(catalog.dataSet));
  if (servesClient) await app.register(clientFiles);
  return app;
}
