/**
 * A data set in memory that another one may replace between two requests.
 */
import type { DataSet, FoodCatalog, OtherNames, WordsAnswer } from '../../catalog.ts';
import type { LoadedIndex } from './load-index.ts';
import { MemoryCatalog } from './memory.ts';

export class ReplaceableCatalog implements FoodCatalog {
  #current: MemoryCatalog;
  readonly #thread: number | undefined;

  /** @param thread the number of this one among those that share the data set */
  constructor(current: MemoryCatalog, thread?: number) {
    this.#current = current;
    this.#thread = thread;
  }

  get dataSet(): DataSet {
    return this.#current.dataSet;
  }

  get loaded(): LoadedIndex {
    return this.#current.loaded;
  }

  replace(loaded: LoadedIndex): void {
    this.#current = MemoryCatalog.ofIndex(loaded, this.#thread);
  }

  search(text: string): Buffer {
    return this.#current.search(text);
  }

  searchWords(text: string, names: OtherNames): WordsAnswer {
    return this.#current.searchWords(text, names);
  }

  portions(description: string): Buffer {
    return this.#current.portions(description);
  }

  records(): ReturnType<MemoryCatalog['records']> {
    return this.#current.records();
  }

  async close(): Promise<void> {
    await this.#current.close();
  }
}
