/**
 * Which foods and products are the same.
 */

import { type FoodRecord, fatOf } from '../../foods/food.ts';
import { fold } from '../../text/fold.ts';
import { KeyTable } from '../../text/key-table.ts';
import { keyOf } from '../../text/text-key.ts';

/** A set of texts, or of lists of texts, by 64 bits of each. */
export class TextSet {
  readonly #keys = new KeyTable();

  /** Adds a text; whether it is new. */
  add(...texts: readonly string[]): boolean {
    const size = this.#keys.size;
    const { low, high } = keyOf(...texts);
    return this.#keys.numberOf(low, high) === size;
  }
}

/**
 * The texts by which two foods are the same: the folded description and the figures of an answer. The kinds of fatty
 * acids are not compared, because an index, which can be a source, has only their sum.
 */
export function identityOf(food: FoodRecord): string[] {
  const { carbohydrate_g, protein_g, kcal, description } = food;
  return [carbohydrate_g ?? '', protein_g ?? '', fatOf(food), kcal ?? '', fold(description)];
}

/** The text by which two barcodes are the same: a GTIN of 12 digits is one of 13 or 14 digits without leading zeros. */
export function barcodeOf(text: string): string {
  return text.trim().replace(/^0+/, '');
}
