/** Data sets and texts: SR28 if it is there, else the starter foods. */
import { existsSync, mkdirSync } from 'node:fs';
import { measureImport } from '../bench/tools/process.ts';
import { descriptionsOf, PRODUCTS, SR28, textsOf, writeCsv } from '../bench/tools/workload.ts';
import { readFoods } from '../src/readers/read-foods.ts';

const STARTER_FOODS = 'data/starter-foods.csv';
const FOLDER = 'build/bench-data';

export const foodData = (): string => (existsSync(SR28) ? SR28 : STARTER_FOODS);

/** The most foods that are there without making any up. */
export const products = (): string => (existsSync(PRODUCTS) ? PRODUCTS : foodData());

let made: Promise<string> | undefined;
let read: Promise<string[]> | undefined;

/** Their index, which a service opens in a third of the time; made once per run. */
export function foodIndex(): Promise<string> {
  made ??= makeIndex(foodData(), `${FOLDER}/foods.idx`);
  return made;
}

/** Distinct texts, most of which occur in a description. */
export async function texts(number: number): Promise<string[]> {
  read ??= readDescriptions();
  return textsOf(await read, number);
}

async function readDescriptions(): Promise<string[]> {
  const descriptions: string[] = [];
  for await (const { description } of readFoods(foodData())) descriptions.push(description);
  return descriptions;
}

/** An index of that many foods; made once. */
export async function largeIndex(foods: number): Promise<string> {
  const index = `${FOLDER}/${foods}.idx`;
  if (existsSync(index)) return index;
  const csv = `${FOLDER}/${foods}.csv`;
  mkdirSync(FOLDER, { recursive: true });
  await writeCsv(csv, await descriptionsOf(foods));
  return makeIndex(csv, index);
}

async function makeIndex(source: string, index: string): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  await measureImport(source, index);
  return index;
}
