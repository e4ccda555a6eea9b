/** The entries of an index, and the answers made from them. */

import { type FoodRecord, MAX_ENTRIES, readEntry } from '../foods/food.ts';
import { allocate } from '../system/answer-memory.ts';

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]') as unknown as [number, number, number];

export class Entries {
  readonly #starts: Uint32Array;
  readonly #entries: Buffer;
  readonly #from = new Float64Array(MAX_ENTRIES);
  readonly #to = new Float64Array(MAX_ENTRIES);
  /** Keeps the compiler from dropping reads whose only purpose is to fill the cache. */
  touched = 0;

  /** @param starts one more position in the bytes than there are entries */
  constructor(entries: Uint8Array, starts: Uint32Array) {
    const { buffer, byteOffset, length } = entries;
    this.#starts = starts;
    this.#entries = Buffer.from(buffer, byteOffset, length);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** One food, with every digit; the sum of its fatty acids becomes the saturated ones. */
  record(food: number): FoodRecord {
    return readEntry(this.#entries.subarray(this.#starts[food], this.#starts[food + 1]).toString());
  }

  /** A JSON array of the entries of the first `count` of these foods, at most MAX_ENTRIES. */
  answer(foods: Int32Array, count: number): Buffer {
    const entries = this.#entries;
    let size = 2 + Math.max(0, count - 1);
    for (let i = 0; i < count; i++) {
      this.#from[i] = this.#starts[foods[i]!]!;
      this.#to[i] = this.#starts[foods[i]! + 1]!;
      size += this.#to[i]! - this.#from[i]!;
    }
    // Independent loads, so that their cache misses overlap, before the entries are copied.
    let touched = 0;
    for (let i = 0; i < count; i++) {
      const start = this.#from[i]!;
      const last = this.#to[i]! - 1;
      touched |= entries[start]! | entries[start + ((last - start) >>> 1)]! | entries[last]!;
    }
    this.touched = touched;
    return this.#assembled(size, count);
  }

  /** With Buffer: V8 itself copies shared memory byte by byte, 30 times as slowly. */
  #assembled(size: number, count: number): Buffer {
    const answer = allocate(size);
    answer[0] = OPEN;
    let at = 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) answer[at++] = COMMA;
      at += this.#entries.copy(answer, at, this.#from[i], this.#to[i]);
    }
    answer[at] = CLOSE;
    return answer;
  }
}
