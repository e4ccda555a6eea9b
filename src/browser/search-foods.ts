/**
 * The typed client of the service: the search for any web page, and portions for pages of the service itself. It needs nothing but `fetch`.
 */

/** One food. Figures are per 100 g; null if unknown. */
export interface FoodEntry {
  readonly carbohydrate_g: number | null;
  readonly protein_g: number | null;
  /** g, with two digits after the point: total fat, or the known fatty acids together. */
  readonly fat_g: string;
  readonly kcal: number | null;
  readonly description: string;
}

/** What people measure a food by: a piece, a cup, a slice. */
export interface Portion {
  /** As people say it: "1 large", "1 cup, diced". */
  readonly portion: string;
  /** Above 0. */
  readonly grams: number;
}

/** An answer has at most this many foods. If it has as many, there may be more. */
export const MAX_FOODS = 100;

export interface RequestOptions {
  /** Aborts the request, which then fails with {@link SearchAborted}. */
  readonly signal?: AbortSignal | undefined;
  /** `no-cache`: the browser revalidates its own copy of an answer before using it. */
  readonly cache?: 'default' | 'no-cache' | undefined;
}

export interface SearchOptions extends RequestOptions {
  /**
   * `'words'`: the foods that have all words of the text, in any order, unfinished or in the plural. A word that no food has is
   * replaced by one of nearly the same spelling, or by another name of the food. By default descriptions contain the text.
   */
  readonly match?: 'words' | undefined;
}

/** Words that a search by words replaced, and the words that it searched for instead, separated by spaces. */
export interface MatchedWord {
  readonly typed: string;
  readonly searched: string;
}

/** The foods of an answer; after a search by words, also the words that were replaced. */
export interface FoundFoods extends Array<FoodEntry> {
  /** Absent if the text was searched for as typed. */
  readonly matchedWords?: readonly MatchedWord[];
  /** Words of a search by words that the best food lacks. Absent if some food has all words. */
  readonly missingWords?: readonly string[];
  /** After a search by words the `ETag`, which begins with the identity of the data set; null if this page may not read it. */
  readonly tag?: string | null;
}

/** The caller's signal aborted the request. Usually there is nothing to report to the user. */
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

/** The response contains no foods, or no portions. The message is that of the service if it sent one. */
export class AnsweredWithError extends Error {
  override readonly name = 'AnsweredWithError';
  readonly kind = 'answered-with-error';
  /** The HTTP status; 200 if the text to search for was empty, or if something other than the service answered. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Every error of {@link searchFoods} and {@link portions}, distinguished by `kind`. */
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
  const query = match === undefined ? { q: text } : { q: text, match };
  const answer = await get(addressOf(baseUrl, 'api/food', query), options);
  const foods = listIn(answer, isFoodEntry, 'a food search');
  if (match === undefined) return foods;
  const matchedWords = pairsIn(answer.headers.get('matched-words'));
  const missingWords = (answer.headers.get('missing-words') ?? '')
    .split(',')
    .map((word) => decoded(word.trim()))
    .filter((word) => word !== '');
  return Object.assign(foods, {
    tag: answer.headers.get('etag'),
    ...(matchedWords.length > 0 && { matchedWords }),
    ...(missingWords.length > 0 && { missingWords }),
  });
}

/**
 * The portions of the food with exactly this description, as an entry has it, in the order of the data set; none if the data
 * set has none.
 *
 * Only pages on the service's own origin can read them, and programs other than browsers: unlike a search, this never answers
 * with cross-origin headers, so on other pages it fails with {@link BlockedOrUnreachable}, whatever ALLOWED_ORIGIN is.
 * @param baseUrl the address of the service, as for {@link searchFoods}
 * @throws SearchError
 */
export async function portions(
  baseUrl: string | URL,
  description: string,
  options: RequestOptions = {},
): Promise<Portion[]> {
  const answer = await get(addressOf(baseUrl, 'portions', { description }), options);
  return listIn(answer, isPortion, 'a service with portions');
}

function listIn<Item>(
  { ok, status, body }: Answer,
  isItem: (value: unknown) => value is Item,
  origin: string,
): Item[] {
  const answer = parsed(body);
  if (ok && Array.isArray(answer) && answer.every(isItem)) return answer;
  const message = errorSentence(answer) ?? `The response (status ${status}) is not from ${origin}.`;
  throw new AnsweredWithError(message, status);
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
function addressOf(baseUrl: string | URL, path: string, query: Readonly<Record<string, string>>): URL {
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const address = new URL(path, base);
  address.search = new URLSearchParams(query).toString();
  return address;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

async function get(address: URL, { signal, cache = 'default' }: RequestOptions): Promise<Answer> {
  try {
    // Spread, because the `fetch` of Node.js has no `cache`.
    const response = await fetch(address, { credentials: 'omit', signal: signal ?? null, ...{ cache } });
    const { ok, status, headers } = response;
    // The connection can break, or the caller abort the request, while the body arrives.
    return { ok, status, headers, body: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw new SearchAborted('The request was aborted.', { cause });
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

function isPortion(value: unknown): value is Portion {
  const { portion, grams } = (value ?? {}) as Readonly<Record<keyof Portion, unknown>>;
  return typeof portion === 'string' && typeof grams === 'number';
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
