/** Measures imports of public downloads as they come. */
import { imported, productIndex } from '../tools/data-sets.ts';
import { descriptionsIn, PRODUCTS } from '../tools/workload.ts';
import { branded } from './branded.ts';

export interface SourceFigures {
  readonly source: string;
  readonly foods: number;
  /** s */
  readonly reading: number;
  readonly seconds: number;
  /** Bytes of memory. */
  readonly peak: number;
}

export async function measureSources(foods: number): Promise<SourceFigures[]> {
  const products = await productIndex();
  const all = [
    {
      source: 'FoodData Central, branded, generated: a zip with 13 rows of nutrients for each food',
      foods,
      ...(await imported(await branded(foods), 'branded')),
    },
    {
      source: 'Open Food Facts, June 2019: CSV in gzip',
      foods: (await descriptionsIn(PRODUCTS)).length,
      ...products,
    },
  ];
  return all.map(({ phases: { reading = 0 }, index: _, ...figures }) => ({ ...figures, reading }));
}
