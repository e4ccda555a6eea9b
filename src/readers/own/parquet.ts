/**
 * Foods from a Parquet file with the columns of foods.
 */
import type { FoodRecord } from '../../foods/food.ts';
import type { ParquetFile, ParquetValue } from '../tables/parquet.ts';
import type { Cell } from './cells.ts';
import { OwnFoods, type OwnSource } from './own-foods.ts';

interface ParquetSource extends OwnSource {
  readonly file: ParquetFile;
}

/** The foods, in batches, including those without a description. @throws UserError that names the rows and columns */
export async function* readParquet(source: ParquetSource): AsyncGenerator<FoodRecord[]> {
  const { file, where, report, options } = source;
  const foods = new OwnFoods({ where, report, options, commas: true });
  foods.header(file.columns);
  const used = file.columns.flatMap((_, index) => (foods.reads(index) ? [index] : []));
  const positions = new Map(used.map((index, position) => [index, position]));
  let row: ParquetValue[] = [];
  let number = 0;
  const tableRow = {
    width: file.columns.length,
    cell: (index: number) => cellOf(row[positions.get(index) ?? -1]),
    place: () => `row ${number}`,
  };
  for await (const rows of file.groups(used.map((index) => file.columns[index] ?? ''))) {
    for (row of rows) {
      number++;
      foods.row(tableRow);
    }
    yield foods.take();
  }
  yield foods.end();
}

/** Dates, lists and structures are neither figures nor names: messages about them show JSON. */
function cellOf(value: ParquetValue): Cell {
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  }
  return value as Cell;
}
