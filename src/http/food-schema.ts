/**
 * The documentation of the search: its parameters, answers and headers. The OpenAPI document is generated from these schemas,
 * which the route carries; they do not validate requests, since every text is a valid search. Each example holds for the
 * starter foods; the tests request them all.
 */
import { MAX_ENTRIES } from '../food.ts';
import { METHODS, OUTCOMES } from '../operations/outcomes.ts';
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

const PER_100_G = 'per 100 g of the food; null: not known';

/** Shared schemas, by their names in the document. */
export const COMPONENTS: readonly Schema[] = [
  {
    $id: 'FoodEntry',
    type: 'object',
    description: 'A food, with its figures per 100 g. It has these fields in this order, and no others.',
    additionalProperties: false,
    required: ['carbohydrate_g', 'protein_g', 'fat_g', 'kcal', 'description'],
    properties: {
      carbohydrate_g: { type: ['number', 'null'], description: `g of carbohydrate ${PER_100_G}` },
      protein_g: { type: ['number', 'null'], description: `g of protein ${PER_100_G}` },
      fat_g: {
        type: 'string',
        pattern: '^-?\\d+\\.\\d{2}$',
        description:
          'g of fat per 100 g of the food, two digits after the point: the exact sum of saturated, monounsaturated and polyunsaturated fatty acids, or total fat where the data set has that instead, rounded half up; an unknown value counts as 0',
      },
      kcal: { type: ['number', 'null'], description: `energy in kilocalories ${PER_100_G}` },
      description: { type: 'string', minLength: 1, description: 'name of the food' },
    },
  },
  {
    $id: 'Error',
    type: 'object',
    description: 'What went wrong, in one sentence.',
    additionalProperties: false,
    required: ['error'],
    properties: { error: { type: 'string', minLength: 1 } },
  },
];

const CROSS_ORIGIN_HEADERS: Schema = {
  'Access-Control-Allow-Origin': {
    type: 'string',
    description: 'The allowed origin, for a page on that origin; `*` if every origin is allowed.',
  },
  Vary: {
    type: 'string',
    description:
      'Request headers that the answer depends on: `Origin` unless every origin is allowed, and `Accept-Encoding`.',
  },
};

const MATCHED_WORDS_HEADER: Schema = {
  'Matched-Words': {
    type: 'string',
    description:
      'The words that a search by words replaced: `typed=searched`, percent-encoded, separated by a comma and a space, the first ones up to 2,048 bytes. Pages on the allowed origin may read it.',
  },
};

const ALLOW: Schema = {
  Allow: { type: 'string', enum: [METHODS], description: 'The methods of this path.' },
};

/** Texts, by the names of the examples that answer them. */
const TEXTS: Readonly<Record<string, Example>> = {
  found: { summary: 'Foods that contain the text', value: 'rice, white, long-grain' },
  'fat not known': { summary: 'A food whose fatty acids are not known', value: 'clementine, raw' },
  nothing: { summary: 'No food contains it', value: 'zzz' },
  missing: { summary: 'No text at all', value: '' },
};

const QUERY: Schema = {
  type: 'object',
  required: ['q'],
  properties: {
    q: {
      type: 'string',
      description:
        'The text that descriptions contain. Case is ignored by the rules of Unicode, accents and white space matter, and no character is special. The first `q` is used; parameters other than `match` are ignored.',
      'x-examples': TEXTS,
    },
    match: {
      type: 'string',
      pattern: '^words$',
      description:
        '`words`: finds foods whose description has all words of the text, in any order, unfinished, in the singular or plural. Case, spaces and punctuation do not matter. A word that no food has is replaced by one of nearly the same spelling (one edit from 4 letters on, two from 8), or by another name of the same food. If no food has all words, the answer has the foods with most of them. Without `match`, descriptions contain the text as it is.',
    },
  },
};

const ANSWERED = { ...CROSS_ORIGIN_HEADERS, ...MATCHED_WORDS_HEADER, ...CACHE_HEADERS, ...POLICY_HEADER };

const FOUND = response(
  `At most ${MAX_ENTRIES} entries, best first; \`[]\` if nothing matches; an error if \`q\` is missing or empty.`,
  ANSWERED,
  { oneOf: [{ type: 'array', maxItems: MAX_ENTRIES, items: { $ref: 'FoodEntry#' } }, { $ref: 'Error#' }] },
  {
    found: {
      summary: 'Foods that contain the text',
      value: [
        {
          carbohydrate_g: 28.17,
          protein_g: 2.69,
          fat_g: '0.24',
          kcal: 130,
          description: 'Rice, white, long-grain, cooked',
        },
        {
          carbohydrate_g: 79.95,
          protein_g: 7.13,
          fat_g: '0.56',
          kcal: 365,
          description: 'Rice, white, long-grain, dry',
        },
      ],
    },
    'fat not known': {
      summary: 'A food whose fatty acids are not known',
      value: [
        {
          carbohydrate_g: 12.02,
          protein_g: 0.85,
          fat_g: '0.00',
          kcal: 47,
          description: 'Clementine, raw',
        },
      ],
    },
    nothing: { summary: 'No food contains it', value: [] },
    missing: { summary: 'No text at all', value: { error: OUTCOMES.missing_text.message } },
  },
);

const NOT_MODIFIED = notModified(CROSS_ORIGIN_HEADERS);

const ERRORS: Readonly<Record<string, Schema>> = {
  [OUTCOMES.bad_match.status]: error(
    'A `match` other than `words`; or an invalid request, such as one with an invalid `Host` or a `#` in its address. That answer has no cross-origin headers.',
    OUTCOMES.bad_match.message('exact'),
    CROSS_ORIGIN_HEADERS,
  ),
  [OUTCOMES.method_not_allowed.status]: error(
    `A method other than ${METHODS}.`,
    OUTCOMES.method_not_allowed.message('DELETE'),
    { ...CROSS_ORIGIN_HEADERS, ...ALLOW },
  ),
  ...errorsOfLimits(CROSS_ORIGIN_HEADERS, {
    'Access-Control-Expose-Headers': {
      type: 'string',
      description: 'Which of these headers a page may read.',
    },
  }),
  431: error(
    'Request line and headers are too long. Without cross-origin headers: the origin is not known yet.',
    HEADERS_TOO_LONG.message,
  ),
};

const TAGS = ['search'];

/** Schemas of the route, by method. */
export const FOOD_SCHEMAS: Readonly<Record<string, Schema>> = {
  GET: {
    tags: TAGS,
    operationId: 'searchFoods',
    summary: 'Find foods whose description contains a text',
    querystring: QUERY,
    response: { 200: FOUND, 304: NOT_MODIFIED, ...ERRORS },
  },
  HEAD: {
    tags: TAGS,
    operationId: 'searchFoodsHead',
    summary: 'As GET, without the body',
    querystring: QUERY,
    response: { 200: withoutBody('The headers of the answer.', ANSWERED), 304: NOT_MODIFIED },
  },
  OPTIONS: {
    tags: TAGS,
    operationId: 'preflight',
    summary: 'What a browser asks before a request with custom headers (preflight)',
    response: {
      200: withoutBody('Granted where `Access-Control-Allow-Origin` is there.', {
        ...CROSS_ORIGIN_HEADERS,
        ...ALLOW,
        'Access-Control-Allow-Methods': { type: 'string', description: 'The methods that a page may use.' },
        'Access-Control-Allow-Headers': {
          type: 'string',
          description: 'The requested headers, up to 2,048 bytes.',
        },
        'Access-Control-Max-Age': {
          type: 'string',
          pattern: '^\\d+$',
          description: 'Seconds for which a browser may cache this.',
        },
      }),
    },
  },
};
