/**
 * Headers, results (responses that are not sent yet), and the one shape of every error: `{"error": "what is wrong"}`, without a
 * stack trace or a path of the server.
 */
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURE } from '../operations/outcomes.ts';

/** Alternating names and values, which Node.js writes fastest. */
export type HeaderList = readonly string[];

export function linesOf(headers: HeaderList): string {
  let lines = '';
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** Headers as `writeHead` takes them, and as they are sent. */
export interface HeaderBlock {
  readonly list: HeaderList;
  readonly lines: string;
}

export const blockOf = (list: HeaderList): HeaderBlock => ({ list, lines: linesOf(list) });

export const NO_HEADERS = blockOf([]);

export interface Result {
  readonly status: number;
  readonly headers: readonly HeaderBlock[];
  /** `Content-Length` is its length; undefined: without body and length. */
  readonly body: Buffer | undefined;
}

/** Content is what its type says. */
export const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Without it, caches decide themselves how long they keep an error. */
export const NO_STORE = ['Cache-Control', 'no-store'] as const;

/** The first headers of every error. */
const JSON_ERROR = blockOf(['Content-Type', JSON_TYPE, ...NO_STORE]);

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}

export function errorResult(status: number, message: string, ...headers: readonly HeaderBlock[]): Result {
  return { status, headers: [JSON_ERROR, ...headers], body: Buffer.from(errorBody(message)) };
}

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

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .type(JSON_TYPE)
    .header(...NO_STORE)
    .send(errorBody(message));
}

/** Everything comes from the service itself. @param connect the addresses that scripts may request */
const policy = (connect: string) => ({
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    fontSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: [connect],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'self'"],
  },
});

/**
 * Security headers of all routes but the search, by helmet. The proxy that terminates TLS sends `Strict-Transport-Security`:
 * the service cannot know whether every name and port of its host uses TLS.
 */
export const SECURITY_HEADERS: FastifyHelmetOptions = {
  // The page may query a service elsewhere (`?api=URL`). It sends only the typed text there, because it knows nothing else.
  contentSecurityPolicy: policy('*'),
  strictTransportSecurity: false,
  // On plain HTTP browsers ignore it, with an error on the console; the page opens no windows that it could guard.
  crossOriginOpenerPolicy: false,
};

/** For pages that request nothing from elsewhere. */
export const STATIC_PAGE: FastifyHelmetOptions = { contentSecurityPolicy: policy("'self'") };
