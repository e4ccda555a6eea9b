/**
 * The one shape of every error: `{"error": "one sentence"}`, without a stack trace or a path of the server.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Without it, caches choose for themselves how long they keep an error. */
export const NO_STORE = ['Cache-Control', 'no-store'] as const;

/** What is said of a fault of ours. */
export const FAILURE = 'The service failed to answer. Its log says why.';

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}

/** Sends a short JSON text that no cache keeps. @param headers alternating names and values */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: readonly string[],
): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, ['Content-Type', JSON_TYPE, ...NO_STORE, ...headers, 'Content-Length', length]);
  response.end(body);
}

/** Lets scripts that may read an answer read these headers of it, too. */
const EXPOSED = ['Access-Control-Expose-Headers', 'Retry-After, RateLimit, RateLimit-Policy'];

/**
 * Says that the service cannot answer for now.
 * @param retryAfter s
 * @param headers names and values by turns; with those that let a script read the answer, it may read when to ask again
 * @param status 429 where this client alone asks too often
 */
export function sendUnavailable(
  response: ServerResponse,
  retryAfter: number,
  message: string,
  headers: readonly string[],
  status: 503 | 429 = 503,
): void {
  const exposed = headers.includes('Access-Control-Allow-Origin') ? EXPOSED : [];
  sendText(response, status, errorBody(message), [...headers, ...exposed, 'Retry-After', String(retryAfter)]);
}

/** Answers what no route answers and what a route throws. */
export function handleErrors(app: FastifyInstance, notFound: string): void {
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404, notFound));
  app.setErrorHandler(answerError);
}

/** A request that Fastify itself refuses keeps its status; all else is a fault of ours, told to the log alone. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.statusCode ?? 500;
  if (status >= 500) {
    request.log.error(error, 'a request failed');
    reply.header('x-request-id', request.id);
  }
  const message =
    status === 400
      ? 'The address of the request is malformed.'
      : status < 500
        ? 'The request cannot be answered.'
        : FAILURE;
  return sendError(reply, status, message);
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .type(JSON_TYPE)
    .header(...NO_STORE)
    .send(errorBody(message));
}
