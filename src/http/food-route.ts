/**
 * A path that answers from the catalog: `GET /api/food?q=TEXT` or `GET /portions?description=TEXT`. Every request is computed to
 * a result, which is sent in one place. Headers come in one order: what describes the content, then what depends on the client
 * (cross-origin, rate limit, age), then what belongs to the outcome (`Allow`, `Retry-After`), and last the length.
 *
 * It is written for Node.js itself: a framework's request and reply objects would take longer than the search.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { FoodCatalog, OtherNames } from '../foods/catalog.ts';
import { requestIdOf } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { type Endpoint, MAX_TARGET_LENGTH, OUTCOMES, type Outcome } from '../operations/outcomes.ts';
import { Unavailable } from '../system/errors.ts';
import { type Answer, Answers, type Query } from './answers.ts';
import type { Connections } from './connections.ts';
import type { Caller, CrossOrigin } from './cross-origin.ts';
import { codingFor, tagsIn, textOf } from './food-request.ts';
import { send } from './node-http.ts';
import { type OverloadGuard, RETRY_AFTER } from './overload-guard.ts';
import type { RateLimiter } from './process-limits.ts';
import { blockOf, errorResult, type HeaderBlock, NO_SNIFFING, NO_STORE, type Result } from './responses.ts';
import { Overloaded, type SearchTurns } from './search-turns.ts';

/** s for which browsers and shared caches may answer without revalidating; then the tag shows whether their copy is current. */
const MAX_AGE = 300;

const EMPTY_ARRAY_LENGTH = 2;

/** Lets scripts that may read a refusal also read these headers of it. */
const RETRY_EXPOSED = blockOf(['Access-Control-Expose-Headers', 'Retry-After, RateLimit, RateLimit-Policy']);

export interface RouteParts {
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly overload: OverloadGuard;
  /** Absent if no limit is set. */
  readonly limiter: RateLimiter | undefined;
  readonly turns: SearchTurns;
  readonly log: FastifyBaseLogger;
}

export interface RouteOptions {
  readonly endpoint: Endpoint;
  readonly crossOrigin: CrossOrigin;
  readonly otherNames: OtherNames;
  /** Bytes of the cache. */
  readonly cacheSize: number;
  /** What a target requests; an unknown `match`, which is an error, as it is. */
  matchOf(target: string): Query['match'] | { readonly unknown: string };
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
  readonly headers: readonly HeaderBlock[];
}

export class FoodRoute {
  readonly #catalog: FoodCatalog;
  readonly #parts: RouteParts;
  readonly #options: RouteOptions;
  readonly #answers: Answers;
  /** Headers of answers for caches. Those for a page that may not read them are not kept: Firefox would still block it later. */
  readonly #kept: HeaderBlock;
  readonly #notKept: HeaderBlock;
  /** Headers of errors and preflights that describe their content. */
  readonly #unsearched: HeaderBlock;
  readonly #allow: HeaderBlock;

  constructor(catalog: FoodCatalog, parts: RouteParts, options: RouteOptions) {
    const { endpoint, crossOrigin, otherNames, cacheSize } = options;
    const { vary, rule } = crossOrigin;
    this.#catalog = catalog;
    this.#parts = parts;
    this.#options = options;
    this.#answers = new Answers(catalog, parts.metrics, { rule, otherNames, cacheSize });
    const variants = ['Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`];
    this.#kept = blockOf(['Cache-Control', `public, max-age=${MAX_AGE}`, ...variants, ...NO_SNIFFING]);
    this.#notKept = blockOf([...NO_STORE, ...variants, ...NO_SNIFFING]);
    this.#unsearched = blockOf([...(vary === undefined ? [] : ['Vary', vary]), ...NO_SNIFFING]);
    this.#allow = blockOf(['Allow', endpoint.methods]);
  }

  handle(response: ServerResponse): void {
    const started = performance.now();
    const request = response.req;
    const caller = this.#options.crossOrigin.callerOf(request);
    const result = this.#resultOf({ request, caller, headers: [caller.headers] }, started);
    if (result instanceof Promise) void this.#finishLater(response, result, started);
    else this.#finish(response, result, started);
  }

  async #finishLater(response: ServerResponse, result: Promise<RouteResult>, started: number): Promise<void> {
    const { levels } = this.#parts.metrics;
    levels.waiting++;
    const computed = await result;
    levels.waiting--;
    this.#finish(response, computed, started);
  }

  #finish(response: ServerResponse, result: RouteResult, started: number): void {
    send(response, result);
    this.#options.answered?.(response.req, result.outcome, performance.now() - started);
  }

  #resultOf(asked: Asked, now: number): RouteResult | Promise<RouteResult> {
    try {
      // First, because a page can read other answers only after its preflight succeeded.
      const preflight = this.#preflight(asked);
      if (preflight !== undefined) return preflight;
      return this.#refusal(asked, now) ?? this.#limited(asked, now);
    } catch (error) {
      return this.#failure(asked, error);
    }
  }

  #preflight({ request, headers }: Asked): RouteResult | undefined {
    const { crossOrigin } = this.#options;
    if (request.method !== 'OPTIONS' || crossOrigin.preflightHeadersFor === undefined) return undefined;
    return {
      outcome: 'preflight',
      status: OUTCOMES.preflight.status,
      headers: [this.#unsearched, ...headers, crossOrigin.preflightHeadersFor(request), this.#allow],
      body: Buffer.alloc(0),
    };
  }

  /** Refuses a request that is not a search, or exceeds a limit of the service; undefined if it should be searched. */
  #refusal(asked: Asked, now: number): RouteResult | undefined {
    const { socket, method = '', url: target = '' } = asked.request;
    if (this.#parts.overload.isTooMuch(now) || this.#parts.connections.isOverLimit(socket))
      return this.#overloaded(asked);
    if (method !== 'GET' && method !== 'HEAD') {
      const message = OUTCOMES.method_not_allowed.message(method, this.#options.endpoint);
      return this.#error(asked, 'method_not_allowed', message, this.#allow);
    }
    if (target.length > MAX_TARGET_LENGTH)
      return this.#error(asked, 'too_long', OUTCOMES.too_long.message(target.length));
    return undefined;
  }

  #limited(asked: Asked, now: number): RouteResult | Promise<RouteResult> {
    const { limiter } = this.#parts;
    if (limiter === undefined) return this.#search(asked);
    const { retryAfter, headers } = limiter.take(asked.request, now);
    const counted = { ...asked, headers: [...asked.headers, headers] };
    if (retryAfter === 0) return this.#search(counted);
    const message = OUTCOMES.rate_limited.message(limiter.limit, retryAfter);
    return this.#retryLater(counted, 'rate_limited', message, retryAfter);
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
    const { endpoint } = this.#options;
    const text = textOf(target, endpoint.parameter);
    if (text === '') {
      const message = OUTCOMES.missing_text.message(endpoint);
      return { ...this.#error(asked, 'missing_text', message), status: endpoint.missingStatus };
    }
    const match = this.#options.matchOf(target);
    if (typeof match === 'object')
      return this.#error(asked, 'bad_match', OUTCOMES.bad_match.message(match.unknown));
    const query = { target, text, match };
    if (known !== undefined) {
      const etag = this.#answers.unchanged(query, tagsIn(known), coding);
      if (etag !== undefined) return this.#notModified(asked, etag);
    }
    const answer =
      match === 'words'
        ? this.#answers.searched(query, coding, (search) => this.#parts.turns.take(asked.request, search))
        : this.#answers.searched(query, coding);
    if (!(answer instanceof Promise)) return this.#found(asked, answer);
    return answer.then(
      (found) => this.#found(asked, found),
      (error) => this.#failure(asked, error),
    );
  }

  #found(asked: Asked, { match, exposed, headers, body }: Answer): RouteResult {
    this.#parts.metrics.matches[match]++;
    const blocks = this.#cacheable(asked, headers);
    if (exposed !== undefined && asked.caller.isGranted) blocks.push(exposed);
    const outcome = body.length > EMPTY_ARRAY_LENGTH ? 'found' : 'nothing_found';
    return { outcome, status: OUTCOMES.found.status, headers: blocks, body };
  }

  #notModified(asked: Asked, etag: string): RouteResult {
    const headers = this.#cacheable(asked, blockOf(['ETag', etag]));
    return { outcome: 'not_modified', status: OUTCOMES.not_modified.status, headers, body: undefined };
  }

  /** Adds what a 304 and the answer itself have in common; the age of the data set if it may have been replaced unnoticed. */
  #cacheable({ caller, headers }: Asked, about: HeaderBlock): HeaderBlock[] {
    const blocks = [about, caller.isRefused ? this.#notKept : this.#kept, ...headers];
    const age = this.#catalog.age?.() ?? 0;
    if (age > 0) blocks.push(blockOf(['Age', String(age)]));
    return blocks;
  }

  #failure(asked: Asked, error: unknown): RouteResult {
    if (error instanceof Unavailable)
      return this.#retryLater(asked, 'unavailable', error.message, error.retryAfter);
    if (error instanceof Overloaded) return this.#overloaded(asked);
    const id = requestIdOf(asked.request);
    this.#parts.log.error({ err: error, reqId: id }, 'a search failed');
    return this.#error(asked, 'failed', OUTCOMES.failed.message, blockOf(['X-Request-Id', id]));
  }

  #overloaded(asked: Asked): RouteResult {
    return this.#retryLater(asked, 'overloaded', OUTCOMES.overloaded.message, RETRY_AFTER);
  }

  /** @param seconds after which the client may try again */
  #retryLater(asked: Asked, outcome: Outcome, message: string, seconds: number): RouteResult {
    const retryAfter = blockOf(['Retry-After', String(seconds)]);
    const blocks = asked.caller.isGranted ? [RETRY_EXPOSED, retryAfter] : [retryAfter];
    return this.#error(asked, outcome, message, ...blocks);
  }

  #error(asked: Asked, outcome: Outcome, message: string, ...blocks: readonly HeaderBlock[]): RouteResult {
    const { status } = OUTCOMES[outcome];
    return { outcome, ...errorResult(status, message, this.#unsearched, ...asked.headers, ...blocks) };
  }
}
