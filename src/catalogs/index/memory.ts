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

export class MemoryCatalog implements FoodCatalog {
  readonly dataSet: DataSet;
  readonly #index: FoodIndex;

  private constructor(dataSet: DataSet, index: FoodIndex) {
    this.dataSet = dataSet;
    this.#index = index;
  }

  /**
   * Reads all records first: a broken one means no catalog at all.
   * @param label a function where it is known only after the last record
   */
  static async from(
    records: AsyncIterable<FoodRecord> | Iterable<FoodRecord>,
    label: DataSetLabel | (() => FileLabel & Pick<DataSet, 'remarks'>),
    everydayFoods?: EverydayFoods,
  ): Promise<MemoryCatalog> {
    const builder = new IndexBuilder({ everydayFoods });
    let leftOut = 0;
    for await (const record of records) {
      if (record.description === '') leftOut++;
      else builder.add(record);
    }
    const sections = builder.finish();
    const index = new FoodIndex(sections);
    const { remarks, ...fileLabel }: FileLabel & Pick<DataSet, 'remarks'> =
      typeof label === 'function' ? label() : { ...label, leftOut };
    const identity = identityOfIndex(sections, fileLabel);
    const dataSet = { ...fileLabel, foods: index.size, identity };
    return new MemoryCatalog(remarks === undefined ? dataSet : { ...dataSet, remarks }, index);
  }

  /** @throws UserError where the file is no usable index */
  static async fromIndexFile(path: string): Promise<MemoryCatalog> {
    const { index, label, identity } = await readIndexFile(path);
    return MemoryCatalog.ofIndex({ index, trees: treesOf(index), label, identity });
  }

  /** Serves an index that was read and checked. */
  static ofIndex({ index: sections, trees, label, identity }: LoadedIndex): MemoryCatalog {
    const index = new FoodIndex(sections, trees);
    return new MemoryCatalog({ ...label, foods: index.size, identity }, index);
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
