/** What responses have in common: headers, and the one shape of every error, `{"error": "what is wrong"}`. */
import type { FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FAILURE } from '../operations/outcomes.ts';

export interface Result {
  readonly status: number;
  /** Lines of `header`, without those about the length. */
  readonly headers: string;
  /** `Content-Length` is its length; undefined: without body and length. */
  readonly body: Buffer | undefined;
}

/** A header as it is sent. */
export const header = (name: string, value: string): string => `${name}: ${value}\r\n`;

export const NO_SNIFFING = header('X-Content-Type-Options', 'nosniff');

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Without it, caches decide themselves how long they keep an error. */
const NO_STORE = ['Cache-Control', 'no-store'] as const;
export const UNCACHED = header(...NO_STORE);

const errorBody = (message: string): string => JSON.stringify({ error: message });

/** @param headers further ones */
export function errorResult(status: number, message: string, headers = '') {
  const first = header('Content-Type', JSON_TYPE) + UNCACHED;
  return { status, headers: first + headers, body: Buffer.from(errorBody(message)) };
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
  const refusal =
    status === 400 ? 'The address of the request is malformed.' : 'The request cannot be answered.';
  return sendError(reply, status, status < 500 ? refusal : FAILURE);
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply
    .code(status)
    .type(JSON_TYPE)
    .header(...NO_STORE)
    .send(errorBody(message));
}

/** A Content-Security-Policy. @param sources what a page may load, by directive; nothing else */
export const policy = (sources: Readonly<Record<string, string[]>> = {}) => ({
  useDefaults: false,
  directives: {
    ...{ defaultSrc: ["'none'"], ...sources },
    ...{ baseUri: ["'none'"], formAction: ["'none'"], frameAncestors: ["'self'"] },
  },
});

/** Of all routes but the search. The proxy that terminates TLS sends `Strict-Transport-Security`, for all of its host. */
export const SECURITY_HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: policy(),
  strictTransportSecurity: false,
  // On plain HTTP browsers ignore it, with an error on the console; the page opens no windows that it could guard.
  crossOriginOpenerPolicy: false,
  // The default of today's browsers, and what only older ones and plugins know: half a kilobyte of a page and its files.
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};
