/**
 * Who may read the answers from a page on another origin (CORS). What to send is decided once, at start:
 * one list of headers for the allowed origin and one for all others.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedOrigin } from '../origin.ts';

/** s for which a browser may remember a preflight; browsers cap it at 2 h (Chromium) to 24 h (Firefox). */
const MAX_AGE = 7200;

/** ms between two log lines about the same refused origin. */
const LOG_INTERVAL = 60_000;

/** Refused origins remembered at most, so that invented ones cannot fill the memory or the log. */
const MAX_LOGGED_ORIGINS = 1000;

type Headers = Readonly<Record<string, string>>;

export interface CrossOrigin {
  /** Sets the headers that every response of the search carries, errors included. */
  apply(request: FastifyRequest, reply: FastifyReply): void;
  /** Answers a preflight, whose general headers are set already. */
  preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply;
}

/** @param allowed undefined: no page on another origin may read */
export function createCrossOrigin(allowed: AllowedOrigin | undefined): CrossOrigin {
  const vary: Headers = allowed === undefined || allowed === '*' ? {} : { vary: 'Origin' };
  const granted: Headers = allowed === undefined ? {} : { ...vary, 'access-control-allow-origin': allowed };
  const logRefusal = createRefusalLog(allowed);
  const isAllowed = (origin: string | undefined) =>
    allowed === '*' || (allowed !== undefined && origin === allowed);

  return {
    apply(request, reply) {
      const { origin } = request.headers;
      const mayRead = isAllowed(origin);
      reply.headers(mayRead ? granted : vary);
      if (!mayRead && origin !== undefined) logRefusal(origin, request);
    },
    preflight(request, reply) {
      if (isAllowed(request.headers.origin)) {
        reply.header('access-control-allow-methods', 'GET, HEAD').header('access-control-max-age', MAX_AGE);
        const asked = request.headers['access-control-request-headers'];
        if (asked !== undefined) reply.header('access-control-allow-headers', asked);
      }
      // 200 and a length: some older browsers and television browsers fail on 204.
      return reply.code(200).header('content-length', 0).send();
    },
  };
}

/** Logs a refused origin, once a minute each, with the line that would allow it. */
function createRefusalLog(allowed: AllowedOrigin | undefined) {
  const loggedAt = new Map<string, number>();
  return (origin: string, request: FastifyRequest): void => {
    const now = Date.now();
    if (now - (loggedAt.get(origin) ?? -LOG_INTERVAL) < LOG_INTERVAL) return;
    if (loggedAt.size >= MAX_LOGGED_ORIGINS) {
      for (const [known, time] of loggedAt) if (now - time >= LOG_INTERVAL) loggedAt.delete(known);
      if (loggedAt.size >= MAX_LOGGED_ORIGINS) return;
    }
    loggedAt.set(origin, now);
    const remedy =
      origin === 'null'
        ? 'It is a page opened from a file or in a sandboxed frame: serve it over http to give it an origin of its own.'
        : `To allow it, start the service with ALLOWED_ORIGIN=${origin}${allowed === undefined ? '' : ` instead of ${allowed}`}`;
    request.log.warn(
      { origin, allowedOrigin: allowed ?? null },
      `a page on ${origin} may not read the answers. ${remedy}`,
    );
  };
}
