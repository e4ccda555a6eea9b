/** The typed client of the service: the search, the portions, other names and nutrients of a food, and the foods of a text. It needs nothing but `fetch`. */
import { AnsweredWithError, BlockedOrUnreachable, SearchAborted, UnusableAddress } from './errors.ts';

export * from './errors.ts';

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

/** What a label says beside the four figures, per 100 g. */
export interface Nutrient {
  /** In every source the same for what labels have: "Fibre", "Sugars", "Salt"; otherwise as the source calls it. */
  readonly nutrient: string;
  /** A decimal, digit for digit as the source has it. */
  readonly amount: string;
  /** As the source states it: "g", "mg", "µg", "IU", "kJ". */
  readonly unit: string;
}

/** For an amount: g, and kcal, with two digits after the point; null if unknown. */
type WeighedFigures = { readonly grams: number | null } & {
  readonly [figure in 'carbohydrate_g' | 'protein_g' | 'fat_g' | 'kcal']: string | null;
};

/** One food of a text, with the figures for its amount. */
export type WeighedFood = WeighedFigures & {
  /** Its part of the text. */
  readonly text: string;
  /** As it was read: "2 × 400 g"; null if there is none. */
  readonly amount: string | null;
  /** Null if no food was found. */
  readonly description: string | null;
  /** Why weight or food are unknown. */
  readonly note?: string;
};

export interface WeighedFoods {
  /** In the order of the text. */
  readonly foods: readonly WeighedFood[];
  /** Of what is known, and the number of foods that it leaves out. */
  readonly total: WeighedFigures & { readonly unknown: number };
}

/** An answer has at most this many foods. If it has as many, there may be more. */
export const MAX_FOODS = 100;

export interface RequestOptions {
  /** Aborts the request, which then fails with {@link SearchAborted}. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The language in which the foods are named, as a BCP 47 tag such as `de`; by default, and where the data set does not have it, the data
   * set's own. It counts for all but searches for a text as it is, and for codes.
   */
  readonly language?: string | undefined;
  /** `no-cache`: the browser revalidates its own copy of an answer before using it. */
  readonly cache?: 'default' | 'no-cache' | undefined;
  /** What answers instead of the network. */
  readonly fetch?: (address: URL, options: RequestInit) => Promise<Response>;
}

export interface SearchOptions extends RequestOptions {
  /**
   * `'words'`: the foods that have all words of the text, or some of them, in any order, unfinished or in the plural. A word may
   * be replaced by one of nearly the same spelling, or by another name of the food. By default descriptions contain the text.
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
  /** Absent if the best food was found by the text as typed. */
  readonly matchedWords?: readonly MatchedWord[];
  /** Words, after replacements, that the best food lacks. Absent if some food has all words. */
  readonly missingWords?: readonly string[];
  /** Of the descriptions of a search by words that named a language; absent if it is not known. */
  readonly language?: string;
  /** After a search by words the `ETag`, which begins with the identity of the data set; null if this page may not read it. */
  readonly tag?: string | null;
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
  const query = match === undefined ? { q: text } : { q: text, match, ...inLanguage(options) };
  const address = addressOf(baseUrl, 'api/food', query);
  const { value: foods, headers } = await get(address, options, listOf(isFoodEntry), FOOD_SEARCH);
  if (match === undefined) return foods;
  const matchedWords = elementsOf(headers.get('matched-words')).map((pair) => {
    const [typed = '', searched = ''] = pair.split('=').map(decoded);
    return { typed, searched };
  });
  const missingWords = elementsOf(headers.get('missing-words')).map(decoded);
  return Object.assign(foods, {
    tag: headers.get('etag'),
    ...(headers.has('content-language') && { language: headers.get('content-language') ?? '' }),
    ...(matchedWords.length > 0 && { matchedWords }),
    ...(missingWords.length > 0 && { missingWords }),
  });
}

/**
 * The portions of the food with exactly this description, as an entry has it, in the order of the data set; none if the data
 * set has none.
 *
 * Pages on other origins can read them only if the service is started with CORS_ROUTES=search,portions as well as ALLOWED_ORIGIN;
 * without it this fails there with {@link BlockedOrUnreachable}.
 * @param baseUrl the address of the service, as for {@link searchFoods}
 * @throws SearchError
 */
export async function portions(
  baseUrl: string | URL,
  description: string,
  options: RequestOptions = {},
): Promise<Portion[]> {
  return lookUp(baseUrl, 'portions', description, options, isPortion);
}

/**
 * The nutrients of the food with exactly this description, in the order of its source; none if the data set has none.
 *
 * Pages on other origins can read them only if CORS_ROUTES names them: CORS_ROUTES=search,nutrients.
 * @param baseUrl the address of the service, as for {@link searchFoods}
 * @throws SearchError
 */
export async function nutrientsOf(
  baseUrl: string | URL,
  description: string,
  options: RequestOptions = {},
): Promise<Nutrient[]> {
  return lookUp(baseUrl, 'nutrients', description, options, isNutrient);
}

/**
 * What else the food with exactly this description is called, in the order of the data set; none if the data set has none.
 *
 * Pages on other origins can read them only if CORS_ROUTES names them: CORS_ROUTES=search,names.
 * @param baseUrl the address of the service, as for {@link searchFoods}
 * @throws SearchError
 */
export async function namesOf(
  baseUrl: string | URL,
  description: string,
  options: RequestOptions = {},
): Promise<string[]> {
  return lookUp(baseUrl, 'names', description, options, isText, 'other names');
}

/**
 * The foods whose packet has this code, at most {@link MAX_FOODS}; none for a text that is no code.
 * @param code EAN-13, EAN-8, UPC-A, UPC-E or GTIN-14, with or without blanks, hyphens and leading zeros
 * @param baseUrl the address of the service, as for {@link searchFoods}
 * @throws SearchError
 */
export async function findBarcode(
  baseUrl: string | URL,
  code: string,
  options: RequestOptions = {},
): Promise<FoodEntry[]> {
  const address = addressOf(baseUrl, 'api/food', { q: code, match: 'barcode' });
  return (await get(address, options, listOf(isFoodEntry), FOOD_SEARCH)).value;
}

/**
 * What the foods of a recipe or diary weigh and contain.
 *
 * Pages on other origins can read it only if CORS_ROUTES names it: CORS_ROUTES=search,amounts.
 * @param text lines such as "2 x 400g tins chopped tomatoes", at most 50
 * @param baseUrl the address of the service, as for {@link searchFoods}
 * @throws SearchError
 */
export async function weighFoods(
  baseUrl: string | URL,
  text: string,
  options: RequestOptions = {},
): Promise<WeighedFoods> {
  const address = addressOf(baseUrl, 'amounts', { q: text, ...inLanguage(options) });
  return (await get(address, options, isWeighedFoods, ofRoute('amounts'))).value;
}

/** What a route lists of the food with exactly this description. @param what for messages */
async function lookUp<Item>(
  baseUrl: string | URL,
  route: string,
  description: string,
  options: RequestOptions,
  isItem: (value: unknown) => value is Item,
  what = route,
): Promise<Item[]> {
  const address = addressOf(baseUrl, route, { description, ...inLanguage(options) });
  return (await get(address, options, listOf(isItem), ofRoute(route, what))).value;
}

const inLanguage = ({ language }: RequestOptions) => (language === undefined ? {} : { lang: language });

const FOOD_SEARCH: Expected = { origin: 'a food search', withheld: 'its ALLOWED_ORIGIN is not' };

const ofRoute = (name: string, what = name): Expected => ({
  origin: `a service with ${what}`,
  withheld: `its CORS_ROUTES do not name ${name}, or its ALLOWED_ORIGIN is not`,
});

const elementsOf = (header: string | null): string[] => header?.match(/[^,\s]+/g) ?? [];

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** URLSearchParams encodes a lone surrogate as U+FFFD, where encodeURIComponent throws. */
function addressOf(baseUrl: string | URL, path: string, query: Readonly<Record<string, string>>): URL {
  const base = URL.canParse(String(baseUrl)) ? new URL(baseUrl) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    const example = 'with its scheme, such as http://localhost:3001';
    throw new UnusableAddress(`"${baseUrl}" is not the address of a service. Write it ${example}.`);
  }
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const address = new URL(path, base);
  address.search = new URLSearchParams(query).toString();
  return address;
}

interface Expected {
  /** Where such a list comes from. */
  readonly origin: string;
  /** Why a running service may not answer this page; the origin of the page follows. */
  readonly withheld: string;
}

async function get<Value>(
  address: URL,
  { signal, cache = 'default', fetch = globalThis.fetch }: RequestOptions,
  isExpected: (value: unknown) => value is Value,
  { origin, withheld }: Expected,
): Promise<{ readonly value: Value; readonly headers: Headers }> {
  let response: Response;
  let body: string;
  try {
    // Spread, because the `fetch` of Node.js has no `cache`.
    response = await fetch(address, { credentials: 'omit', signal: signal ?? null, ...{ cache } });
    // The connection can break, or the caller abort the request, while the body arrives.
    body = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw new SearchAborted('The request was aborted.', { cause });
    // Absent in Node.js, where nothing is withheld.
    const { location } = globalThis as { readonly location?: { readonly origin: string } };
    const page = location?.origin ?? address.origin;
    const blocked = page === address.origin ? '' : `, or ${withheld} ${page}`;
    const message = `There is no readable response from ${address.origin}: nothing answers there${blocked}.`;
    throw new BlockedOrUnreachable(message, { cause });
  }
  const value = parsed(body);
  if (response.ok && isExpected(value)) return { value, headers: response.headers };
  const { error } = Object(value) as { readonly error?: unknown };
  const unknown = `The response (status ${response.status}) is not from ${origin}.`;
  throw new AnsweredWithError(typeof error === 'string' ? error : unknown, response);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const listOf =
  <Item>(isItem: (value: unknown) => value is Item) =>
  (value: unknown): value is Item[] =>
    Array.isArray(value) && value.every(isItem);

/** @param shape the kinds of value that each field may have */
const shaped = <Value>(shape: Readonly<Record<keyof Value, readonly string[]>>) => {
  const fields = Object.entries<readonly string[]>(shape);
  return (value: unknown): value is Value =>
    fields.every(([name, kinds]) => {
      const field: unknown = Object(value)[name];
      return kinds.includes(field === null ? 'null' : typeof field);
    });
};

const TEXT = ['string'];
const FIGURE = ['number', 'null'];

const isPortion = shaped<Portion>({ portion: TEXT, grams: ['number'] });

const isNutrient = shaped<Nutrient>({ nutrient: TEXT, amount: TEXT, unit: TEXT });

const isFoodEntry = shaped<FoodEntry>({
  ...{ description: TEXT, fat_g: TEXT },
  ...{ kcal: FIGURE, protein_g: FIGURE, carbohydrate_g: FIGURE },
});

function isWeighedFoods(value: unknown): value is WeighedFoods {
  const { foods, total } = Object(value) as Readonly<Record<keyof WeighedFoods, unknown>>;
  return Array.isArray(foods) && typeof Object(total).unknown === 'number';
}

const isText = (value: unknown): value is string => typeof value === 'string';
