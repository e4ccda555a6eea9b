/**
 * Decides which pages on other origins may read the answers (CORS). The headers are built once, at start: one list for the
 * allowed origin and one for all others.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { settingShown } from '../paths.ts';
import type { AllowedOrigin } from '../settings/origin.ts';
import type { HeaderList } from './headers.ts';

/** s for which a browser may remember a preflight; browsers cap it at 2 h (Chromium) to 24 h (Firefox). */
const MAX_AGE = 7200;

/** Bytes of the list of headers that a preflight repeats: nginx by default answers 502 if all of them take more than 4 kB. */
const MAX_ALLOWED_HEADERS = 2048;

/** ms between two log lines about the same refused origin. */
const LOG_INTERVAL = 60_000;

/** Refused origins remembered at most, so that made-up ones cannot fill the memory or the log. */
const MAX_LOGGED_ORIGINS = 1000;

/** Characters of an origin that are logged; a host has 253 at most. */
const MAX_SHOWN_ORIGIN = 300;

/** Whether a line with an origin is safe to copy into a shell: a client may send anything. */
const isSentByBrowsers = (origin: string): boolean =>
  /^https?:\/\/([a-z0-9._-]{1,253}|\[[0-9a-f:]+\])(:\d{1,5})?$/.test(origin);

export interface CrossOrigin {
  /** The request header that responses depend on, for `Vary`; also if no origin is allowed, because one may be later. */
  readonly vary: 'Origin' | undefined;
  /** Identifies the rule; part of the tags, or caches would keep the headers of another rule when they revalidate an answer. */
  readonly rule: string;
  /** Whether a browser will withhold the response to this request from its page. */
  refuses(request: IncomingMessage): boolean;
  /** Headers of every response to this request beside `Vary`, errors included. */
  headersFor(request: IncomingMessage): HeaderList;
  /** Further headers of the answer to a preflight. */
  preflightHeadersFor(request: IncomingMessage): HeaderList;
}

/** @param allowed undefined: no page on another origin may read the answers */
export function createCrossOrigin(allowed: AllowedOrigin | undefined, log: FastifyBaseLogger): CrossOrigin {
  const granted: HeaderList = allowed === undefined ? [] : ['Access-Control-Allow-Origin', allowed];
  const refused: HeaderList = [];
  const logRefusal = createRefusalLog(allowed, log);
  const isAllowed = (origin: string | undefined) =>
    allowed === '*' || (allowed !== undefined && origin === allowed);

  return {
    vary: allowed === '*' ? undefined : 'Origin',
    rule: allowed ?? '',
    refuses: ({ headers: { origin } }) => origin !== undefined && !isAllowed(origin),
    headersFor({ headers: { origin } }) {
      if (isAllowed(origin)) return granted;
      if (origin !== undefined) logRefusal(origin);
      return refused;
    },
    preflightHeadersFor({ headers }) {
      if (!isAllowed(headers.origin)) return refused;
      const { 'access-control-request-headers': asked = '' } = headers;
      // A part of the list would be refused like none.
      const isRepeated = asked !== '' && asked.length <= MAX_ALLOWED_HEADERS;
      return [
        ...['Access-Control-Allow-Methods', 'GET, HEAD', 'Access-Control-Max-Age', String(MAX_AGE)],
        ...(isRepeated ? ['Access-Control-Allow-Headers', asked] : []),
      ];
    },
  };
}

/** Logs a refused origin, once a minute each, with the line that would allow it. */
function createRefusalLog(allowed: AllowedOrigin | undefined, log: FastifyBaseLogger) {
  const loggedAt = new Map<string, number>();
  return (origin: string): void => {
    const now = Date.now();
    if (now - (loggedAt.get(origin) ?? -LOG_INTERVAL) < LOG_INTERVAL) return;
    if (loggedAt.size >= MAX_LOGGED_ORIGINS) {
      for (const [known, time] of loggedAt) if (now - time >= LOG_INTERVAL) loggedAt.delete(known);
      if (loggedAt.size >= MAX_LOGGED_ORIGINS) return;
    }
    loggedAt.set(origin, now);
    const shownOrigin = origin.slice(0, MAX_SHOWN_ORIGIN);
    const instead = allowed === undefined ? '' : ` instead of ${allowed}`;
    const remedy =
      origin === 'null'
        ? 'It is a page opened from a file or in a sandboxed frame: serve it over http (python3 -m http.server in its folder) to give it an origin of its own.'
        : isSentByBrowsers(origin)
          ? `To allow it, start the service with ${settingShown('ALLOWED_ORIGIN', origin)}${instead}. What its browser does, and why: food-lookup check-cors URL --origin ${origin}`
          : 'No browser sends such an origin.';
    log.warn(
      { origin: shownOrigin, allowedOrigin: allowed ?? null },
      `a page on ${shownOrigin} may not read the answers. ${remedy}`,
    );
  };
}
