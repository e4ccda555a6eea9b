/**
 * A path that answers from the catalog, without a framework, whose request and reply objects would take longer than the search.
 *
 * Every request is computed to a result, which is sent in one place. Headers come in one order: what describes the content, then
 * what depends on the client (cross-origin, rate limit, age), then what belongs to the outcome (`Allow`, `Retry-After`), and last
 * the length.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { type FoodCatalog, Unavailable } from '#core';
import { requestIdOf } from '../operations/log.ts';
import {
  isChosen,
  type LookupKind,
  MAX_LINE_BYTES,
  MAX_LINES,
  MAX_TARGET_LENGTH,
  OUTCOMES,
  type Outcome,
} from '../operations/outcomes.ts';
import { type Answer, type AnswerOptions, type AnswerParts, Answers, exposing } from './answers.ts';
import { codingFor } from './coding.ts';
import type { Caller } from './cross-origin.ts';
import { linesOf, parameterOf } from './food-request.ts';
import type { Connections } from './limits/connections.ts';
import type { Overload } from './limits/overload.ts';
import type { RateLimiter } from './limits/process-limits.ts';
import { Overloaded } from './limits/search-turns.ts';
import { send } from './node-http.ts';
import { errorResult, header, NO_SNIFFING, type Result, UNCACHED } from './responses.ts';

/** s for which browsers and shared caches may answer without revalidating; then the tag shows whether their copy is current. */
const MAX_AGE = 300;

/** s after which a refused client may retry. */
const RETRY_AFTER = 1;

const EMPTY_ARRAY_LENGTH = 2;

/** What has no `lang`: a text and a code are found as they are. */
const IN_ONE_LANGUAGE: ReadonlySet<LookupKind> = new Set<LookupKind>(['text', 'barcode']);

const RETRY_EXPOSED = header('Access-Control-Expose-Headers', 'Retry-After, RateLimit, RateLimit-Policy');

export interface RouteParts extends AnswerParts {
  readonly connections: Connections;
  readonly overload: Overload;
  /** Absent if no limit is set. */
  readonly limiter: RateLimiter | undefined;
  readonly log: FastifyBaseLogger;
}

interface RouteOptions extends AnswerOptions {
  /** Called once a request is answered. @param ms from the parsed request until its answer was handed to the system */
  answered?(request: IncomingMessage, outcome: Outcome, ms: number): void;
}

interface RouteResult extends Result {
  readonly outcome: Outcome;
}

/** A request, and what its answer has in common with all others to this client. */
interface Asked {
  readonly request: IncomingMessage;
  readonly caller: Caller;
  /** Cross-origin headers, and those of the rate limit once it has been applied. */
  headers: string;
}

export class FoodRoute {
  readonly #catalog: FoodCatalog;
  readonly #parts: RouteParts;
  readonly options: RouteOptions;
  readonly #answers: Answers;
  /** Headers of answers for caches. Those for a page that may not read them are not kept: Firefox would still block it later. */
  readonly #kept: string;
  readonly #notKept: string;
  /** Headers of errors and preflights that describe their content. */
  readonly #unsearched: string;
  readonly #allow: string;

  constructor(catalog: FoodCatalog, parts: RouteParts, options: RouteOptions) {
    const { vary } = options.crossOrigin;
    this.#catalog = catalog;
    this.#parts = parts;
    this.options = options;
    this.#answers = new Answers(catalog, parts, options);
    const variants = header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
    this.#kept = header('Cache-Control', `public, max-age=${MAX_AGE}`) + variants + NO_SNIFFING;
    this.#notKept = UNCACHED + variants + NO_SNIFFING;
    this.#unsearched = (vary === undefined ? '' : header('Vary', vary)) + NO_SNIFFING;
    this.#allow = header('Allow', options.endpoint.methods);
  }

  handle(response: ServerResponse): void {
    const started = performance.now();
    const request = response.req;
    const { levels } = this.#parts.metrics;
    const caller = this.options.crossOrigin.callerOf(request);
    const result = this.#resultOf({ request, caller, headers: caller.headers }, started);
    const finish = (computed: RouteResult): void => {
      send(response, computed);
      this.options.answered?.(request, computed.outcome, performance.now() - started);
    };
    if (!(result instanceof Promise)) {
      finish(result);
      return;
    }
    levels.waiting++;
    void result.then((computed) => {
      levels.waiting--;
      finish(computed);
    });
  }

  #resultOf(asked: Asked, now: number): RouteResult | Promise<RouteResult> {
    try {
      // First, because a page can read other answers only after its preflight succeeded.
      return this.#preflight(asked) ?? this.#refusal(asked, now) ?? this.#search(asked);
    } catch (error) {
      return this.#failure(asked, error);
    }
  }

  #preflight({ request, headers }: Asked): RouteResult | undefined {
    const { crossOrigin } = this.options;
    if (request.method !== 'OPTIONS' || crossOrigin.preflightHeadersFor === undefined) return undefined;
    const about = this.#unsearched + headers + crossOrigin.preflightHeadersFor(request) + this.#allow;
    const { status } = OUTCOMES.preflight;
    return { outcome: 'preflight', status, headers: about, body: Buffer.alloc(0) };
  }

  #refusal(asked: Asked, now: number): RouteResult | undefined {
    const { socket, method = '', url: target = '' } = asked.request;
    const { overload, connections, limiter } = this.#parts;
    if (overload.isTooMuch(now) || connections.isOverLimit(socket)) return this.#overloaded(asked);
    if (method !== 'GET' && method !== 'HEAD') {
      const message = OUTCOMES.method_not_allowed.message(method, this.options.endpoint);
      return this.#error(asked, 'method_not_allowed', message, this.#allow);
    }
    if (target.length > MAX_TARGET_LENGTH)
      return this.#error(asked, 'too_long', OUTCOMES.too_long.message(target.length));
    if (limiter === undefined) return undefined;
    const { endpoint } = this.options;
    const searches = endpoint.find === undefined ? linesOf(target, endpoint.parameter).length : 1;
    const { retryAfter, headers } = limiter.take(asked.request, now, Math.min(searches || 1, MAX_LINES));
    asked.headers += headers;
    if (retryAfter === 0) return undefined;
    const message = OUTCOMES.rate_limited.message(limiter.limit, retryAfter);
    return this.#retryLater(asked, 'rate_limited', message, retryAfter);
  }

  #search(asked: Asked): RouteResult | Promise<RouteResult> {
    const { url: target = '', headers } = asked.request;
    const coding = codingFor(headers['accept-encoding']);
    const known = headers['if-none-match'];
    if (known === undefined) {
      // Needs no decoding.
      const cached = this.#answers.cached(target, coding);
      if (cached !== undefined) return this.#found(asked, cached);
    }
    const { endpoint } = this.options;
    const lines = endpoint.find === undefined ? linesOf(target, endpoint.parameter) : undefined;
    const text = lines?.join('\n') ?? parameterOf(target, endpoint.parameter) ?? '';
    if (text === '') {
      const message = OUTCOMES.missing_text.message(endpoint);
      return { ...this.#error(asked, 'missing_text', message), status: endpoint.missingStatus };
    }
    if (lines !== undefined && (lines.length > MAX_LINES || Buffer.byteLength(text) > MAX_LINE_BYTES))
      return this.#error(asked, 'too_many_lines', OUTCOMES.too_many_lines.message);
    const chosen =
      endpoint.match === 'text' && target.includes('&') ? parameterOf(target, 'match') : undefined;
    if (chosen !== undefined && !isChosen(chosen))
      return this.#error(asked, 'bad_match', OUTCOMES.bad_match.message(chosen));
    const match = chosen ?? endpoint.match;
    const lang =
      IN_ONE_LANGUAGE.has(match) || !target.includes('lang=') ? undefined : parameterOf(target, 'lang');
    const query = { request: asked.request, target, text, match, lang };
    if (known !== undefined) {
      const etag = this.#answers.unchanged(query, known, coding);
      if (etag !== undefined) return this.#answer(asked, 'not_modified', header('ETag', etag));
    }
    const answer = this.#answers.searched(query, coding);
    if (!(answer instanceof Promise)) return this.#found(asked, answer);
    return answer.then(
      (found) => this.#found(asked, found),
      (error) => this.#failure(asked, error),
    );
  }

  #found(asked: Asked, { match, aboutWords, headers, body }: Answer): RouteResult {
    this.#parts.metrics.matches[match]++;
    const outcome = body.length > EMPTY_ARRAY_LENGTH ? 'found' : 'nothing_found';
    return this.#answer(asked, outcome, headers, asked.caller.isGranted ? exposing(aboutWords) : '', body);
  }

  /** An answer for caches, or a 304. */
  #answer(
    { caller, headers }: Asked,
    outcome: Outcome,
    about: string,
    exposed = '',
    body?: Buffer,
  ): RouteResult {
    // If the data set may have been replaced unnoticed.
    const age = this.#catalog.age?.() ?? 0;
    const aged = age > 0 ? header('Age', String(age)) : '';
    const kept = caller.isRefused ? this.#notKept : this.#kept;
    return {
      outcome,
      status: OUTCOMES[outcome].status,
      headers: about + kept + headers + aged + exposed,
      body,
    };
  }

  #failure(asked: Asked, error: unknown): RouteResult {
    if (error instanceof Unavailable)
      return this.#retryLater(asked, 'unavailable', error.message, RETRY_AFTER);
    if (error instanceof Overloaded) return this.#overloaded(asked);
    const id = requestIdOf(asked.request);
    this.#parts.log.error({ err: error, reqId: id }, 'a search failed');
    return this.#error(asked, 'failed', OUTCOMES.failed.message, header('X-Request-Id', id));
  }

  #overloaded(asked: Asked): RouteResult {
    return this.#retryLater(asked, 'overloaded', OUTCOMES.overloaded.message, RETRY_AFTER);
  }

  /** @param seconds after which the client may try again */
  #retryLater(asked: Asked, outcome: Outcome, message: string, seconds: number): RouteResult {
    const exposed = asked.caller.isGranted ? RETRY_EXPOSED : '';
    return this.#error(asked, outcome, message, exposed + header('Retry-After', String(seconds)));
  }

  #error(asked: Asked, outcome: Outcome, message: string, headers = ''): RouteResult {
    const about = this.#unsearched + asked.headers + headers;
    return { outcome, ...errorResult(OUTCOMES[outcome].status, message, about) };
  }
}
