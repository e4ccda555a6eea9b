/** Numbers in as few bytes as they need: seven bits in each, the lowest first, and the eighth bit in all but the last. */

import { Growing } from '#core';

const BITS = 2 ** 7;

/** Bytes of the largest number. */
const MOST_BYTES = 8;

/** Numbers below it are divided without floating-point arithmetic. */
const SMALL = 2 ** 31;

/** Writes a number from 0 to 2^53 - 1 from a position on. Returns the position after it. */
export function putVarint(number: number, bytes: Uint8Array, at: number): number {
  let end = at;
  let rest = number;
  for (; rest >= SMALL; rest = Math.floor(rest / BITS)) bytes[end++] = (rest % BITS) | BITS;
  for (; rest >= BITS; rest >>>= 7) bytes[end++] = (rest % BITS) | BITS;
  bytes[end++] = rest;
  return end;
}

export function varintLength(number: number): number {
  let length = 1;
  for (let rest = number; rest >= BITS; rest = Math.floor(rest / BITS)) length++;
  return length;
}

export class VarintWriter {
  readonly #bytes: Growing<Uint8Array>;

  /** @param size bytes that are expected */
  constructor(size = 1024) {
    this.#bytes = new Growing(new Uint8Array(size));
  }

  get length(): number {
    return this.#bytes.length;
  }

  get written(): Uint8Array {
    return this.#bytes.all;
  }

  /** @param number a whole number from 0 to 2^53 - 1 */
  number(number: number): void {
    this.#bytes.reserve(MOST_BYTES);
    this.#bytes.length = putVarint(number, this.#bytes.items, this.#bytes.length);
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.add(bytes);
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
