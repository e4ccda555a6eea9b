/** A data set in memory, behind the search index. Another one may replace it between two requests. */
import { crc32 } from 'node:zlib';
import type { DataSet, FactName, FoodCatalog, FoodRecord, OtherNames, WordsAnswer } from '#core';
import {
  type EverydayFoods,
  type FileLabel,
  FoodIndex,
  FoodLanguages,
  hasFacts,
  IndexBuilder,
  type IndexSections,
  identityOfIndex,
  isLanguage,
  type LanguageIndex,
  languageOfSection,
  languagesWith,
  lookupsOf,
  NO_FOREIGN_NAMES,
  type Place,
  readLanguage,
  withoutWords,
  writeIndex,
} from '#engine';
import { ANSWER_MEMORY } from '../http/answer-memory.ts';
import { readIndexFile, readLater } from './index-file.ts';

export type LoadedIndex = ReturnType<typeof loadedFrom>;

/** Bytes of an index file beyond which its languages are opened with it: later, that would hold up all requests for a while. */
const MOST_OPENED_LATER = 64 * 1024 * 1024;

/** Reads an index file to serve it. @throws UserError if the file is not a usable index */
export async function loadIndex(path: string, isShared = false): Promise<LoadedIndex> {
  const { later, size, index, label, identity } = await readIndexFile(path, isShared, isLanguage);
  const places = later.map((place) => ({ path, place, language: languageOfSection(place.name) }));
  const loaded = loadedFrom(index, label, identity, isShared, places);
  if (size <= MOST_OPENED_LATER) return loaded;
  const opened = places.map(({ language }) => [language, languageIn(loaded, language)] as const);
  const languages = Object.fromEntries(
    opened.filter(([, part]) => part !== undefined),
  ) as typeof loaded.languages;
  return { ...loaded, languages: isShared ? inSharedMemory(languages) : languages };
}

function loadedFrom(
  index: IndexSections,
  label: FileLabel,
  identity: string,
  isShared: boolean,
  /** Where the parts of further languages are that have not been read. */
  places: readonly { readonly language: string; readonly path: string; readonly place: Place }[] = [],
) {
  const languages: Readonly<Record<string, LanguageIndex>> = {};
  const loaded = { index, lookups: lookupsOf(index), label, identity };
  return { ...(isShared ? inSharedMemory(loaded) : loaded), languages, places };
}

/** The bytes of a further language; undefined if there are none, or if its file was replaced in the meantime. */
function partIn({ index, places, identity }: LoadedIndex, language: string): Uint8Array | undefined {
  const later = places.find((each) => each.language === language);
  return index.languages[language] ?? (later && readLater(later.path, identity, later.place));
}

function languageIn(loaded: LoadedIndex, language: string): LanguageIndex | undefined {
  const part = partIn(loaded, language);
  return part && readLanguage(part, loaded.index);
}

/** Those of a data set and of its file. */
type Labels = Omit<FileLabel, 'leftOut'> & Partial<Pick<DataSet, 'leftOut' | 'remarks'>>;

export class MemoryCatalog implements FoodCatalog {
  #served: ReturnType<typeof servedFrom>;

  constructor(loaded: LoadedIndex, remarks?: readonly string[]) {
    this.#served = servedFrom(loaded, remarks);
  }

  /**
   * Reads all records first: if one is broken, there is no catalog.
   * @param label a function if it is known only after the last record
   */
  static async from(
    records: AsyncIterable<FoodRecord> | Iterable<FoodRecord>,
    label: Labels | (() => Labels),
    everydayFoods?: EverydayFoods,
    isShared = false,
  ): Promise<MemoryCatalog> {
    const builder = new IndexBuilder({ everydayFoods });
    for await (const record of records) {
      const isRead = builder.add(record);
      if (isRead !== undefined) await isRead;
    }
    const index = await builder.finish();
    const { remarks, leftOut = 0, ...others } = typeof label === 'function' ? label() : label;
    const fileLabel = { ...others, leftOut };
    const identity = identityOfIndex(index, fileLabel, crc32);
    return new MemoryCatalog(loadedFrom(index, fileLabel, identity, isShared), remarks);
  }

  get dataSet(): DataSet {
    return this.#served.dataSet;
  }

  /** Other threads serve it, too, if it is in shared memory. */
  get loaded(): LoadedIndex {
    return this.#served.loaded;
  }

  get index(): FoodIndex {
    return this.#served.index;
  }

  replace(loaded: LoadedIndex): void {
    this.#served = servedFrom(loaded);
  }

  search(text: string): Buffer {
    return this.#served.index.search(text) as Buffer;
  }

  searchWords(text: string, names: OtherNames, language?: string): WordsAnswer {
    const { index, languages } = this.#served;
    const foods = languages.in(language) ?? index;
    return foods.searchWords(text, names) as WordsAnswer;
  }

  lookUp(what: FactName, description: string, language?: string): Buffer {
    return Buffer.from(this.#served.languages.lookUp(what, description, language));
  }

  originalOf(description: string, language: string): string | undefined {
    return this.#served.languages.originalOf(description, language);
  }

  searchBarcode(text: string): Buffer {
    return this.#served.index.searchBarcode(text) as Buffer;
  }

  records(): Iterable<FoodRecord> {
    return this.#served.index.records();
  }

  indexFile(language?: string): Uint8Array {
    const { loaded } = this.#served;
    if (language === undefined) return writeIndex(loaded.index, loaded.label);
    const part = partIn(loaded, language);
    const others = language === '' ? loaded.index : { ...loaded.index, foreign: NO_FOREIGN_NAMES };
    const languages = part === undefined ? {} : { [language]: withoutWords(part) };
    return writeIndex({ ...others, languages }, { ...loaded.label, copyOf: loaded.identity });
  }

  async close(): Promise<void> {}
}

function servedFrom(loaded: LoadedIndex, remarks?: readonly string[]) {
  const { label, identity } = loaded;
  const tags = [...Object.keys(loaded.index.languages), ...loaded.places.map(({ language }) => language)];
  const index = new FoodIndex(loaded.index, loaded.lookups, ANSWER_MEMORY, label.language);
  const dataSet = {
    ...label,
    foods: index.size,
    ...knownBesides(loaded.index),
    ...(tags.length > 0 && { languages: tags }),
    identity,
    ...(remarks && { remarks }),
  };
  const read = (tag: string) => loaded.languages[tag] ?? languageIn(loaded, tag);
  return { loaded, index, dataSet, languages: new FoodLanguages(index, tags, read, ANSWER_MEMORY) };
}

/** What a data set has beside figures: the number of its codes, and whether any food has nutrients. */
export function knownBesides({ codes: { foods: codes }, facts }: IndexSections) {
  return {
    ...(codes.length > 0 && { codes: codes.length }),
    ...(hasFacts('nutrients', facts) && { hasNutrients: true as const }),
  };
}

/** Reads an index file as the source of another one. @throws UserError if the file is not a usable index */
export async function indexAsSource(
  path: string,
): Promise<{ label: FileLabel; foods: Iterable<FoodRecord> }> {
  const { index, label } = await readIndexFile(path);
  return { label, foods: asSource(index) };
}

/** An index has its languages apart. */
function* asSource(index: IndexSections): Generator<FoodRecord> {
  const foods = new FoodIndex(index);
  const tags = Object.keys(index.languages);
  const languages = new FoodLanguages(foods, tags, languagesWith(index));
  let number = 0;
  for (const food of foods.records()) {
    const { description } = food;
    const translations = tags.flatMap((language) => {
      const names = languages.in(language)?.namesOf(number) ?? [description];
      // In a language in which it has no name, it is called as it is.
      return names.length === 1 && names[0] === description ? [] : { language, names };
    });
    number++;
    yield { ...food, ...(translations.length > 0 && { translations }) };
  }
}

/** The same value with its arrays in shared memory. @param copies an array that occurs in several places is copied once */
function inSharedMemory<Value>(value: Value, copies = new Map<unknown, unknown>()): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => inSharedMemory(part, copies)) as Value;
  if (!ArrayBuffer.isView(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, inSharedMemory(part, copies)]),
    ) as Value;
  if (value.buffer instanceof SharedArrayBuffer) return value;
  if (!copies.has(value)) copies.set(value, sharedCopy(value as never));
  return copies.get(value) as Value;
}

function sharedCopy(array: Uint8Array): Uint8Array {
  const Type = array.constructor as Uint8ArrayConstructor;
  const copy = new Type(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
