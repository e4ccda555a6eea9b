/**
 * A data set in memory, behind the search index.
 */
import type { DataSet, DataSetLabel, FoodCatalog, OtherNames, WordsAnswer } from '../../catalog.ts';
import type { FoodRecord } from '../../food.ts';
import { FoodIndex } from '../../search/food-index.ts';
import { IndexBuilder } from '../../search/index-builder.ts';
import type { FileLabel } from '../../search/index-format.ts';
import { treesOf } from '../../search/range-max-tree.ts';
import type { EverydayFoods } from '../../search/ranking/everyday-foods.ts';
import { identityOfIndex, readIndexFile } from './index-file.ts';
import type { LoadedIndex } from './load-index.ts';
import { loadIndex, shareIndex } from './shared-index.ts';

/** The thread that opens a data set, among those that share it. */
export const FIRST_THREAD = 0;

export class MemoryCatalog implements FoodCatalog {
  readonly dataSet: DataSet;
  /** Other threads serve it as well if it is in shared memory. */
  readonly loaded: LoadedIndex;
  readonly #index: FoodIndex;

  private constructor(loaded: LoadedIndex, thread?: number, remarks?: readonly string[]) {
    const { index, trees, label, identity } = loaded;
    this.loaded = loaded;
    this.#index = new FoodIndex(index, trees, thread);
    const dataSet = { ...label, foods: this.#index.size, identity };
    this.dataSet = remarks === undefined ? dataSet : { ...dataSet, remarks };
  }

  /**
   * Reads all records first: a broken one means no catalog at all.
   * @param label a function where it is known only after the last record
   * @param threads that share the data set; undefined: it is not shared
   */
  static async from(
    records: AsyncIterable<FoodRecord> | Iterable<FoodRecord>,
    label: DataSetLabel | (() => FileLabel & Pick<DataSet, 'remarks'>),
    everydayFoods?: EverydayFoods,
    threads?: number,
  ): Promise<MemoryCatalog> {
    const builder = new IndexBuilder({ everydayFoods });
    let leftOut = 0;
    for await (const record of records) {
      if (record.description === '') leftOut++;
      else builder.add(record);
    }
    const index = builder.finish();
    const { remarks, ...fileLabel }: FileLabel & Pick<DataSet, 'remarks'> =
      typeof label === 'function' ? label() : { ...label, leftOut };
    const identity = identityOfIndex(index, fileLabel);
    const own = { index, trees: treesOf(index), label: fileLabel, identity };
    if (threads === undefined) return new MemoryCatalog(own, undefined, remarks);
    return new MemoryCatalog(shareIndex(own, threads), FIRST_THREAD, remarks);
  }

  /**
   * @param threads that share the data set; undefined: it is not shared
   * @throws UserError where the file is no usable index
   */
  static async fromIndexFile(path: string, threads?: number): Promise<MemoryCatalog> {
    const loaded = await loadIndex(path, threads);
    return MemoryCatalog.ofIndex(loaded, threads === undefined ? undefined : FIRST_THREAD);
  }

  /** Serves an index that was read and checked. @param thread the number of this one among those that share it */
  static ofIndex(loaded: LoadedIndex, thread?: number): MemoryCatalog {
    return new MemoryCatalog(loaded, thread);
  }

  search(text: string): Buffer {
    return this.#index.search(text);
  }

  searchWords(text: string, names: OtherNames): WordsAnswer {
    return this.#index.searchWords(text, names);
  }

  portions(description: string): Buffer {
    return this.#index.portions(description);
  }

  records(): Iterable<FoodRecord> {
    return this.#index.records();
  }

  async close(): Promise<void> {}
}

/**
 * Reads an index file as the source of another one: its foods in their static order, with total fat only.
 * @throws UserError where the file is no usable index
 */
export async function readIndex(path: string): Promise<{ label: FileLabel; foods: Iterable<FoodRecord> }> {
  const { index, label } = await readIndexFile(path);
  return { label, foods: new FoodIndex(index).records() };
}
