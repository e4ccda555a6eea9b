/** The nutrients of a food label, from data/nutrients.txt. */
import { readFileSync } from 'node:fs';
import { rowsOf } from '../report/known-sources.ts';

export interface LabelNutrient {
  readonly name: string;
  /** Of the words in data/headings.txt. */
  readonly kind: string;
  /** Whether labels state it in grams. */
  readonly isInGrams: boolean;
  /** Of a food, such as `protein_g`; empty if it has none. */
  readonly field: string;
  /** As Open Food Facts calls it. */
  readonly product: string;
  /** The ids and numbers of FoodData Central, the more usual first. */
  readonly usda: readonly (readonly [id: number, number: number])[];
}

const TEXT = readFileSync(new URL('../../../data/nutrients.txt', import.meta.url), 'utf8');

export const LABEL_NUTRIENTS: readonly LabelNutrient[] = rowsOf(TEXT).map(
  ([name = '', words = '', field = '', product = '', ids = '']) => {
    const usda = ids.split(' ').map((each) => each.split('/').map(Number) as [number, number]);
    return { name, kind: words.replace(/ g$/, ''), isInGrams: words.endsWith(' g'), field, product, usda };
  },
);
