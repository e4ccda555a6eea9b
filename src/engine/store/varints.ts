/** Numbers in as few bytes as they need: seven bits in each, the lowest first, and the eighth bit in all but the last. */

const BITS = 2 ** 7;

/** Bytes of the largest number. */
const MOST_BYTES = 8;

/** Numbers below it are divided without floating-point arithmetic. */
const SMALL = 2 ** 31;

export class VarintWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** @param number a whole number from 0 to 2^53 - 1 */
  number(number: number): void {
    this.#reserve(MOST_BYTES);
    let rest = number;
    for (; rest >= SMALL; rest = Math.floor(rest / BITS)) this.#bytes[this.#length++] = (rest % BITS) | BITS;
    for (; rest >= BITS; rest >>>= 7) this.#bytes[this.#length++] = (rest % BITS) | BITS;
    this.#bytes[this.#length++] = rest;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#length + length));
    larger.set(this.written);
    this.#bytes = larger;
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  /** Where the next number begins. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** The next number; 0 past the end. */
  number(): number {
    let number = 0;
    for (let unit = 1; ; unit *= BITS) {
      const byte = this.#bytes[this.at++] ?? 0;
      number += (byte % BITS) * unit;
      if (byte < BITS) return number;
    }
  }

  bytes(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
