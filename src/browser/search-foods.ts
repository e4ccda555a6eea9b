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

/** An answer holds no more foods than this; where it holds as many, there may be more. */
export const MAX_FOODS = 100;

export interface SearchOptions {
  /** Ends the search early: it then fails with {@link SearchAborted}. */
  readonly signal?: AbortSignal | undefined;
}

/** The caller's signal ended the search. Usually there is nothing to tell the user. */
export class SearchAborted extends Error {
  override readonly name = 'SearchAborted';
  readonly kind = 'aborted';
}

/**
 * There is no answer that this page may read: the service is not running, the network is down, or the
 * browser withholds the answer because the service does not allow this page's origin. A browser does not
 * tell a page which of these it is.
 */
export class BlockedOrUnreachable extends Error {
  override readonly name = 'BlockedOrUnreachable';
  readonly kind = 'blocked-or-unreachable';
}

/** Something answered, but not with foods. The message is the service's own sentence where it sent one. */
export class AnsweredWithError extends Error {
  override readonly name = 'AnsweredWithError';
  readonly kind = 'answered-with-error';
  /** The HTTP status. It is 200 where the text was empty, or where something else than the service answered. */
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** Everything that {@link searchFoods} fails with; `kind` tells them apart. */
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
 * @param baseUrl where the service is, with or without a path and a trailing slash: `https://food.example`
 * @throws SearchError
 */
export async function searchFoods(
  baseUrl: string | URL,
  text: string,
  { signal }: SearchOptions = {},
): Promise<FoodEntry[]> {
  const { ok, status, body } = await get(searchAddress(baseUrl, text), signal);
  const answer = parsed(body);
  if (ok && Array.isArray(answer) && answer.every(isFoodEntry)) return answer;
  throw new AnsweredWithError(
    errorSentence(answer) ?? `The answer (status ${status}) is not that of a food search.`,
    status,
  );
}

/** URLSearchParams encodes every character, and a lone surrogate as U+FFFD where encodeURIComponent would throw. */
function searchAddress(baseUrl: string | URL, text: string): URL {
  const base = new URL(baseUrl);
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const address = new URL('api/food', base);
  address.search = new URLSearchParams({ q: text }).toString();
  return address;
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly body: string;
}

async function get(address: URL, signal: AbortSignal | undefined): Promise<Answer> {
  try {
    const response = await fetch(address, { credentials: 'omit', signal: signal ?? null });
    // The connection can still break, or the caller still end the search, while the body arrives.
    return { ok: response.ok, status: response.status, body: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw new SearchAborted('The search was ended.', { cause });
    throw new BlockedOrUnreachable(`There is no readable answer from ${address.origin}.`, { cause });
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
