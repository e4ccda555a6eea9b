/**
 * Sets of millions of keys in a few bytes each: open addressing in typed arrays, at most three quarters full.
 * A `Set` of texts takes fifty to a hundred bytes a key.
 */
import { hash } from 'node:crypto';
import { fold } from '../../fold.ts';
import { type FoodRecord, fatOf } from '../../food.ts';

/** Numbers 64-bit keys from 0 on, in the order in which they are first seen. */
export class KeyTable {
  #size = 0;
  #mask = 1023;
  #numbers = new Int32Array(this.#mask + 1).fill(-1);
  #low = new Int32Array(512);
  #high = new Int32Array(512);

  get size(): number {
    return this.#size;
  }

  /** The number of the key; where it is new, the number that it gets now. */
  numberOf(low: number, high: number): number {
    const at = this.#slotOf(low, high);
    const known = this.#numbers[at] ?? -1;
    if (known >= 0) return known;
    if (this.#size === this.#low.length) this.#growKeys();
    const number = this.#size++;
    this.#low[number] = low;
    this.#high[number] = high;
    this.#numbers[at] = number;
    if (this.#size * 4 > this.#numbers.length * 3) this.#growSlots();
    return number;
  }

  /** The number of the key, or -1. */
  find(low: number, high: number): number {
    return this.#numbers[this.#slotOf(low, high)] ?? -1;
  }

  #slotOf(low: number, high: number): number {
    let at = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
    at = (at ^ (at >>> 15)) & this.#mask;
    for (;;) {
      const number = this.#numbers[at] as number;
      if (number < 0 || (this.#low[number] === low && this.#high[number] === high)) return at;
      at = (at + 1) & this.#mask;
    }
  }

  #growKeys(): void {
    const grown = (keys: Int32Array) => {
      const larger = new Int32Array(keys.length * 2);
      larger.set(keys);
      return larger;
    };
    this.#low = grown(this.#low);
    this.#high = grown(this.#high);
  }

  #growSlots(): void {
    this.#mask = this.#mask * 2 + 1;
    this.#numbers = new Int32Array(this.#mask + 1).fill(-1);
    for (let number = 0; number < this.#size; number++) {
      this.#numbers[this.#slotOf(this.#low[number] as number, this.#high[number] as number)] = number;
    }
  }
}

/**
 * Remembers texts by 64 bits of their SHA-1. Among ten million different texts the chance that any two are
 * taken for one is 1 in 370,000.
 */
export class TextSet {
  readonly #keys = new KeyTable();

  /** Whether the text is new. */
  add(text: string): boolean {
    const size = this.#keys.size;
    const [low, high] = keyOf(text);
    return this.#keys.numberOf(low, high) === size;
  }
}

/** 64 bits that stand for a text. */
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

/** The text by which two barcodes are the same: a GTIN of 12 digits is one of 13 or 14 with zeros before it. */
export function barcodeOf(text: string): string {
  return text.trim().replace(/^0+/, '');
}
