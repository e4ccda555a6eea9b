/**
 * `GET /portions?description=TEXT`: the portions of a food, for the service's own pages, so without cross-origin headers. It has
 * the limits of the search, and each request counts as a search. It is a route of Fastify, because portions are not requested
 * at every key press.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FoodCatalog, NO_OTHER_NAMES } from '../catalog.ts';
import { Unavailable } from '../errors.ts';
import {
  MAX_TARGET_LENGTH,
  OUTCOMES,
  PORTIONS_METHODS,
  PORTIONS_OUTCOMES,
  PORTIONS_PATH,
} from '../operations/outcomes.ts';
import { type Answer, Answers, type Query } from './answers.ts';
import { addRoutes } from './api-document.ts';
import { sendError } from './errors.ts';
import { type Coding, codingFor, tagsIn, textOf } from './food-request.ts';
import type { RouteParts } from './food-route.ts';
import type { HeaderList } from './headers.ts';
import { RETRY_AFTER } from './overload-guard.ts';
import { PORTIONS_SCHEMAS } from './portions-schema.ts';

/** Bytes of cached answers, most of which have less than 200. */
const MAX_BYTES = 2 ** 20;

export function portionsRoute(app: FastifyInstance, catalog: FoodCatalog, parts: RouteParts): void {
  const route = new PortionsRoute(catalog, parts);
  addRoutes(app, PORTIONS_PATH, PORTIONS_SCHEMAS, {
    onRequest: (request, reply) => route.answer(request, reply),
  });
}

class PortionsRoute {
  readonly #catalog: FoodCatalog;
  readonly #parts: RouteParts;
  readonly #answers: Answers;

  constructor(catalog: FoodCatalog, parts: RouteParts) {
    this.#catalog = catalog;
    this.#parts = parts;
    this.#answers = new Answers(catalog, parts.metrics, {
      vary: undefined,
      rule: undefined,
      otherNames: NO_OTHER_NAMES,
      cacheSize: MAX_BYTES,
    });
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const refusal = this.#refuse(request, reply);
    if (refusal !== undefined) return refusal;
    const target = request.originalUrl;
    const text = textOf(target, 'description');
    if (text === '') {
      const { status, message } = PORTIONS_OUTCOMES.missing_description;
      return sendError(reply, status, message);
    }
    const query = { target, text, match: 'portions' } as const;
    const coding = codingFor(request.headers['accept-encoding']);
    const known = request.headers['if-none-match'];
    if (known !== undefined) {
      const etag = this.#answers.unchanged(query, tagsIn(known), coding);
      if (etag !== undefined)
        return this.#withHeaders(
          reply.code(OUTCOMES.not_modified.status),
          this.#answers.cacheHeaders(etag),
        ).send();
    }
    try {
      const answer = this.#answers.cached(target, coding) ?? (await this.#find(query, coding));
      this.#parts.metrics.matches.portions++;
      return this.#withHeaders(reply, this.#answers.headersOf(answer)).send(answer.body);
    } catch (error) {
      if (error instanceof Unavailable)
        return sendRetryLater(reply, OUTCOMES.unavailable.status, error.message, error.retryAfter);
      throw error;
    }
  }

  /** Refuses a request that exceeds a limit, or is not for portions; undefined if it should be answered. */
  #refuse(
    { raw, method, originalUrl: { length } }: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply | undefined {
    const { overload, connections, limiter } = this.#parts;
    const now = performance.now();
    if (overload.isTooMuch(now) || connections.isOverLimit(raw.socket)) {
      const { status, message } = OUTCOMES.overloaded;
      return sendRetryLater(reply, status, message, RETRY_AFTER);
    }
    if (method !== 'GET' && method !== 'HEAD') {
      const { status, message } = PORTIONS_OUTCOMES.method_not_allowed;
      return sendError(reply.header('allow', PORTIONS_METHODS), status, message(method));
    }
    if (length > MAX_TARGET_LENGTH)
      return sendError(reply, OUTCOMES.too_long.status, OUTCOMES.too_long.message(length));
    if (limiter === undefined) return undefined;
    const { retryAfter, headers } = limiter.take(raw, now);
    addHeaders(reply, headers);
    if (retryAfter === 0) return undefined;
    const { status, message } = OUTCOMES.rate_limited;
    return sendRetryLater(reply, status, message(limiter.limit, retryAfter), retryAfter);
  }

  /** Counts as waiting, like a search. */
  async #find(query: Query, coding: Coding | undefined): Promise<Answer> {
    const { levels } = this.#parts.metrics;
    levels.waiting++;
    try {
      return await this.#answers.searched(query, coding);
    } finally {
      levels.waiting--;
    }
  }

  /** With the age of the data set, if it may have been replaced unnoticed. */
  #withHeaders(reply: FastifyReply, headers: HeaderList): FastifyReply {
    const age = this.#catalog.age?.() ?? 0;
    if (age > 0) reply.header('age', age);
    return addHeaders(reply, headers);
  }
}

function addHeaders(reply: FastifyReply, headers: HeaderList): FastifyReply {
  for (let i = 0; i < headers.length; i += 2) reply.header(headers[i] ?? '', headers[i + 1]);
  return reply;
}

/** @param seconds after which the client may try again */
const sendRetryLater = (
  reply: FastifyReply,
  status: number,
  message: string,
  seconds: number,
): FastifyReply => sendError(reply.header('retry-after', seconds), status, message);
