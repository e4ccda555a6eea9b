/** The nutrients of a food label, from data/nutrients.txt. */
import { readFileSync } from 'node:fs';

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

export const LABEL_NUTRIENTS: readonly LabelNutrient[] = readFileSync(
  new URL('../../../data/nutrients.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line.includes('|') && !line.startsWith('#'))
  .map((line) => {
    const [name = '', words = '', field = '', product = '', ids = ''] = line
      .split('|')
      .map((each) => each.trim());
    const usda = ids.split(' ').map((each) => each.split('/').map(Number) as [number, number]);
    return { name, kind: words.replace(/ g$/, ''), isInGrams: words.endsWith(' g'), field, product, usda };
  });
