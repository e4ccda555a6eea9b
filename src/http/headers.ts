/**
 * Headers of answers. Those of the search have one order: what describes the content, then what depends on the client
 * (cross-origin, rate limit, age), then what belongs to the outcome (`Allow`, `Retry-After`), and last the length.
 */
import type { FastifyHelmetOptions } from '@fastify/helmet';

/** Alternating names and values, which Node.js writes fastest. */
export type HeaderList = readonly string[];

/** The lines of a list, each with its line break. */
export function linesOf(headers: HeaderList): string {
  let lines = '';
  for (let i = 0; i < headers.length; i += 2) lines += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return lines;
}

/** Content is what its type says. */
export const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Without it, caches decide themselves how long they keep an error. */
export const NO_STORE = ['Cache-Control', 'no-store'] as const;

/**
 * Security headers of all routes but the search, by helmet. The proxy that terminates TLS sends `Strict-Transport-Security`:
 * the service cannot know whether every name and port of its host uses TLS.
 *
 * Everything comes from the service itself. The page may query a service elsewhere (`?api=URL`), so it may connect to
 * any address. It sends only the typed text there, because it knows nothing else.
 */
export const SECURITY_HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ['*'],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'self'"],
    },
  },
  strictTransportSecurity: false,
  // On plain HTTP browsers ignore it, with an error on the console; the page opens no windows that it could guard.
  crossOriginOpenerPolicy: false,
};
