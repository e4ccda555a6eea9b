/** Numbers 64-bit keys from 0 on, in the order of their first occurrence. */
import { firstSlot, isFull, largerSlots, NONE, nextSlot, slotsFor } from './hash-slots.ts';

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
    const known = this.find(low, high);
    if (known !== NONE) return known;
    const number = this.#size++;
    if (2 * number === this.#keys.length) this.#growKeys();
    const keys = this.#keys;
    keys[2 * number] = low;
    keys[2 * number + 1] = high;
    if (isFull(this.#slots, this.#size))
      this.#slots = largerSlots(this.#size, (each) =>
        hashOf(keys[2 * each] as number, keys[2 * each + 1] as number),
      );
    else this.#slots[this.#slotOf(low, high)] = number;
    return number;
  }

  /** The number of the key, or -1. */
  find(low: number, high: number): number {
    return this.#slots[this.#slotOf(low, high)] as number;
  }

  /** The slot of the key, or the free one for it. */
  #slotOf(low: number, high: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    let slot = firstSlot(slots, hashOf(low, high));
    for (;;) {
      const number = slots[slot] as number;
      if (number === NONE || (keys[2 * number] === low && keys[2 * number + 1] === high)) return slot;
      slot = nextSlot(slots, slot);
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
