/**
 * The one shape of every error: `{"error": "one sentence"}`, without a stack trace or a path of the server.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURE } from '../operations/outcomes.ts';
import { type HeaderBlock, JSON_ERROR, JSON_TYPE, NO_STORE, type Result } from './headers.ts';

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}

export function errorResult(status: number, message: string, ...headers: readonly HeaderBlock[]): Result {
  return { status, headers: [JSON_ERROR, ...headers], body: Buffer.from(errorBody(message)) };
}

/** Answers requests without a route, and errors that routes throw. */
export function handleErrors(app: FastifyInstance, notFound: string): void {
  app.setNotFoundHandler((_request, reply) => sendError(reply, 404, notFound));
  app.setErrorHandler(answerError);
}

/** A request that Fastify itself refuses keeps its status; all else is a fault of ours, reported to the log alone. */
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

export function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .type(JSON_TYPE)
    .header(...NO_STORE)
    .send(errorBody(message));
}
