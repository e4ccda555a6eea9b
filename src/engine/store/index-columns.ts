/**
 * What an index has of each food as one number beside its entry. A further column is one more row of INDEX_COLUMNS: the batches
 * of an import, the arrays of an index, its file and `FoodIndex.record` follow the table.
 */
import { composed, type FoodRecord } from '#core';
import { MOST_POPULAR } from '../order/points.ts';

interface IndexColumn {
  /** The array of an index: by food, 0 if the food has no number; empty if none has. */
  readonly Items: Uint8ArrayConstructor | Uint32ArrayConstructor;
  /** 0 if it has none. */
  numberOf(food: FoodRecord): number;
  /** What an index has instead of a number above 0. @param most the highest of all foods */
  stored(number: number, most: number): number;
  recordOf(stored: number, description: string): Partial<FoodRecord>;
}

export const INDEX_COLUMNS = {
  /** The length of the name in the description (UTF-16 code units), if a brand follows it. */
  nameLengths: {
    Items: Uint32Array,
    numberOf: ({ name }) => (name === undefined ? 0 : composed(name).length),
    stored: (length) => length,
    recordOf: (length, description) => ({ name: composed(description).slice(0, length) }),
  },
  /** From 1 to MOST_POPULAR, by logarithm. */
  popularities: {
    Items: Uint8Array,
    numberOf: ({ popularity = 0 }) => popularity,
    stored: (popularity, most) =>
      Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + most))),
    recordOf: (popularity) => ({ popularity }),
  },
} satisfies Record<string, IndexColumn>;

/** A popularity that gets this level again, if that of MOST_POPULAR is the highest. */
export const popularityOfLevel = (level: number): number => (1 + MOST_POPULAR) ** (level / MOST_POPULAR) - 1;

export type ColumnName = keyof typeof INDEX_COLUMNS;
export type OfColumns<Value> = Readonly<Record<ColumnName, Value>>;
/** The arrays of an index. */
export type IndexColumns = {
  readonly [Name in ColumnName]: InstanceType<(typeof INDEX_COLUMNS)[Name]['Items']>;
};

const NAMES = Object.keys(INDEX_COLUMNS) as ColumnName[];

export const byColumn = <Value>(of: (name: ColumnName) => Value): OfColumns<Value> =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as OfColumns<Value>;

export function addNumbers(numbers: OfColumns<number[]>, food: FoodRecord): void {
  for (const name of NAMES) numbers[name].push(INDEX_COLUMNS[name].numberOf(food));
}

/** @param most the highest number of all foods in each column */
export const storedNumber = (name: ColumnName, number: number, most: OfColumns<number>): number =>
  number === 0 ? 0 : INDEX_COLUMNS[name].stored(number, most[name]);

export function recordOf(columns: IndexColumns, food: number, description: string): Partial<FoodRecord> {
  const record: Partial<FoodRecord> = {};
  for (const name of NAMES) {
    const number = columns[name][food] ?? 0;
    if (number > 0) Object.assign(record, INDEX_COLUMNS[name].recordOf(number, description));
  }
  return record;
}
