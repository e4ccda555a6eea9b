/**
 * Node.js' HTTP server, and where each of its requests goes: to the search or to Fastify's router.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Connections } from './connections.ts';
import { errorBody, sendJson } from './errors.ts';
import { isFoodTarget } from './food-request.ts';
import type { FoodRoute } from './food-route.ts';
import { skipInput } from './node-http.ts';

const SERVER_OPTIONS = {
  /** Bytes of request line and headers together; past it Node.js answers 431. */
  maxHeaderSize: 32 * 1024,
  /** Node.js would answer without a body; `hostFaultOf` checks it instead. */
  requireHostHeader: false,
  /** ms; 0: `Connections` closes idle connections. */
  keepAliveTimeout: 0,
  /** ms for the headers, and for all of a request; past them 408. */
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  /** ms between two checks of these. */
  connectionsCheckingInterval: 100,
};

/**
 * What `createServer` does not take. A client that closes its sending side still gets its answers; then Node.js closes the
 * connection (a property of every version, without a type). Headers are bounded by their bytes alone: Node.js would silently
 * drop those beyond a number, even a second `Host`.
 */
export const SERVER_PROPERTIES = { httpAllowHalfOpen: true, maxHeadersCount: 0 };

const HOST = 'host';

export function createHttpServer(): Server {
  const server = Object.assign(createServer(SERVER_OPTIONS), SERVER_PROPERTIES);
  // Node.js would refuse an unknown `Expect`, with an empty body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

/** Sends searches directly to their route, since the router would take longer than the answer. */
export function dispatch(
  connections: Connections,
  foodRoute: FoodRoute,
  router: RequestListener,
): RequestListener {
  return (request, response) => {
    if (!connections.admit(request.socket, response)) return;
    const fault = hostFaultOf(request);
    if (fault !== undefined) sendJson(response, 400, errorBody(fault), ['Connection', 'close']);
    else if (isFoodTarget(request.url ?? '')) {
      skipInput(request);
      foodRoute.handle(response);
    } else router(request, response);
  };
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
