/**
 * The service's own answers from an index file, without a service: for a page on a host of static files, and for what the page of
 * the service keeps for want of a network.
 */
import { readWords, renderWeighedFoods, type Words, weighFoods as weighFoodsOf } from '#amounts';
import {
  type DataSet,
  type FactName,
  furtherLanguage,
  NO_OTHER_NAMES,
  type OtherNames,
  textOfUtf8,
  wordHeaders,
} from '#core';
import {
  FoodIndex,
  FoodLanguages,
  hasFacts,
  languagesWith,
  lookupsOf,
  OtherNameTable,
  readIndex,
  BadIndex as UnusableIndex,
} from '#engine';
import {
  AnsweredWithError,
  BlockedOrUnreachable,
  type FoodEntry,
  type FoundFoods,
  findBarcode,
  type Nutrient,
  namesOf,
  nutrientsOf,
  type Portion,
  portions,
  type RequestOptions,
  type SearchOptions,
  searchFoods,
  type WeighedFoods,
  weighFoods,
} from './search-foods.ts';

/** The functions of the typed client, but for the address of a service. */
export interface OpenIndex {
  searchFoods(text: string, options?: SearchOptions): Promise<FoundFoods>;
  portions(description: string, options?: RequestOptions): Promise<Portion[]>;
  namesOf(description: string, options?: RequestOptions): Promise<string[]>;
  nutrientsOf(description: string, options?: RequestOptions): Promise<Nutrient[]>;
  findBarcode(code: string, options?: RequestOptions): Promise<FoodEntry[]>;
  weighFoods(text: string, options?: RequestOptions): Promise<WeighedFoods>;
}

/** A name, and one by which searches by words find the same food. Declared here, so that the types of the package are whole. */
export interface NamePair {
  readonly name: string;
  readonly other: string;
}

export interface OpenIndexOptions {
  /** Other names for searches by words, as `/other-names.json` of a service has them; none by default. */
  readonly otherNames?: readonly NamePair[];
  /** The words of `weighFoods`, as `/amounts.txt` of a service has them; without them it throws a TypeError. */
  readonly amountWords?: string;
  readonly signal?: AbortSignal;
}

/**
 * Fetches an index file, made by `food-lookup import` or offered by a service as `/foods.idx`, and searches it in this page. One
 * of f foods takes about 800 f bytes, 150 f compressed; twice as much in memory.
 * @throws BlockedOrUnreachable, AnsweredWithError if there is no index at the address; BadIndex if it is damaged, or of another version
 */
export async function openIndex(
  address: string | URL,
  { otherNames = [], amountWords, signal }: OpenIndexOptions = {},
): Promise<OpenIndex> {
  let response: Response;
  try {
    response = await fetch(address, { signal: signal ?? null });
  } catch (cause) {
    throw new BlockedOrUnreachable(`There is no readable response from ${address}.`, { cause });
  }
  if (!response.ok)
    throw new AnsweredWithError(`${address} is not there (status ${response.status}).`, response);
  const answers = answersOf(address, new Uint8Array(await response.arrayBuffer()), otherNames, amountWords);
  const local = (asked: URL) => answers.fetch(asked);
  return {
    searchFoods: (text, options) => searchFoods(NOWHERE, text, { ...options, fetch: local }),
    portions: (description, options) => portions(NOWHERE, description, { ...options, fetch: local }),
    namesOf: (description, options) => namesOf(NOWHERE, description, { ...options, fetch: local }),
    nutrientsOf: (description, options) => nutrientsOf(NOWHERE, description, { ...options, fetch: local }),
    findBarcode: (code, options) => findBarcode(NOWHERE, code, { ...options, fetch: local }),
    weighFoods: async (text, options) => {
      if (amountWords === undefined)
        throw new TypeError('weighFoods: openIndex needs the option amountWords, the text of /amounts.txt.');
      return weighFoods(NOWHERE, text, { ...options, fetch: local });
    },
  };
}

function answersOf(address: string | URL, ...file: ConstructorParameters<typeof LocalAnswers>): LocalAnswers {
  try {
    return new LocalAnswers(...file);
  } catch (error) {
    throw error instanceof BadIndex ? new BadIndex(`${address} ${error.message}`) : error;
  }
}

/** The typed client wants an address. Nothing is requested there. */
const NOWHERE = 'http://index.invalid';

/** The file is damaged, or of another version. */
export const BadIndex: new (message: string) => Error = UnusableIndex;

/** What a service would answer. */
export interface LocalAnswer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers the requests to a service. */
export class LocalAnswers {
  readonly #foods: FoodIndex;
  readonly #names: OtherNames;
  readonly #words: Words | undefined;
  /** As the service's `/data-set`. */
  readonly #dataSet: Readonly<Record<string, unknown>> & Pick<DataSet, 'identity' | 'language' | 'languages'>;
  readonly #languages: FoodLanguages;

  /**
   * @param file the bytes of an index file
   * @param names of searches by words
   * @param amountWords those of `/amounts`, which is not answered without them
   * @throws BadIndex
   */
  constructor(file: Uint8Array, names: readonly NamePair[], amountWords: string | undefined) {
    const { index, label, identity } = readIndex(file);
    const { leftOut: _, copyOf, ...facts } = label;
    this.#foods = new FoodIndex(index, lookupsOf(index), undefined, label.language);
    this.#names = names.length === 0 ? NO_OTHER_NAMES : new OtherNameTable(names);
    this.#words = amountWords === undefined ? undefined : readWords(amountWords);
    const counts = { foods: this.#foods.size, identity: copyOf ?? identity, codes: index.codes.foods.length };
    const languages = Object.keys(index.languages);
    const further = languages.length > 0 && { languages };
    this.#languages = new FoodLanguages(this.#foods, languages, languagesWith(index));
    this.#dataSet = {
      ...facts,
      ...counts,
      hasNutrients: hasFacts('nutrients', index.facts),
      ...further,
      offline: true,
    };
  }

  async fetch(asked: URL): Promise<Response> {
    const answer = await this.answer(asked);
    return answer === undefined ? new Response(null, { status: 404 }) : new Response(answer.body, answer);
  }

  /** @returns undefined if the path is none that is answered from foods */
  answer({ pathname, searchParams: query }: URL): LocalAnswer | Promise<LocalAnswer> | undefined {
    const path = pathname.slice(1);
    const asked = (name: string): string => query.get(name) ?? '';
    switch (path) {
      case 'api/food':
        return this.#search(asked('q'), query);
      case 'portions':
      case 'names':
      case 'nutrients':
        return this.#json(this.#lookUp(path, asked('description'), query), this.#inLanguage(query));
      case 'amounts':
        return this.#words && this.#weigh(query.getAll('q').join('\n'), this.#words, query);
      case 'data-set':
        return this.#json(JSON.stringify(this.#dataSet));
      default:
        return undefined;
    }
  }

  #search(text: string, query: URLSearchParams): LocalAnswer {
    const match = query.get('match');
    if (match === 'barcode') return this.#json(this.#foods.searchBarcode(text));
    if (match !== 'words') return this.#json(this.#foods.search(text));
    const foods = this.#languages.in(this.#languageOf(query)) ?? this.#foods;
    const { body, ...found } = foods.searchWords(text, this.#names);
    return this.#json(body, { ...wordHeaders(found), ...this.#inLanguage(query) });
  }

  async #weigh(text: string, words: Words, query: URLSearchParams): Promise<LocalAnswer> {
    const language = this.#languageOf(query);
    const foods = this.#languages.in(language) ?? this.#foods;
    const asked = {
      searchWords: (each: string) => foods.searchWords(each, this.#names),
      lookUp: (what: FactName, description: string) => this.#lookUp(what, description, query),
      ...(language !== undefined && {
        originalOf: (description: string) => this.#languages.originalOf(description, language),
      }),
    };
    const weighed = await weighFoodsOf(text, words, asked, query.get('lang') ?? undefined);
    return this.#json(renderWeighedFoods(weighed), this.#inLanguage(query));
  }

  #lookUp(what: FactName, description: string, query: URLSearchParams): Uint8Array {
    return this.#languages.lookUp(what, description, this.#languageOf(query));
  }

  /** The further language that a request means. */
  #languageOf(query: URLSearchParams): string | undefined {
    return furtherLanguage(this.#dataSet, query.get('lang') ?? '');
  }

  #inLanguage(query: URLSearchParams): Readonly<Record<string, string>> {
    const lang = query.get('lang');
    const language = lang && (furtherLanguage(this.#dataSet, lang) ?? this.#dataSet.language);
    return language ? { 'Content-Language': language } : {};
  }

  #json(body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}): LocalAnswer {
    const etag = `"${this.#dataSet.identity}"`;
    return {
      // As text, because the engine reuses its memory.
      body: typeof body === 'string' ? body : textOfUtf8(body),
      headers: { 'Content-Type': 'application/json; charset=utf-8', ETag: etag, ...headers },
    };
  }
}
