/**
 * How a request to `/api/food` can end. The handler answers with the statuses and sentences of this table, the metrics count
 * by its names, and the OpenAPI document quotes it.
 */
import type { RateLimit } from '../settings/limits.ts';

export const FOOD_PATH = '/api/food';

export const PORTIONS_PATH = '/portions';

export const METHODS = 'GET, HEAD, OPTIONS';
export const PORTIONS_METHODS = 'GET, HEAD';

/** Characters of the longest request target that is searched: more than any description has, less than the header limit. */
export const MAX_TARGET_LENGTH = 16 * 1024;

/** Answers any request whose handling failed, on every path. */
export const FAILURE = 'The service failed to answer. Its log says why.';

export const OUTCOMES = {
  found: { status: 200 },
  nothing_found: { status: 200 },
  not_modified: { status: 304 },
  missing_text: { status: 200, message: 'Missing required parameter `q`' },
  bad_match: {
    status: 400,
    message: (match: string) =>
      `The parameter \`match\` is ${JSON.stringify(match)}. Leave it out to search for the text, or use match=words to search for its words.`,
  },
  // 200 and a length: some older browsers and television browsers fail on 204.
  preflight: { status: 200 },
  method_not_allowed: {
    status: 405,
    message: (method: string) => `Method ${method} is not allowed here. Use GET ${FOOD_PATH}?q=TEXT.`,
  },
  too_long: {
    status: 414,
    message: (length: number) =>
      `The address is too long: ${length} characters, at most ${MAX_TARGET_LENGTH} are read.`,
  },
  rate_limited: {
    status: 429,
    message: ({ requests, seconds }: RateLimit, retryAfter: number) =>
      `Too many searches: ${requests} in ${seconds} s are allowed. Try again in ${retryAfter} s.`,
  },
  overloaded: { status: 503, message: 'The service is overloaded. Try again in a moment.' },
  /** The catalog supplies the message. */
  unavailable: { status: 503 },
  failed: { status: 500, message: FAILURE },
} as const;

/** How a request for portions can end otherwise. */
export const PORTIONS_OUTCOMES = {
  missing_description: { status: 400, message: 'Missing required parameter `description`' },
  method_not_allowed: {
    status: 405,
    message: (method: string) =>
      `Method ${method} is not allowed here. Use GET ${PORTIONS_PATH}?description=TEXT.`,
  },
} as const;

export type Outcome = keyof typeof OUTCOMES;
