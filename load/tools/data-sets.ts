/** Indexes of the data sets, made by the built command once per run. */
import { existsSync, mkdirSync } from 'node:fs';
import { FoodIndex } from '#engine';
import { readIndexFile } from '#service';
import { PRODUCTS, SR28_CSV } from '../../test/support/shared.ts';
import { measureImport } from './process.ts';
import { descriptionsIn, descriptionsOf, textsOf, writeCsv } from './workload.ts';

/** Where data sets and indexes stay for the next run. */
export const FOLDER = 'tmp/bench-data';
mkdirSync(FOLDER, { recursive: true });

/** The foods of SR28. */
export const REAL_FOODS = 8790;

export type Imported = Awaited<ReturnType<typeof imported>>;
export interface DataSet extends Imported {
  readonly csv: string;
  readonly descriptions: readonly string[];
}

const made = new Map<unknown, Promise<unknown>>();

/** Makes what the key stands for once in a run. */
function once<Made>(key: unknown, make: () => Promise<Made>): Promise<Made> {
  const known = (made.get(key) as Promise<Made> | undefined) ?? make();
  made.set(key, known);
  return known;
}

/** The foods of SR28, or that many with descriptions made of parts of theirs. */
export const indexOf = (size: number): Promise<DataSet> =>
  once(size, async () => {
    const descriptions = await descriptionsOf(size);
    const csv = size === REAL_FOODS ? SR28_CSV : `${FOLDER}/${size}.csv`;
    if (size !== REAL_FOODS) await writeCsv(csv, descriptions);
    return { csv, descriptions, ...(await imported(csv, String(size))) };
  });

/** The index file, and what its import took. */
export function imported(source: string, name: string) {
  const index = `${FOLDER}/${name}.idx`;
  return once(index, async () => ({ index, ...(await measureImport(source, index)) }));
}

/** The products of Open Food Facts. */
export const productIndex = () => imported(PRODUCTS, 'products');

/** The foods of load tests: SR28 if it is there, else the starter foods. */
export const foodData = (): string => (existsSync(SR28_CSV) ? SR28_CSV : 'data/starter-foods.csv');

/** The most foods that are there without making any up. */
export const products = (): string => (existsSync(PRODUCTS) ? PRODUCTS : foodData());

/** The index of `foodData`, which a service opens in a third of the time. */
export const foodIndex = async (): Promise<string> => (await imported(foodData(), 'foods')).index;

/** Distinct texts, most of which occur in a description of `foodData`. */
export const texts = async (number: number): Promise<string[]> =>
  textsOf(await once('texts', () => descriptionsIn(foodData())), number);

/** Searches in an index file. */
export const searchable = async ({ index }: Pick<DataSet, 'index'>): Promise<FoodIndex> =>
  new FoodIndex((await readIndexFile(index)).index);
