/**
 * Numbers for millions of keys in a few bytes each: open addressing in typed arrays, at most three quarters full.
 * A `Map` takes fifty to a hundred bytes a key.
 */

/** Numbers 64-bit keys from 0 on, in the order of their first occurrence. */
export class KeyTable {
  #size = 0;
  #mask = 1023;
  #numbers = new Int32Array(this.#mask + 1).fill(-1);
  #low = new Int32Array(512);
  #high = new Int32Array(512);

  get size(): number {
    return this.#size;
  }

  /** The number of the key; a new key gets the next number. */
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
