/**
 * The one shape of every error: `{"error": "one sentence"}`, without a stack trace or a path of the server.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { systemCode } from '../errors.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** What is said of a fault of ours. */
export const FAILURE = 'The service failed to answer. Its log says why.';

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}

/** Sends a short JSON text, with headers given as names and values by turns. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string,
  headers: readonly string[],
): void {
  const length = String(Buffer.byteLength(body));
  response.writeHead(status, ['Content-Type', JSON_TYPE, ...headers, 'Content-Length', length]);
  response.end(body);
}

/** Refuses for now: 503, with the s after which it is worth asking again. */
export function sendUnavailable(
  response: ServerResponse,
  retryAfter: number,
  message: string,
  headers: readonly string[],
): void {
  sendText(response, 503, errorBody(message), [...headers, 'Retry-After', String(retryAfter)]);
}

/** Answers what no route answers and what a route throws. */
export function handleErrors(app: FastifyInstance, notFound: string): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).type(JSON_TYPE).send(errorBody(notFound)));
  app.setErrorHandler(sendError);
}

/** A request that Fastify itself refuses keeps its status; all else is a fault of ours, told to the log alone. */
export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const status = error.statusCode ?? 500;
  if (status >= 500) request.log.error(error, 'a request failed');
  const message =
    status === 400
      ? 'The address of the request is malformed.'
      : status < 500
        ? 'The request cannot be answered.'
        : FAILURE;
  return reply.code(status).type(JSON_TYPE).send(errorBody(message));
}

/** ms that a client has to read the answer before its connection is closed. */
const LINGER = 1000;

const CLIENT_ERRORS: Readonly<Record<string, { readonly status: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The request line and the headers are too long.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive.',
  },
};
const BAD_REQUEST = { status: '400 Bad Request', message: 'The request is not valid HTTP.' };

/** Answers bytes that are no HTTP request, where no request object exists yet. */
export function answerClientError(error: Error, socket: Socket): void {
  const code = systemCode(error) ?? '';
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = CLIENT_ERRORS[code] ?? BAD_REQUEST;
  const body = errorBody(message);
  // What is still on its way is read and dropped for a moment: closing with unread bytes would reset the
  // connection, and the client might never see why.
  socket.resume();
  socket.setTimeout(LINGER, () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
