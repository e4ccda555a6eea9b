/**
 * Security headers of all routes but the search, by helmet. `Strict-Transport-Security` is left to the proxy that
 * speaks TLS: only it knows that every name and port of the host does.
 */
import type { FastifyHelmetOptions } from '@fastify/helmet';

/**
 * Everything comes from the service itself. The page may ask a service elsewhere (`?api=URL`), so it may connect to
 * any address; it sends there what was typed and nothing else, since it knows nothing else.
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
