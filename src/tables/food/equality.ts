/** Which foods and which products are the same. */
import { type FoodRecord, fatOf, KeyTable, keyOf, type TextKey } from '#core';

/** A set of texts, or of lists of texts, by 64 bits of each. */
export class TextSet {
  readonly #keys = new KeyTable();

  get size(): number {
    return this.#keys.size;
  }

  /** @returns whether the texts are new */
  add(...texts: readonly string[]): boolean {
    const { size } = this;
    return this.numberOf(keyOf(...texts)) === size;
  }

  /** The number of the texts with this key, from 0 on in the order in which they were new. */
  numberOf({ low, high }: TextKey): number {
    return this.#keys.numberOf(low, high);
  }
}

/**
 * The same for equal foods: by everything that answers show of them. Of the fatty acids that is their sum; neither it nor
 * a popularity can be told from an index, which can be a source, as exactly as from the table that it was made of.
 */
export function equalityKey(food: FoodRecord): TextKey {
  const { carbohydrate_g, protein_g, kcal, description, portions = [], names = [] } = food;
  const key = keyOf(carbohydrate_g ?? '', protein_g ?? '', fatOf(food), kcal ?? '', description);
  for (const { portion, grams } of portions) {
    key.addText(portion);
    key.addText(grams);
  }
  for (const name of names) key.addText(name);
  return key;
}

/** The text by which two barcodes are the same: a GTIN of 12 digits is one of 13 or 14 digits without leading zeros. */
export function barcodeOf(text: string): string {
  return text.trim().replace(/^0+/, '');
}
