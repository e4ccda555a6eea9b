/** A data set in memory, behind the search index. Another one may replace it between two requests. */
import { crc32 } from 'node:zlib';
import type { DataSet, FoodCatalog, FoodRecord, OtherNames, WordsAnswer } from '#core';
import {
  type EverydayFoods,
  type FileLabel,
  FoodIndex,
  hasNutrients,
  IndexBuilder,
  type IndexSections,
  identityOfIndex,
  lookupsOf,
  popularityOfLevel,
  writeIndex,
} from '#engine';
import { ANSWER_MEMORY } from '../http/answer-memory.ts';
import { readIndexFile } from './index-file.ts';

export type LoadedIndex = ReturnType<typeof loadedFrom>;

/** Reads an index file to serve it. @throws UserError if the file is not a usable index */
export async function loadIndex(path: string, isShared = false): Promise<LoadedIndex> {
  const { index, label, identity } = await readIndexFile(path, isShared);
  return loadedFrom(index, label, identity, isShared);
}

function loadedFrom(index: IndexSections, label: FileLabel, identity: string, isShared: boolean) {
  const loaded = { index, lookups: lookupsOf(index), label, identity };
  return isShared ? inSharedMemory(loaded) : loaded;
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

  searchWords(text: string, names: OtherNames): WordsAnswer {
    return this.#served.index.searchWords(text, names) as WordsAnswer;
  }

  portions(description: string): Buffer {
    return Buffer.from(this.#served.index.lookUp('portions', description));
  }

  namesOf(description: string): Buffer {
    return Buffer.from(this.#served.index.lookUp('names', description));
  }

  nutrientsOf(description: string): Buffer {
    return Buffer.from(this.#served.index.lookUp('nutrients', description));
  }

  searchBarcode(text: string): Buffer {
    return this.#served.index.searchBarcode(text) as Buffer;
  }

  records(): Iterable<FoodRecord> {
    return this.#served.index.records();
  }

  indexFile(): Uint8Array {
    const { index, label } = this.#served.loaded;
    return writeIndex(index, label);
  }

  async close(): Promise<void> {}
}

function servedFrom(loaded: LoadedIndex, remarks?: readonly string[]) {
  const { label, identity } = loaded;
  const index = new FoodIndex(loaded.index, loaded.lookups, ANSWER_MEMORY);
  const dataSet = {
    ...label,
    ...{ foods: index.size, ...knownBesides(loaded.index), identity },
    ...(remarks && { remarks }),
  };
  return { loaded, index, dataSet };
}

/** What a data set has beside figures: the number of its codes, and whether any food has nutrients. */
export function knownBesides({ codes: { foods: codes }, nutrients }: IndexSections) {
  return {
    ...(codes.length > 0 && { codes: codes.length }),
    ...(hasNutrients(nutrients) && { hasNutrients: true as const }),
  };
}

/** Reads an index file as the source of another one. @throws UserError if the file is not a usable index */
export async function indexAsSource(
  path: string,
): Promise<{ label: FileLabel; foods: Iterable<FoodRecord> }> {
  const { index, label } = await readIndexFile(path);
  return { label, foods: withPopularities(new FoodIndex(index).records()) };
}

/** An index has levels of popularities, and would have others if it were made of them. */
function* withPopularities(foods: Iterable<FoodRecord>): Generator<FoodRecord> {
  for (const food of foods) {
    const { popularity: level } = food;
    yield level === undefined ? food : { ...food, popularity: popularityOfLevel(level) };
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
