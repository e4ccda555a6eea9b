/**
 * The typed client of the search, for any web page. It needs nothing but `fetch`.
 */

/** One food. Figures are per 100 g; null: not known. */
export interface FoodEntry {
  readonly carbohydrate_g: number | null;
  readonly protein_g: number | null;
  /** g, with two digits after the point: the known fatty acids together. */
  readonly fat_g: string;
  readonly kcal: number | null;
  readonly description: string;
}

/** An answer has at most this many foods. If it has as many, there may be more. */
export const MAX_FOODS = 100;

export interface SearchOptions {
  /**
   * `'words'`: the foods that have all words of the text, in any order, begun or in the plural; and where no food has a word,
   * one of nearly the same spelling, or another name of the food, stands for it. By default descriptions contain the text.
   */
  readonly match?: 'words' | undefined;
  /** Aborts the search, which then fails with {@link SearchAborted}. */
  readonly signal?: AbortSignal | undefined;
  /** `no-cache`: the browser asks whether its own copy of an answer is current. */
  readonly cache?: 'default' | 'no-cache' | undefined;
}

/** What a search by words looked for in place of what was typed: words, with a blank between two. */
export interface MatchedWord {
  readonly typed: string;
  readonly searched: string;
}

/** The foods of an answer; of a search by words, also what was looked for. */
export interface FoundFoods extends Array<FoodEntry> {
  /** Absent where the text was looked for as typed. */
  readonly matchedWords?: readonly MatchedWord[];
  /** Of a search by words the `ETag`, which begins with the identity of the data set; null if this page may not read it. */
  readonly tag?: string | null;
}

/** The caller's signal aborted the search. Usually there is nothing to report to the user. */
export class SearchAborted extends Error {
  override readonly name = 'SearchAborted';
  readonly kind = 'aborted';
}

/**
 * There is no response that this page may read: the service is not running, the network is down, or the
 * browser blocks the response because the service does not allow the origin of this page. Browsers do not
 * reveal to a page which of these it is.
 */
export class BlockedOrUnreachable extends Error {
  override readonly name = 'BlockedOrUnreachable';
  readonly kind = 'blocked-or-unreachable';
}

/** The response contains no foods. The message is that of the service if it sent one. */
export class AnsweredWithError extends Error {
  override readonly name = 'AnsweredWithError';
  readonly kind = 'answered-with-error';
  /** The HTTP status; 200 if the text was empty, or if something other than the service answered. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Every error of {@link searchFoods}, distinguished by `kind`. */
export type SearchError = SearchAborted | BlockedOrUnreachable | AnsweredWithError;

export function isSearchError(error: unknown): error is SearchError {
  return (
    error instanceof SearchAborted ||
    error instanceof BlockedOrUnreachable ||
    error instanceof AnsweredWithError
  );
}

/**
 * The foods whose description contains the text, best first, at most {@link MAX_FOODS}.
 * @param baseUrl the address of the service, with or without a path and a trailing slash: `https://food.example`
 * @throws SearchError
 */
export async function searchFoods(
  baseUrl: string | URL,
  text: string,
  { match, ...options }: SearchOptions = {},
): Promise<FoundFoods> {
  const answer = await get(
    searchAddress(baseUrl, match === undefined ? { q: text } : { q: text, match }),
    options,
  );
  const foods = foodsIn(answer);
  if (match === undefined) return foods;
  const matchedWords = pairsIn(answer.headers.get('matched-words'));
  return Object.assign(foods, {
    tag: answer.headers.get('etag'),
    ...(matchedWords.length > 0 && { matchedWords }),
  });
}

function foodsIn({ ok, status, body }: Answer): FoodEntry[] {
  const answer = parsed(body);
  if (ok && Array.isArray(answer) && answer.every(isFoodEntry)) return answer;
  throw new AnsweredWithError(
    errorSentence(answer) ?? `The response (status ${status}) is not from a food search.`,
    status,
  );
}

/** Reads `brocoli=broccoli, tomatoe=tomato`, percent-encoded. */
function pairsIn(header: string | null): readonly MatchedWord[] {
  return (header ?? '').split(',').flatMap((pair) => {
    const [typed = '', searched = ''] = pair.split('=').map((word) => decoded(word.trim()));
    return typed === '' || searched === '' ? [] : [{ typed, searched }];
  });
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** URLSearchParams encodes a lone surrogate as U+FFFD, where encodeURIComponent throws. */
function searchAddress(baseUrl: string | URL, query: Readonly<Record<string, string>>): URL {
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const address = new URL('api/food', base);
  address.search = new URLSearchParams(query).toString();
  return address;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function get(address: URL, { signal, cache = 'default' }: SearchOptions): Promise<Answer> {
  try {
    // Spread, since Node.js has a `fetch` without a cache.
    const response = await fetch(address, { credentials: 'omit', signal: signal ?? null, ...{ cache } });
    const { ok, status, headers } = response;
    // The connection can break, or the caller abort the search, while the body arrives.
    return { ok, status, headers, body: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw new SearchAborted('The search was aborted.', { cause });
    throw new BlockedOrUnreachable(`There is no readable response from ${address.origin}.`, { cause });
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function errorSentence(answer: unknown): string | undefined {
  const { error } = (answer ?? {}) as { readonly error?: unknown };
  return typeof error === 'string' ? error : undefined;
}

const isFigure = (value: unknown): boolean => value === null || typeof value === 'number';

function isFoodEntry(value: unknown): value is FoodEntry {
  const entry = (value ?? {}) as Readonly<Record<keyof FoodEntry, unknown>>;
  return (
    typeof entry.description === 'string' &&
    typeof entry.fat_g === 'string' &&
    isFigure(entry.kcal) &&
    isFigure(entry.protein_g) &&
    isFigure(entry.carbohydrate_g)
  );
}
