/** Indexes of the data sets, made by the built command. */
import { existsSync, mkdirSync } from 'node:fs';
import { type MeasuredImport, measureImport } from './process.ts';
import { descriptionsIn, descriptionsOf, PRODUCTS, SR28, textsOf, writeCsv } from './workload.ts';

/** Where data sets and indexes stay for the next run. */
export const FOLDER = 'build/bench-data';

/** The foods of SR28. */
export const REAL_FOODS = 8790;

export interface Imported extends MeasuredImport {
  /** The index file. */
  readonly index: string;
}

export interface DataSet extends Imported {
  readonly csv: string;
  readonly descriptions: readonly string[];
}

/** The foods of SR28, or that many with descriptions made of parts of theirs. */
export async function indexOf(size: number): Promise<DataSet> {
  const descriptions = await descriptionsOf(size);
  const csv = size === REAL_FOODS ? SR28 : `${FOLDER}/${size}.csv`;
  mkdirSync(FOLDER, { recursive: true });
  if (size !== REAL_FOODS) await writeCsv(csv, descriptions);
  return { csv, descriptions, ...(await imported(csv, String(size))) };
}

export async function imported(source: string, name: string): Promise<Imported> {
  mkdirSync(FOLDER, { recursive: true });
  const index = `${FOLDER}/${name}.idx`;
  return { index, ...(await measureImport(source, index)) };
}

/** The foods of load tests: SR28 if it is there, else the starter foods. */
export const foodData = (): string => (existsSync(SR28) ? SR28 : 'data/starter-foods.csv');

/** The most foods that are there without making any up. */
export const products = (): string => (existsSync(PRODUCTS) ? PRODUCTS : foodData());

let made: Promise<Imported> | undefined;
let read: Promise<string[]> | undefined;

/** The index of `foodData`, which a service opens in a third of the time; made once per run. */
export async function foodIndex(): Promise<string> {
  made ??= imported(foodData(), 'foods');
  return (await made).index;
}

/** Distinct texts, most of which occur in a description of `foodData`. */
export async function texts(number: number): Promise<string[]> {
  read ??= descriptionsIn(foodData());
  return textsOf(await read, number);
}
