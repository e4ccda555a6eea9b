/**
 * Node.js' HTTP server, and where each of its requests goes: to the search or to Fastify's router.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Connections } from './connections.ts';
import { isFoodTarget } from './food-request.ts';
import type { FoodRoute } from './food-route.ts';
import { discardInput, type Fault, NO_TUNNEL, requestFaultOf } from './malformed.ts';
import { dropExpectation, hasInput, send, skipInput } from './node-http.ts';
import { errorResult, header } from './responses.ts';

export const createHttpServer = (): Server =>
  createServer({
    /** Bytes of request line and headers together; past it Node.js answers 431. */
    maxHeaderSize: 32 * 1024,
    /** Node.js would answer without a body; `requestFaultOf` checks it instead. */
    requireHostHeader: false,
    /** ms; 0: `Connections` closes idle connections. */
    keepAliveTimeout: 0,
    /** ms for the headers, and for all of a request; past them 408. */
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    /** ms between two checks of these. */
    connectionsCheckingInterval: 100,
  });

/**
 * What `createServer` does not take. A client that closes its sending side still gets its answers; then Node.js closes the
 * connection (a property of every version, without a type). Headers are bounded by their bytes alone: Node.js would silently
 * drop those beyond a number, even a second `Host`.
 */
const SERVER_PROPERTIES = { httpAllowHalfOpen: true, maxHeadersCount: 0 };

/**
 * Completes a server by what HTTP demands and Node.js leaves out.
 * @param refuse ends a connection with a fault, after the answers to its earlier requests
 */
export function completeServer(server: Server, refuse: (fault: Fault, socket: Socket) => void): void {
  Object.assign(server, SERVER_PROPERTIES);
  // Node.js would refuse an unknown `Expect`, with an empty body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    const isContinued = hasInput(request);
    // A client that has its answer may or may not send the body.
    if (isContinued) response.shouldKeepAlive = false;
    else dropExpectation(response);
    server.emit('request', request, response);
    if (isContinued) inviteInput(response);
  });
  // Node.js would close the connection without an answer, and no longer reports its errors.
  server.on('connect', (_request, socket) => refuse(NO_TUNNEL, socket.on('error', () => {}) as Socket));
}

/**
 * Writes `100 Continue`, unless the answer is decided without the body (RFC 9110, 10.1.1). In a pipeline it waits until the
 * answers before are written: Node.js would write it between the head and the body of the answer.
 */
function inviteInput(response: ServerResponse): void {
  if (response.headersSent) return;
  if (response.socket === null) response.once('socket', () => inviteInput(response));
  else response.writeContinue();
}

const CLOSE = header('Connection', 'close');

/** Sends searches directly to their route, since the router would take longer than the answer. */
export function dispatch(
  connections: Connections,
  foodRoute: FoodRoute,
  router: RequestListener,
): RequestListener {
  return (request, response) => {
    if (!connections.admit(request.socket, response)) return;
    ignoreUpgrade(request, response);
    const fault = requestFaultOf(request);
    if (fault !== undefined) send(response, errorResult(fault.status, fault.message, CLOSE));
    else if (isFoodTarget(request.url ?? '')) {
      skipInput(request);
      foodRoute.handle(response);
    } else router(request, response);
  };
}

/**
 * Lets the connection of a request to change the protocol end with its answer, in HTTP (RFC 9110, 7.8). What follows may be in
 * the other protocol: Node.js drops the rest of the same segment, and would read the next one as a new request.
 */
export function ignoreUpgrade(request: IncomingMessage, response: ServerResponse): void {
  const { upgrade, connection = '' } = request.headers;
  if (!upgrade || !/\bupgrade\b/i.test(connection)) return;
  response.shouldKeepAlive = false;
  if (hasInput(request)) request.once('end', () => discardInput(request.socket));
  else discardInput(request.socket);
}
