/**
 * Which foods and products are the same.
 */
import { hash } from 'node:crypto';
import { fold } from '../../fold.ts';
import { type FoodRecord, fatOf } from '../../food.ts';
import { KeyTable } from '../../key-table.ts';

/**
 * A set of texts, by 64 bits of their SHA-1. Among ten million different texts the chance that any two collide is
 * 1 in 370,000.
 */
export class TextSet {
  readonly #keys = new KeyTable();

  /** Adds a text; whether it is new. */
  add(text: string): boolean {
    const size = this.#keys.size;
    const [low, high] = keyOf(text);
    return this.#keys.numberOf(low, high) === size;
  }
}

/** 64 bits that identify a text. */
export function keyOf(text: string): [low: number, high: number] {
  // As a text of bytes: a buffer for each food would take longer than its hash.
  const digest = hash('sha1', text, 'binary');
  return [int32At(digest, 0), int32At(digest, 4)];
}

function int32At(bytes: string, at: number): number {
  const byte = (i: number): number => bytes.charCodeAt(at + i);
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
}

/**
 * The text by which two foods are the same: the folded description and the figures of an answer. The kinds of fatty
 * acids are not compared, since an index, which is a source as well, knows their sum alone.
 */
export function identityOf(food: FoodRecord): string {
  const { carbohydrate_g, protein_g, kcal, description } = food;
  return `${carbohydrate_g ?? ''}|${protein_g ?? ''}|${fatOf(food)}|${kcal ?? ''}|${fold(description)}`;
}

/** The text by which two barcodes are the same: a GTIN of 12 digits is one of 13 or 14 digits without leading zeros. */
export function barcodeOf(text: string): string {
  return text.trim().replace(/^0+/, '');
}
