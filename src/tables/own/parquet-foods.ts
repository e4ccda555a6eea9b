/** Foods from a Parquet file of a user's own. */
import type { FoodRecord } from '#core';
import type { ParquetFile } from '../rows/parquet.ts';
import { type Cell, cellText } from '../words/cells.ts';
import { FIRST_ROWS_OF_LONG } from './long-table.ts';
import { OwnFoods } from './own-foods.ts';
import { isOfFoods } from './plan.ts';
import type { OwnSource } from './row-reader.ts';

export async function* readParquet(file: ParquetFile, source: OwnSource): AsyncGenerator<FoodRecord[]> {
  const foods = new OwnFoods({ ...source, commas: true });
  const sample = isOfFoods(file.columns, source.options) ? [] : await firstRows(file);
  const { reads } = foods.header({ headings: file.columns, place: source.where }, () => sample);
  const used = [...reads].toSorted((a, b) => a - b);
  const positions = new Map(used.map((index, position) => [index, position]));
  let row: unknown[] = [];
  let number = 0;
  const tableRow = {
    width: file.columns.length,
    cell: (index: number) => parquetCell(row[positions.get(index) ?? -1]),
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

async function firstRows(file: ParquetFile): Promise<string[][]> {
  const { value: rows = [] } = await file.groups(file.columns).next();
  return rows.slice(0, FIRST_ROWS_OF_LONG).map((row) => row.map((value) => cellText(parquetCell(value))));
}

function parquetCell(value: unknown): Cell {
  if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
    return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  }
  return value as Cell;
}
