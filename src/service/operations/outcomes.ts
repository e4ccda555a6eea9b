/**
 * The paths that answer from the catalog, and how a request to them can end: statuses, sentences, and the names by which the
 * metrics count. docs/openapi.json quotes the sentences.
 */
import type { FactName, FoodCatalog, FoundAnswer } from '#core';

/** The values of `match`, which only the search understands. */
const CHOSEN = ['words', 'barcode'] as const;
type Chosen = (typeof CHOSEN)[number];
export const isChosen = (match: string): match is Chosen => CHOSEN.some((each) => each === match);

/** What is looked up by the description of a food. */
const FACTS = ['portions', 'names', 'nutrients'] as const satisfies readonly FactName[];

/** How a text can be matched, and what else can be looked up: in tags, in metrics and in `CORS_ROUTES`. */
export const LOOKUP_KINDS = ['text', ...CHOSEN, ...FACTS, 'amounts'] as const;
export type LookupKind = (typeof LOOKUP_KINDS)[number];

export interface Endpoint {
  readonly path: string;
  readonly parameter: string;
  /** What the parameter is, unless the request says otherwise by `match`. */
  readonly match: Exclude<LookupKind, Chosen>;
  /** As in `Allow`. */
  readonly methods: string;
  /** The status of the answer if the text is missing; that of the search is part of its contract. */
  readonly missingStatus: number;
  /** Absent if its text is lines, each of which is a search: the parameter may be repeated. */
  readonly find?: (
    catalog: FoodCatalog,
    text: string,
    language: string | undefined,
  ) => Buffer | Promise<FoundAnswer>;
}

export const SEARCH: Endpoint = {
  path: '/api/food',
  parameter: 'q',
  match: 'text',
  methods: 'GET, HEAD, OPTIONS',
  missingStatus: 200,
  find: (catalog, text) => catalog.search(text),
};

const lookup = (match: FactName): Endpoint => ({
  path: `/${match}`,
  parameter: 'description',
  match,
  methods: 'GET, HEAD',
  missingStatus: 400,
  find: (catalog, description, language) => catalog.lookUp(match, description, language),
});

/** Beside the search. Pages on other origins may read them if `CORS_ROUTES` names them. */
export const LOOKUPS: readonly Endpoint[] = [
  ...FACTS.map(lookup),
  { path: '/amounts', parameter: 'q', match: 'amounts', methods: 'GET, HEAD', missingStatus: 400 },
];

/** Lines of a request for amounts, and the bytes of all. */
export const MAX_LINES = 50;
export const MAX_LINE_BYTES = 4096;

/** Characters of the longest request target that is searched: more than any description has, less than the header limit. */
export const MAX_TARGET_LENGTH = 16 * 1024;

export const FAILURE = 'The service failed to answer. Its log says why.';

export const OUTCOMES = {
  found: { status: 200 },
  nothing_found: { status: 200 },
  not_modified: { status: 304 },
  missing_text: {
    status: 200,
    message: ({ parameter }: Endpoint) => `Missing required parameter \`${parameter}\``,
  },
  bad_match: {
    status: 400,
    message: (match: string) =>
      `The parameter \`match\` is ${JSON.stringify(match)}. Leave it out to search for the text, use match=words to search for its words, or match=barcode for the code of a packet.`,
  },
  too_many_lines: {
    status: 400,
    message: `At most ${MAX_LINES} lines with ${MAX_LINE_BYTES} bytes together are read. Send the others in another request.`,
  },
  // 200 and a length: some older browsers and television browsers fail on 204.
  preflight: { status: 200 },
  method_not_allowed: {
    status: 405,
    message: (method: string, { path, parameter }: Endpoint) =>
      `Method ${method} is not allowed here. Use GET ${path}?${parameter}=TEXT.`,
  },
  too_long: {
    status: 414,
    message: (length: number) =>
      `The address is too long: ${length} characters, at most ${MAX_TARGET_LENGTH} are read.`,
  },
  rate_limited: {
    status: 429,
    message: ({ requests, seconds }: { requests: number; seconds: number }, retryAfter: number) =>
      `Too many searches: ${requests} in ${seconds} s are allowed. Try again in ${retryAfter} s.`,
  },
  overloaded: { status: 503, message: 'The service is overloaded. Try again in a moment.' },
  /** The catalog supplies the message. */
  unavailable: { status: 503 },
  failed: { status: 500, message: FAILURE },
} as const;

export type Outcome = keyof typeof OUTCOMES;
