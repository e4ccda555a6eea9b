/** Decides which pages on other origins may read the answers (CORS). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { commandName, settingShown } from '#core';
import { type Endpoint, SEARCH } from '../operations/outcomes.ts';
import { type AllowedOrigin, SCHEMES } from '../settings/origin.ts';
import { header } from './responses.ts';

/** s for which a browser may remember a preflight; browsers cap it at 2 h (Chromium) to 24 h (Firefox). */
const MAX_AGE = 7200;

/** Bytes of the list of headers that a preflight repeats: nginx by default answers 502 if all of them take more than 4 kB. */
const MAX_ALLOWED_HEADERS = 2048;

/** ms after which a refused origin is logged again. */
const LOG_INTERVAL = 60_000;

/** Origins that are logged in this time, and characters of each, so that made-up ones cannot fill the memory or the log. */
const MAX_LOGGED_ORIGINS = 1000;
const MAX_SHOWN_ORIGIN = 300;

/** A line with such an origin is safe to copy into a shell: a client may send anything. */
const SENT_BY_BROWSERS = new RegExp(`^(?:${SCHEMES})://([a-z0-9._-]{1,253}|\\[[0-9a-f:]+\\])(:\\d{1,5})?$`);
const isSentByBrowsers = (origin: string): boolean => SENT_BY_BROWSERS.test(origin);

/** The address of a path as the client wrote it, behind a proxy too; `URL` if it is not safe to copy into a shell. */
function addressOf(path: string, { host, 'x-forwarded-proto': proto }: IncomingHttpHeaders): string {
  const service = `${proto === 'https' ? 'https' : 'http'}://${host}`;
  return isSentByBrowsers(service) ? `${service}${path}` : 'URL';
}

export interface Caller {
  /** Headers of every response to it beside `Vary`, errors included. */
  readonly headers: string;
  /** Then `Access-Control-Expose-Headers` has a meaning. */
  readonly isGranted: boolean;
  readonly isRefused: boolean;
}

const SAME_ORIGIN: Caller = { headers: '', isGranted: false, isRefused: false };
const REFUSED: Caller = { ...SAME_ORIGIN, isRefused: true };

export interface CrossOrigin {
  /** The request header that responses depend on, for `Vary`; also if no origin is allowed, because one may be later. */
  readonly vary?: 'Origin' | undefined;
  /** Identifies the rule; part of the tags, or caches would keep the headers of another rule when they revalidate an answer. */
  readonly rule?: string;
  callerOf(request: IncomingMessage): Caller;
  /** Further headers of the answer to a preflight. Absent if `OPTIONS` is not allowed. */
  preflightHeadersFor?(request: IncomingMessage): string;
}

/** Of a look-up without cross-origin headers. */
export function sameOriginOnly(
  allowed: AllowedOrigin | undefined,
  log: FastifyBaseLogger,
  lookup: Endpoint,
): CrossOrigin {
  const logRefusal = createRefusalLog(allowed, log, lookup);
  return {
    callerOf({ headers }) {
      if (headers.origin !== undefined) logRefusal(headers.origin, headers);
      return SAME_ORIGIN;
    },
  };
}

/** @param allowed undefined: no page on another origin may read the answers */
export function createCrossOrigin(allowed: AllowedOrigin | undefined, log: FastifyBaseLogger): CrossOrigin {
  const granted: Caller = {
    headers: allowed === undefined ? '' : header('Access-Control-Allow-Origin', allowed),
    isGranted: true,
    isRefused: false,
  };
  const logRefusal = createRefusalLog(allowed, log, SEARCH);
  const isAllowed = (origin: string | undefined) =>
    allowed === '*' || (allowed !== undefined && origin === allowed);

  return {
    vary: allowed === '*' ? undefined : 'Origin',
    rule: allowed ?? '',
    callerOf({ headers }) {
      const { origin } = headers;
      if (isAllowed(origin)) return granted;
      if (origin === undefined) return SAME_ORIGIN;
      logRefusal(origin, headers);
      return REFUSED;
    },
    preflightHeadersFor({ headers: { origin, 'access-control-request-headers': asked = '' } }) {
      if (!isAllowed(origin)) return '';
      // A part of the list would be refused like none.
      const isRepeated = asked !== '' && asked.length <= MAX_ALLOWED_HEADERS;
      return (
        header('Access-Control-Allow-Methods', 'GET, HEAD') +
        header('Access-Control-Max-Age', String(MAX_AGE)) +
        (isRepeated ? header('Access-Control-Allow-Headers', asked) : '')
      );
    },
  };
}

function createRefusalLog(allowed: AllowedOrigin | undefined, log: FastifyBaseLogger, endpoint: Endpoint) {
  const logged = new Set<string>();
  let since = 0;
  return (origin: string, headers: IncomingHttpHeaders): void => {
    const now = Date.now();
    if (now - since >= LOG_INTERVAL) {
      logged.clear();
      since = now;
    }
    if (logged.has(origin) || logged.size === MAX_LOGGED_ORIGINS) return;
    logged.add(origin);
    const shownOrigin = origin.slice(0, MAX_SHOWN_ORIGIN);
    const refused = `the ${endpoint === SEARCH ? 'answers' : endpoint.match}`;
    log.warn(
      { origin: shownOrigin, allowedOrigin: allowed ?? null },
      `a page on ${shownOrigin} may not read ${refused}. ${pageRemedy(origin, allowed, endpoint, headers)}`,
    );
  };
}

function pageRemedy(
  origin: string,
  allowed: AllowedOrigin | undefined,
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
): string {
  if (origin === 'null')
    return 'It is a page opened from a file or in a sandboxed frame: serve it over http (python3 -m http.server in its folder) to give it an origin of its own.';
  if (!isSentByBrowsers(origin)) return 'No browser sends such an origin.';
  const { path, match } = endpoint;
  const routes = endpoint === SEARCH ? '' : `${settingShown('CORS_ROUTES', `search,${match}`)} and `;
  const isAnother = allowed !== undefined && allowed !== origin && allowed !== '*';
  const start = `${routes}${settingShown('ALLOWED_ORIGIN', allowed === '*' ? allowed : origin)}`;
  const check = `${commandName()} check-cors ${addressOf(path, headers)} --origin ${origin}`;
  return `To allow it, start the service with ${start}${isAnother ? ` instead of ${allowed}` : ''}. What its browser does, and why: ${check}`;
}
