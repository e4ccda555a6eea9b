/**
 * 64 bits that identify a text among millions, and a table that numbers them. They do not resist texts that are made to collide.
 *
 * Two 32-bit hashes in one pass over UTF-16 code units, each with a multiplication and a shift per unit, and different constants.
 * If they were random, two of ten million texts would collide in one of 370,000 data sets.
 */
import { firstSlot, isFull, NONE, nextSlot, slotsFor } from './hash-slots.ts';

const LOW = 0x811c9dc5 | 0;
const HIGH = 0x2f0b4c47;

const lowWith = (low: number, unit: number): number => Math.imul(low ^ (low >>> 15) ^ unit, 0x2c1b3c6d);
const highWith = (high: number, unit: number): number => Math.imul(high ^ (high >>> 16) ^ unit, 0x9e3779b1);

/** Not a code unit, so that "ab" and "c" differ from "a" and "bc". */
const END_OF_TEXT = 0x10000;

export class TextKey {
  low: number = LOW;
  high: number = HIGH;

  add(unit: number): void {
    this.low = lowWith(this.low, unit);
    this.high = highWith(this.high, unit);
  }

  /** Adds a text or a part of it, and the end of that. */
  addText(text: string, from = 0, to: number = text.length): void {
    // A field would be written and read again for each unit.
    let { low, high } = this;
    for (let i = from; i < to; i++) {
      const unit = text.charCodeAt(i);
      low = lowWith(low, unit);
      high = highWith(high, unit);
    }
    this.low = lowWith(low, END_OF_TEXT);
    this.high = highWith(high, END_OF_TEXT);
  }
}

export function keyOf(...texts: readonly string[]): TextKey {
  const key = new TextKey();
  for (const text of texts) key.addText(text);
  return key;
}

/** Numbers keys from 0 on, in the order of their first occurrence. */
export class KeyTable {
  #size = 0;
  /** For each number the two halves of its key. */
  #keys = new Int32Array(2 * 512);
  #slots = slotsFor(512);

  get size(): number {
    return this.#size;
  }

  /** The number of the key; a new key gets the next number. */
  numberOf(low: number, high: number): number {
    const slot = this.#slotOf(low, high);
    const known = this.#slots[slot] as number;
    if (known !== NONE) return known;
    const number = this.#size++;
    if (2 * number === this.#keys.length) this.#growKeys();
    this.#keys[2 * number] = low;
    this.#keys[2 * number + 1] = high;
    if (isFull(this.#slots, this.#size)) this.#growSlots();
    else this.#slots[slot] = number;
    return number;
  }

  find(low: number, high: number): number {
    return this.#slots[this.#slotOf(low, high)] as number;
  }

  /** The slot of the number of a key, or the free one for it. */
  #slotOf(low: number, high: number): number {
    const [keys, slots] = [this.#keys, this.#slots];
    let slot = firstSlot(slots, hashOf(low, high));
    for (let number = slots[slot] as number; number !== NONE; number = slots[slot] as number) {
      if (keys[2 * number] === low && keys[2 * number + 1] === high) break;
      slot = nextSlot(slots, slot);
    }
    return slot;
  }

  #growSlots(): void {
    const keys = this.#keys;
    this.#slots = slotsFor(2 * this.#size);
    for (let number = 0; number < this.#size; number++) {
      const slot = this.#slotOf(keys[2 * number] as number, keys[2 * number + 1] as number);
      this.#slots[slot] = number;
    }
  }

  #growKeys(): void {
    const keys = new Int32Array(2 * this.#keys.length);
    keys.set(this.#keys);
    this.#keys = keys;
  }
}

const hashOf = (low: number, high: number): number =>
  Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
