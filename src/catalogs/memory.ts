/**
 * Holds all foods in memory and searches them one after the other, in the order of the data set.
 */
import type { DataSet, DataSetLabel, FoodCatalog } from '../catalog.ts';
import { fold } from '../fold.ts';
import { type FoodRecord, MAX_ENTRIES, renderEntry } from '../food.ts';

interface Food {
  readonly folded: string;
  readonly entry: string;
}

export class MemoryCatalog implements FoodCatalog {
  readonly dataSet: DataSet;
  readonly #foods: readonly Food[];

  private constructor(dataSet: DataSet, foods: readonly Food[]) {
    this.dataSet = dataSet;
    this.#foods = foods;
  }

  /** Reads all records first: where one is broken, there is no catalog. */
  static async from(records: AsyncIterable<FoodRecord>, label: DataSetLabel): Promise<MemoryCatalog> {
    const foods: Food[] = [];
    let leftOut = 0;
    for await (const record of records) {
      if (record.description === '') leftOut++;
      else foods.push({ folded: fold(record.description), entry: renderEntry(record) });
    }
    return new MemoryCatalog({ ...label, foods: foods.length, leftOut }, foods);
  }

  search(text: string): Uint8Array {
    const folded = fold(text);
    const entries: string[] = [];
    for (const food of this.#foods) {
      if (food.folded.includes(folded) && entries.push(food.entry) === MAX_ENTRIES) break;
    }
    return Buffer.from(`[${entries.join(',')}]`);
  }

  async close(): Promise<void> {}
}
