/**
 * What the schemas of the documented routes share: headers, and the shapes of answers and errors.
 */
import { MAX_TARGET_LENGTH, OUTCOMES } from '../operations/outcomes.ts';
import { NO_STORE } from './headers.ts';
import { LATER_VERSION } from './request-fault.ts';

export type Schema = Readonly<Record<string, unknown>>;

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export const CACHE_HEADERS: Schema = {
  ETag: {
    type: 'string',
    description: 'Tag of the answer; changes with the data set, the text and the rules.',
  },
  'Cache-Control': {
    type: 'string',
    description:
      'How long a cache may answer without revalidating; then the tag shows whether its copy is current. `no-store` with an error, and for a page that may not read the answer.',
  },
};

export const POLICY_HEADER: Schema = {
  'RateLimit-Policy': {
    type: 'string',
    description: 'Searches allowed for each client, and the window in seconds, if RATE_LIMIT is set.',
  },
};

/** Only with answers that no shared cache may store. */
const RATE_LIMIT_HEADERS: Schema = {
  ...POLICY_HEADER,
  RateLimit: { type: 'string', description: 'No searches are left; seconds until the window ends.' },
};

const NO_STORE_HEADER: Schema = {
  'Cache-Control': { type: 'string', enum: [NO_STORE[1]], description: 'Caches do not store errors.' },
};

/** With errors after which a client may retry. */
const RETRY_HEADER: Schema = {
  'Retry-After': {
    type: 'string',
    pattern: '^\\d+$',
    description: 'Seconds to wait before the next request.',
  },
};

export const response = (
  description: string,
  headers: Schema,
  schema: Schema,
  examples: Readonly<Record<string, Example>>,
) => ({ description, headers, content: { 'application/json': { schema, examples } } });

export const withoutBody = (description: string, headers: Schema) => ({ type: 'null', description, headers });

export function error(description: string, sentence: string, headers: Schema = {}) {
  const examples = { error: { summary: 'The answer', value: { error: sentence } } };
  return response(description, { ...headers, ...NO_STORE_HEADER }, { $ref: 'Error#' }, examples);
}

export const notModified = (headers: Schema) =>
  withoutBody('The answer that `If-None-Match` names is still current.', {
    ...headers,
    ...CACHE_HEADERS,
    ...POLICY_HEADER,
  });

/**
 * The errors of all routes with the limits of the search, and of every route.
 * @param basic headers of all errors
 * @param retry headers of those after which a client may retry
 */
export const errorsOfLimits = (basic: Schema, retry: Schema = {}): Readonly<Record<string, Schema>> => ({
  [OUTCOMES.too_long.status]: error(
    `The request target is longer than ${MAX_TARGET_LENGTH} characters.`,
    OUTCOMES.too_long.message(17_012),
    basic,
  ),
  [OUTCOMES.rate_limited.status]: error(
    'This client has exceeded RATE_LIMIT.',
    OUTCOMES.rate_limited.message({ requests: 1, seconds: 60 }, 60),
    { ...basic, ...RATE_LIMIT_HEADERS, ...RETRY_HEADER, ...retry },
  ),
  [OUTCOMES.failed.status]: error('The service failed; its log says why.', OUTCOMES.failed.message, basic),
  [OUTCOMES.overloaded.status]: error(
    'The service is overloaded, or its data is temporarily unavailable.',
    OUTCOMES.overloaded.message,
    { ...basic, ...RETRY_HEADER, ...retry },
  ),
  [LATER_VERSION.status]: error('The request line names HTTP/2.0.', LATER_VERSION.message),
});
