/**
 * The one operation of the service: `GET /api/food?q=TEXT`. It adds nothing but headers to what the catalog
 * answers.
 *
 * It is written for Node.js itself: a framework's request and reply objects would take longer than the search.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import { Unavailable } from '../errors.ts';
import { requestIdOf } from '../operations/log.ts';
import type { Metrics, Outcome } from '../operations/metrics.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answer, AnswerCache, tagOf } from './answers.ts';
import type { Connections } from './connections.ts';
import { type Coding, codingFor } from './content-coding.ts';
import { createCrossOrigin, type HeaderList } from './cross-origin.ts';
import { errorBody, FAILURE, JSON_TYPE, sendText, sendUnavailable } from './errors.ts';
import { Load, RETRY_AFTER } from './overload-guard.ts';
import { RateLimiter } from './rate-limit.ts';

export const FOOD_PATH = '/api/food';

/** The longest request target that is searched for; more than any description has, and less than the header limit. */
export const MAX_TARGET_LENGTH = 16 * 1024;

/** s for which browsers and shared caches may answer by themselves; then the tag tells them whether all is as it was. */
const MAX_AGE = 300;

const CACHE_CONTROL = `public, max-age=${MAX_AGE}`;
export const METHODS = 'GET, HEAD, OPTIONS';
export const MISSING_TEXT = errorBody('Missing required parameter `q`');
export const OVERLOADED = 'The service has more to do than it can. Try again in a moment.';
const NO_SNIFFING = ['X-Content-Type-Options', 'nosniff'] as const;
const EMPTY_ARRAY_LENGTH = 2;

export interface FoodHandlerParts {
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly log: FastifyBaseLogger;
}

export type FoodHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Whether a request target is that of the search as browsers write it. */
export function isFoodTarget(target: string): boolean {
  return (
    target.startsWith(FOOD_PATH) && (target.length === FOOD_PATH.length || target[FOOD_PATH.length] === '?')
  );
}

/** Answers every request to the path of the search, whatever its method. */
export function createFoodHandler(
  catalog: FoodCatalog,
  settings: Pick<Settings, 'allowedOrigin' | 'rateLimit' | 'trustProxy' | 'logRequests'>,
  { metrics, connections, log }: FoodHandlerParts,
): FoodHandler {
  const { rateLimit, trustProxy, logRequests } = settings;
  const crossOrigin = createCrossOrigin(settings.allowedOrigin, log);
  const load = new Load(metrics);
  const limiter = rateLimit && new RateLimiter(rateLimit, trustProxy);
  const ofErrors: HeaderList = [
    ...(crossOrigin.vary === undefined ? [] : ['Vary', crossOrigin.vary]),
    ...NO_SNIFFING,
  ];
  const varyOfAnswers = [
    ...(crossOrigin.vary === undefined ? [] : [crossOrigin.vary]),
    'Accept-Encoding',
  ].join(', ');
  const cacheHeaders = (etag: string): string[] => [
    'ETag',
    etag,
    'Cache-Control',
    CACHE_CONTROL,
    'Vary',
    varyOfAnswers,
    NO_SNIFFING[0],
    NO_SNIFFING[1],
  ];
  const cache = new AnswerCache(catalog, metrics, ({ body, coding, etag }) => {
    const headers = cacheHeaders(etag);
    headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(body.length));
    if (coding !== undefined) headers.push('Content-Encoding', coding);
    return headers;
  });

  /** Headers with the age of an answer that is kept, where the data set may have been replaced unseen. */
  const aged = (shared: HeaderList): HeaderList => {
    const age = catalog.age?.() ?? 0;
    return age === 0 ? shared : [...shared, 'Age', String(age)];
  };
  /** Counts an answer that has been sent. */
  const done = (request: IncomingMessage, outcome: Outcome, started: number): void => {
    const duration = performance.now() - started;
    metrics.answered(outcome, duration);
    if (logRequests === 'none') return;
    const { method, url } = request;
    const path = logRequests === 'searches' ? url : FOOD_PATH;
    log.info({ reqId: requestIdOf(request), method, path, outcome, ms: duration }, 'answered');
  };
  const send = (response: ServerResponse, given: HeaderList, { body, headers }: Answer): Outcome => {
    const shared = aged(given);
    response.writeHead(200, (shared.length === 0 ? headers : [...headers, ...shared]) as string[]);
    response.end(body);
    return body.length > EMPTY_ARRAY_LENGTH ? 'found' : 'nothing_found';
  };
  const fail = (
    request: IncomingMessage,
    response: ServerResponse,
    shared: HeaderList,
    error: unknown,
  ): Outcome => {
    const headers = [...shared, ...ofErrors];
    if (error instanceof Unavailable) {
      sendUnavailable(response, error.retryAfter, error.message, headers);
      return 'unavailable';
    }
    const id = requestIdOf(request);
    log.error({ err: error, reqId: id }, 'a search failed');
    sendText(response, 500, errorBody(FAILURE), [...headers, 'X-Request-Id', id]);
    return 'failed';
  };

  /** What does not need the data set; undefined: a search is to be made. */
  const answerUnsearched = (
    request: IncomingMessage,
    response: ServerResponse,
    shared: HeaderList,
    now: number,
  ): Outcome | undefined => {
    const { method = '', url: target = '' } = request;
    if (method === 'OPTIONS') {
      const headers = [...ofErrors, ...shared, ...crossOrigin.preflightHeadersFor(request), 'Allow', METHODS];
      // 200 and a length: some older browsers and television browsers fail on 204.
      response.writeHead(200, [...headers, 'Content-Length', '0']).end();
      return 'preflight';
    }
    // After the preflight, which must succeed for a page to read what follows.
    if (load.isTooMuch(now) || connections.isOverLimit(request.socket)) {
      sendUnavailable(response, RETRY_AFTER, OVERLOADED, [...shared, ...ofErrors]);
      return 'overloaded';
    }
    if (method !== 'GET' && method !== 'HEAD') {
      const message = `Method ${method} is not allowed here. Use GET ${FOOD_PATH}?q=TEXT.`;
      sendText(response, 405, errorBody(message), [...shared, ...ofErrors, 'Allow', METHODS]);
      return 'method_not_allowed';
    }
    if (target.length > MAX_TARGET_LENGTH) {
      const message = `The address is too long: ${target.length} characters, at most ${MAX_TARGET_LENGTH} are read.`;
      sendText(response, 414, errorBody(message), [...shared, ...ofErrors]);
      return 'too_long';
    }
    return undefined;
  };

  const answer = (
    request: IncomingMessage,
    response: ServerResponse,
    started: number,
  ): Outcome | undefined => {
    let shared = crossOrigin.headersFor(request);
    const unsearched = answerUnsearched(request, response, shared, started);
    if (unsearched !== undefined) return unsearched;
    if (limiter !== undefined) {
      const { retryAfter, headers } = limiter.take(request, started);
      shared = [...shared, ...headers];
      if (retryAfter > 0) {
        const message = `Too many searches: ${rateLimit?.requests} in ${rateLimit?.seconds} s are allowed. Try again in ${retryAfter} s.`;
        sendUnavailable(response, retryAfter, message, [...shared, ...ofErrors], 429);
        return 'rate_limited';
      }
    }
    const { url: target = '' } = request;
    const coding = codingFor(request.headers['accept-encoding']);
    const known = request.headers['if-none-match'];
    const kept = known === undefined ? cache.kept(target, coding) : undefined;
    if (kept !== undefined) {
      metrics.counts.answersKept++;
      return send(response, shared, kept);
    }
    const text = textOf(target);
    if (text === '') {
      sendText(response, 200, MISSING_TEXT, [...shared, ...ofErrors]);
      return 'missing_text';
    }
    const unchanged = known === undefined ? undefined : matchingTag(known, cache.etag(text), coding);
    if (unchanged !== undefined) {
      response.writeHead(304, [...cacheHeaders(unchanged), ...aged(shared)]).end();
      return 'not_modified';
    }
    metrics.counts.answersMade++;
    const made = cache.make(target, text, coding);
    if (!(made instanceof Promise)) return send(response, shared, made);
    metrics.levels.waiting++;
    made
      .then(
        (later) => send(response, shared, later),
        (error) => fail(request, response, shared, error),
      )
      .then((outcome) => {
        metrics.levels.waiting--;
        done(request, outcome, started);
      });
    return undefined;
  };

  return (request, response) => {
    const started = performance.now();
    try {
      const outcome = answer(request, response, started);
      if (outcome !== undefined) done(request, outcome, started);
    } catch (error) {
      done(request, fail(request, response, crossOrigin.headersFor(request), error), started);
    }
  };
}

/** The first value of `q`, decoded as browsers encode it; empty where there is none. */
function textOf(target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return '';
  const query = target.slice(mark + 1);
  if (query.startsWith('q=') && !query.includes('&')) {
    const value = query.slice(2);
    if (!/[%+]/.test(value)) return value;
    try {
      return decodeURIComponent(value.replaceAll('+', ' '));
    } catch {
      // Broken encodings are read as browsers read them, which takes longer.
    }
  }
  return new URLSearchParams(query).get('q') ?? '';
}

/**
 * The tag that a client names with `If-None-Match`, where it is that of the answer, plain or compressed; the
 * text need not be searched for.
 */
function matchingTag(known: string, etag: string, coding: Coding | undefined): string | undefined {
  const tags = known.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.includes('*') || tags.includes(etag)) return etag;
  const compressed = coding === undefined ? etag : tagOf(etag, coding);
  return tags.includes(compressed) ? compressed : undefined;
}
