/** Positions in a block: the bits of a number. */
export const BLOCK_SIZE = 32;

/** A set of positions that counts its members below a position in constant time. */
export class RankedBits {
  readonly #bits: Uint32Array;
  readonly #before: Uint32Array;

  constructor(length: number, positions: ArrayLike<number>) {
    this.#bits = new Uint32Array((length >>> 5) + 1);
    this.#before = new Uint32Array(this.#bits.length);
    for (let i = 0; i < positions.length; i++) this.#bits[positions[i]! >>> 5]! |= 1 << (positions[i]! & 31);
    let count = 0;
    for (let i = 0; i < this.#bits.length; i++) {
      this.#before[i] = count;
      count += populationCount(this.#bits[i]!);
    }
  }

  has(position: number): number {
    return (this.#bits[position >>> 5]! >>> (position & 31)) & 1;
  }

  rank(position: number): number {
    const below = this.#bits[position >>> 5]! & ((1 << (position & 31)) - 1);
    return this.#before[position >>> 5]! + populationCount(below);
  }
}

export function populationCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
