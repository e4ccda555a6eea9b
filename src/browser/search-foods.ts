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
  { signal, match }: SearchOptions = {},
): Promise<FoundFoods> {
  const { ok, status, body, matchedWords } = await get(searchAddress(baseUrl, text, match), signal);
  const answer = parsed(body);
  if (ok && Array.isArray(answer) && answer.every(isFoodEntry))
    return matchedWords === null ? answer : Object.assign(answer, { matchedWords: pairsOf(matchedWords) });
  throw new AnsweredWithError(
    errorSentence(answer) ?? `The response (status ${status}) is not from a food search.`,
    status,
  );
}

/** URLSearchParams encodes a lone surrogate as U+FFFD, where encodeURIComponent throws. */
function searchAddress(baseUrl: string | URL, text: string, match: SearchOptions['match']): URL {
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const address = new URL('api/food', base);
  address.search = new URLSearchParams(match === undefined ? { q: text } : { q: text, match }).toString();
  return address;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: string;
  /** The header, which a page on another origin may read where there is one. */
  readonly matchedWords: string | null;
}

/** `typed=searched`, percent-encoded, with a comma between two. */
const pairsOf = (matchedWords: string): MatchedWord[] =>
  matchedWords.split(', ').map((pair) => {
    const [typed = '', searched = ''] = pair.split('=').map(decodeURIComponent);
    return { typed, searched };
  });

async function get(address: URL, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    const response = await fetch(address, { credentials: 'omit', signal: signal ?? null });
    // The connection can break, or the caller abort the search, while the body arrives.
    const { ok, status, headers } = response;
    return { ok, status, body: await response.text(), matchedWords: headers.get('matched-words') };
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
