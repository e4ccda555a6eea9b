/**
 * The one operation of the service: `GET /api/food?q=TEXT`. It adds nothing but headers to the catalog's answers.
 *
 * It is written for Node.js itself: a framework's request and reply objects would take longer than the search.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { release } from '../answer-memory.ts';
import type { FoodCatalog, OtherNames } from '../catalog.ts';
import { Unavailable } from '../errors.ts';
import { requestIdOf } from '../operations/log.ts';
import type { Metrics } from '../operations/metrics.ts';
import { FOOD_PATH, MAX_TARGET_LENGTH, METHODS, OUTCOMES, type Outcome } from '../operations/outcomes.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answer, Answers, CACHE_CONTROL, MATCHED_WORDS } from './answers.ts';
import type { Connections } from './connections.ts';
import { type CrossOrigin, createCrossOrigin } from './cross-origin.ts';
import { errorBody, sendJson } from './errors.ts';
import { codingFor, matchOf, tagsIn, textOf } from './food-request.ts';
import { type HeaderList, linesOf, NO_SNIFFING, NO_STORE } from './headers.ts';
import { send } from './node-http.ts';
import { type OverloadGuard, RETRY_AFTER } from './overload-guard.ts';
import type { RateLimiter } from './rate-limit.ts';
import { Overloaded, type SearchTurns } from './search-turns.ts';

const EMPTY_ARRAY_LENGTH = 2;

const ALLOW = ['Allow', METHODS] as const;

/** Lets scripts that may read an answer also read these headers of it. */
const EXPOSED = ['Access-Control-Expose-Headers', 'Retry-After, RateLimit, RateLimit-Policy'] as const;

/** The same if words were replaced. */
const MATCHED_WORDS_EXPOSED = ['Access-Control-Expose-Headers', MATCHED_WORDS] as const;

/** An answer that its page may not read is not cached: Firefox would still block it after the page is allowed. */
const [, NOT_KEPT] = NO_STORE;

/** What both searches and lookups of portions need. */
export interface RouteParts {
  readonly metrics: Metrics;
  readonly connections: Connections;
  readonly overload: OverloadGuard;
  /** Absent if no limit is set. */
  readonly limiter: RateLimiter | undefined;
}

interface FoodRouteParts extends RouteParts {
  readonly turns: SearchTurns;
  readonly log: FastifyBaseLogger;
  readonly otherNames: OtherNames;
}

/** Answers every request to the path of the search, whatever its method. */
export class FoodRoute {
  readonly #catalog: FoodCatalog;
  readonly #parts: FoodRouteParts;
  readonly #logRequests: Settings['logRequests'];
  readonly #crossOrigin: CrossOrigin;
  readonly #answers: Answers;
  /** Headers of errors and preflights that describe their content. */
  readonly #unsearchedHeaders: HeaderList;

  constructor(
    catalog: FoodCatalog,
    settings: Pick<Settings, 'allowedOrigin' | 'logRequests' | 'answerCache'>,
    parts: FoodRouteParts,
  ) {
    const { allowedOrigin, logRequests, answerCache } = settings;
    const { metrics, log, otherNames } = parts;
    this.#catalog = catalog;
    this.#parts = parts;
    this.#logRequests = logRequests;
    this.#crossOrigin = createCrossOrigin(allowedOrigin, log);
    const { vary, rule } = this.#crossOrigin;
    this.#answers = new Answers(catalog, metrics, { vary, rule, otherNames, cacheSize: answerCache });
    this.#unsearchedHeaders = [...(vary === undefined ? [] : ['Vary', vary]), ...NO_SNIFFING];
  }

  handle(response: ServerResponse): void {
    const started = performance.now();
    try {
      const outcome = this.#answer(response, started);
      if (outcome !== undefined) this.#count(response, outcome, started);
    } catch (error) {
      const corsHeaders = this.#crossOrigin.headersFor(response.req);
      this.#count(response, this.#fail(response, corsHeaders, error), started);
    }
  }

  /** @returns undefined while the answer is awaited */
  #answer(response: ServerResponse, started: number): Outcome | undefined {
    const request = response.req;
    const corsHeaders = this.#crossOrigin.headersFor(request);
    // First, because a page can read other answers only after its preflight succeeded.
    if (request.method === 'OPTIONS') return this.#answerPreflight(response, corsHeaders);
    const refused = this.#refuse(response, corsHeaders, started);
    if (refused !== undefined) return refused;
    if (this.#parts.limiter === undefined) return this.#search(response, corsHeaders, started);
    const { retryAfter, headers } = this.#parts.limiter.take(request, started);
    const clientHeaders = [...corsHeaders, ...headers];
    if (retryAfter === 0) return this.#search(response, clientHeaders, started);
    const message = OUTCOMES.rate_limited.message(this.#parts.limiter.limit, retryAfter);
    return this.#sendRetryLater(response, 'rate_limited', message, clientHeaders, retryAfter);
  }

  #answerPreflight(response: ServerResponse, corsHeaders: HeaderList): Outcome {
    const preflightHeaders = this.#crossOrigin.preflightHeadersFor(response.req);
    const headers = [...this.#unsearchedHeaders, ...corsHeaders, ...preflightHeaders, ...ALLOW];
    response.writeHead(OUTCOMES.preflight.status, [...headers, 'Content-Length', '0']).end();
    return 'preflight';
  }

  /** Refuses a request that is not a search, or exceeds a limit; undefined if it should be searched. */
  #refuse(response: ServerResponse, corsHeaders: HeaderList, now: number): Outcome | undefined {
    const { socket, method = '', url: target = '' } = response.req;
    if (this.#parts.overload.isTooMuch(now) || this.#parts.connections.isOverLimit(socket))
      return this.#sendOverloaded(response, corsHeaders);
    if (method !== 'GET' && method !== 'HEAD') {
      const message = OUTCOMES.method_not_allowed.message(method);
      return this.#sendError(response, 'method_not_allowed', message, corsHeaders, ALLOW);
    }
    if (target.length > MAX_TARGET_LENGTH)
      return this.#sendError(response, 'too_long', OUTCOMES.too_long.message(target.length), corsHeaders);
    return undefined;
  }

  #search(response: ServerResponse, clientHeaders: HeaderList, started: number): Outcome | undefined {
    const { url: target = '', headers } = response.req;
    const coding = codingFor(headers['accept-encoding']);
    const known = headers['if-none-match'];
    if (known === undefined) {
      const cached = this.#answers.cached(target, coding);
      if (cached !== undefined) return this.#send(response, clientHeaders, cached);
    }
    const text = textOf(target);
    if (text === '')
      return this.#sendError(response, 'missing_text', OUTCOMES.missing_text.message, clientHeaders);
    const match = matchOf(target);
    if (typeof match === 'object')
      return this.#sendError(response, 'bad_match', OUTCOMES.bad_match.message(match.unknown), clientHeaders);
    const query = { target, text, match };
    if (known !== undefined) {
      const etag = this.#answers.unchanged(query, tagsIn(known), coding);
      if (etag !== undefined) return this.#sendNotModified(response, clientHeaders, etag);
    }
    const { turns } = this.#parts;
    const searched =
      match === 'words'
        ? this.#answers.searched(query, coding, (search) => turns.take(response.req, search))
        : this.#answers.searched(query, coding);
    if (!(searched instanceof Promise)) return this.#send(response, clientHeaders, searched);
    void this.#sendLater(response, clientHeaders, searched, started);
    return undefined;
  }

  async #sendLater(
    response: ServerResponse,
    clientHeaders: HeaderList,
    answer: Promise<Answer>,
    started: number,
  ): Promise<void> {
    this.#parts.metrics.levels.waiting++;
    const outcome = await answer.then(
      (found) => this.#send(response, clientHeaders, found),
      (error) => this.#fail(response, clientHeaders, error),
    );
    this.#parts.metrics.levels.waiting--;
    this.#count(response, outcome, started);
  }

  #send(response: ServerResponse, clientHeaders: HeaderList, answer: Answer): Outcome {
    const { body, lines, length, match, matchedWords } = answer;
    this.#parts.metrics.matches[match]++;
    const aged = this.#aged(clientHeaders);
    const isExposed = matchedWords.length > 0 && clientHeaders.includes('Access-Control-Allow-Origin');
    const forClient = isExposed ? [...aged, ...MATCHED_WORDS_EXPOSED] : aged;
    const kept = this.#crossOrigin.refuses(response.req) ? lines.replace(CACHE_CONTROL, NOT_KEPT) : lines;
    if (send(response, kept + linesOf(forClient), length, body)) release(body);
    return body.length > EMPTY_ARRAY_LENGTH ? 'found' : 'nothing_found';
  }

  #sendNotModified(response: ServerResponse, clientHeaders: HeaderList, etag: string): Outcome {
    const cacheControl = this.#crossOrigin.refuses(response.req) ? NOT_KEPT : CACHE_CONTROL;
    const headers = [...this.#answers.cacheHeaders(etag, cacheControl), ...this.#aged(clientHeaders)];
    response.writeHead(OUTCOMES.not_modified.status, headers).end();
    return 'not_modified';
  }

  /** Adds the age of an answer if the data set may have been replaced unnoticed. */
  #aged(clientHeaders: HeaderList): HeaderList {
    const age = this.#catalog.age?.() ?? 0;
    return age === 0 ? clientHeaders : [...clientHeaders, 'Age', String(age)];
  }

  #fail(response: ServerResponse, clientHeaders: HeaderList, error: unknown): Outcome {
    if (error instanceof Unavailable)
      return this.#sendRetryLater(response, 'unavailable', error.message, clientHeaders, error.retryAfter);
    if (error instanceof Overloaded) return this.#sendOverloaded(response, clientHeaders);
    const id = requestIdOf(response.req);
    this.#parts.log.error({ err: error, reqId: id }, 'a search failed');
    return this.#sendError(response, 'failed', OUTCOMES.failed.message, clientHeaders, ['X-Request-Id', id]);
  }

  #sendOverloaded(response: ServerResponse, clientHeaders: HeaderList): Outcome {
    const { message } = OUTCOMES.overloaded;
    return this.#sendRetryLater(response, 'overloaded', message, clientHeaders, RETRY_AFTER);
  }

  /** @param retryAfter s */
  #sendRetryLater(
    response: ServerResponse,
    outcome: Outcome,
    message: string,
    clientHeaders: HeaderList,
    retryAfter: number,
  ): Outcome {
    const exposed = clientHeaders.includes('Access-Control-Allow-Origin') ? EXPOSED : [];
    const headers = [...exposed, 'Retry-After', String(retryAfter)];
    return this.#sendError(response, outcome, message, clientHeaders, headers);
  }

  #sendError(
    response: ServerResponse,
    outcome: Outcome,
    message: string,
    clientHeaders: HeaderList,
    outcomeHeaders: HeaderList = [],
  ): Outcome {
    const headers = [...this.#unsearchedHeaders, ...clientHeaders, ...outcomeHeaders];
    sendJson(response, OUTCOMES[outcome].status, errorBody(message), headers);
    return outcome;
  }

  #count({ req }: ServerResponse, outcome: Outcome, started: number): void {
    const ms = performance.now() - started;
    this.#parts.metrics.answered(outcome, ms);
    if (this.#logRequests === 'none') return;
    const path = this.#logRequests === 'searches' ? req.url : FOOD_PATH;
    this.#parts.log.info({ reqId: requestIdOf(req), method: req.method, path, outcome, ms }, 'answered');
  }
}
