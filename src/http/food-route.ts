/**
 * The one operation of the service: `GET /api/food?q=TEXT`. It adds nothing but headers to what the catalog
 * answers.
 *
 * It is written for Node.js itself: a framework's request and reply objects would take longer than the search.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyBaseLogger } from 'fastify';
import type { FoodCatalog } from '../catalog.ts';
import { Unavailable } from '../errors.ts';
import type { AllowedOrigin } from '../origin.ts';
import { type Answer, AnswerCache, CODINGS, type Coding, tagOf } from './answer-cache.ts';
import { createCrossOrigin, type HeaderList } from './cross-origin.ts';
import { errorBody, FAILURE, JSON_TYPE, sendText, sendUnavailable } from './errors.ts';

export const FOOD_PATH = '/api/food';

/** The longest request target that is searched for; more than any description has, and less than the header limit. */
const MAX_TARGET_LENGTH = 16 * 1024;

/** s for which browsers and shared caches may answer by themselves; then the tag tells them whether all is as it was. */
const MAX_AGE = 300;

const CACHE_CONTROL = `public, max-age=${MAX_AGE}`;
const METHODS = 'GET, HEAD, OPTIONS';
const MISSING_TEXT = errorBody('Missing required parameter `q`');

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
  allowedOrigin: AllowedOrigin | undefined,
  log: FastifyBaseLogger,
): FoodHandler {
  const crossOrigin = createCrossOrigin(allowedOrigin, log);
  const varyOfAll: HeaderList = crossOrigin.vary === undefined ? [] : ['Vary', crossOrigin.vary];
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
  ];
  const cache = new AnswerCache(catalog, ({ body, coding, etag }) => {
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
  const send = (response: ServerResponse, given: HeaderList, { body, headers }: Answer): void => {
    const shared = aged(given);
    response.writeHead(200, (shared.length === 0 ? headers : [...headers, ...shared]) as string[]);
    response.end(body);
  };
  const fail = (response: ServerResponse, shared: HeaderList, error: unknown): void => {
    if (error instanceof Unavailable) {
      sendUnavailable(response, error.retryAfter, error.message, [...shared, ...varyOfAll]);
      return;
    }
    log.error(error, 'a search failed');
    sendText(response, 500, errorBody(FAILURE), [...shared, ...varyOfAll]);
  };

  return (request, response) => {
    const { method = '', url: target = '' } = request;
    const shared = crossOrigin.headersFor(request);
    if (method === 'OPTIONS') {
      const headers = [
        ...varyOfAll,
        ...shared,
        ...crossOrigin.preflightHeadersFor(request),
        'Allow',
        METHODS,
      ];
      // 200 and a length: some older browsers and television browsers fail on 204.
      response.writeHead(200, [...headers, 'Content-Length', '0']).end();
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      const message = `Method ${method} is not allowed here. Use GET ${FOOD_PATH}?q=TEXT.`;
      sendText(response, 405, errorBody(message), [...shared, ...varyOfAll, 'Allow', METHODS]);
      return;
    }
    if (target.length > MAX_TARGET_LENGTH) {
      const message = `The address is too long: ${target.length} characters, at most ${MAX_TARGET_LENGTH} are read.`;
      sendText(response, 414, errorBody(message), [...shared, ...varyOfAll]);
      return;
    }
    const coding = codingOf(request);
    const known = request.headers['if-none-match'];
    const kept = known === undefined ? cache.kept(target, coding) : undefined;
    if (kept !== undefined) {
      send(response, shared, kept);
      return;
    }
    const text = textOf(target);
    if (text === '') {
      sendText(response, 200, MISSING_TEXT, [...shared, ...varyOfAll]);
      return;
    }
    const unchanged = known === undefined ? undefined : matchingTag(known, cache.etag(text), coding);
    if (unchanged !== undefined) {
      response.writeHead(304, [...cacheHeaders(unchanged), ...aged(shared)]).end();
      return;
    }
    try {
      const answer = cache.make(target, text, coding);
      if (!(answer instanceof Promise)) send(response, shared, answer);
      else
        answer.then(
          (made) => send(response, shared, made),
          (error) => fail(response, shared, error),
        );
    } catch (error) {
      fail(response, shared, error);
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

function codingOf({ headers }: IncomingMessage): Coding | undefined {
  const accepted = headers['accept-encoding'];
  if (typeof accepted !== 'string') return undefined;
  const coding = negotiate(accepted, [...CODINGS]);
  return CODINGS.find((known) => known === coding);
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
