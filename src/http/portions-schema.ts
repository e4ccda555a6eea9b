/**
 * The documentation of `GET /portions`, like that of the search in `food-schema.ts`.
 */
import { PORTIONS_METHODS, PORTIONS_OUTCOMES } from '../operations/outcomes.ts';
import { HEADERS_TOO_LONG } from './malformed.ts';
import {
  CACHE_HEADERS,
  type Example,
  error,
  errorsOfLimits,
  notModified,
  POLICY_HEADER,
  response,
  type Schema,
  withoutBody,
} from './schema-parts.ts';

/** A shared schema, by its name in the document. */
export const PORTION: Schema = {
  $id: 'Portion',
  type: 'object',
  description: 'What people measure a food by. It has these fields in this order, and no others.',
  additionalProperties: false,
  required: ['portion', 'grams'],
  properties: {
    portion: { type: 'string', minLength: 1, description: 'as people say it: a piece, a cup, a slice' },
    grams: { type: 'number', exclusiveMinimum: 0, description: 'its weight in g, to the milligram' },
  },
};

/** Descriptions, by the names of the examples that answer them. */
const DESCRIPTIONS: Readonly<Record<string, Example>> = {
  portions: { summary: 'The portions of a food', value: 'Egg, whole, raw' },
  none: { summary: 'No food has this description', value: 'egg, whole, raw' },
};

const QUERY: Schema = {
  type: 'object',
  required: ['description'],
  properties: {
    description: {
      type: 'string',
      minLength: 1,
      description:
        'The exact description, as an entry has it: case and white space matter. The first `description` is used; other parameters are ignored.',
      'x-examples': DESCRIPTIONS,
    },
  },
};

const VARY: Schema = {
  Vary: { type: 'string', description: 'The request header that the answer depends on: `Accept-Encoding`.' },
};

const ANSWERED = { ...VARY, ...CACHE_HEADERS, ...POLICY_HEADER };

const FOUND = response(
  'The portions in the order of the data set; `[]` if it has none. If several foods have the description, those of the best one that has portions.',
  ANSWERED,
  { type: 'array', items: { $ref: 'Portion#' } },
  {
    portions: {
      summary: 'The portions of a food',
      value: [
        { portion: '1 large', grams: 50 },
        { portion: '1 extra large', grams: 56 },
      ],
    },
    none: { summary: 'No food has this description', value: [] },
  },
);

const ERRORS: Readonly<Record<string, Schema>> = {
  [PORTIONS_OUTCOMES.missing_description.status]: error(
    '`description` is missing or empty; or an invalid request, such as one with an invalid `Host` or a `#` in its address.',
    PORTIONS_OUTCOMES.missing_description.message,
  ),
  [PORTIONS_OUTCOMES.method_not_allowed.status]: error(
    `A method other than ${PORTIONS_METHODS}.`,
    PORTIONS_OUTCOMES.method_not_allowed.message('DELETE'),
    { Allow: { type: 'string', enum: [PORTIONS_METHODS], description: 'The methods of this path.' } },
  ),
  ...errorsOfLimits({}),
  431: error('Request line and headers are too long.', HEADERS_TOO_LONG.message),
};

const TAGS = ['portions'];

/** Schemas of the route, by method. */
export const PORTIONS_SCHEMAS: Readonly<Record<string, Schema>> = {
  GET: {
    tags: TAGS,
    operationId: 'portions',
    summary: 'Household portions of a food',
    querystring: QUERY,
    response: { 200: FOUND, 304: notModified(VARY), ...ERRORS },
  },
  HEAD: {
    tags: TAGS,
    operationId: 'portionsHead',
    summary: 'As GET, without the body',
    querystring: QUERY,
    response: { 200: withoutBody('The headers of the answer.', ANSWERED), 304: notModified(VARY) },
  },
};
