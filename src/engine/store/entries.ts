/** The entries of an index, and the answers made from them. */

import { type FoodRecord, MAX_ENTRIES, readEntry, textOfUtf8, utf8 } from '#core';

const [OPEN, COMMA, CLOSE, COLON] = utf8('[,]:') as unknown as [number, number, number, number];

/** The fields of an entry, of which the description is the last. */
const FIELDS = 5;

/** Where the JSON of the description begins in the entry that begins at a position: no figure before it has a colon. */
export function descriptionAt(entries: Uint8Array, start: number): number {
  let at = start;
  for (let fields = 0; fields < FIELDS; at++) if (entries[at] === COLON) fields++;
  return at;
}

/** The JSON of the description of the entry [start, end). */
export const descriptionIn = (entries: Uint8Array, start: number, end: number): Uint8Array =>
  entries.subarray(descriptionAt(entries, start), end - 1);

/** Where answers are assembled. */
export interface AnswerMemory {
  /** Bytes whose content is undefined. */
  allocate(size: number): Uint8Array;
  /** What copies bytes [start, end) of the entries to a position in an answer. */
  copierOf(entries: Uint8Array): Copier;
}

type Copier = (start: number, end: number, answer: Uint8Array, at: number) => void;

const NEW_MEMORY: AnswerMemory = {
  allocate: (size) => new Uint8Array(size),
  copierOf: (entries) => (start, end, answer, at) => answer.set(entries.subarray(start, end), at),
};

export class Entries {
  readonly #starts: Uint32Array;
  readonly #entries: Uint8Array;
  readonly #allocate: AnswerMemory['allocate'];
  readonly #copy: Copier;
  readonly #from = new Float64Array(MAX_ENTRIES);
  readonly #to = new Float64Array(MAX_ENTRIES);
  /** Keeps the compiler from dropping reads whose only purpose is to fill the cache. */
  touched = 0;

  /** @param starts one more position in the bytes than there are entries */
  constructor(entries: Uint8Array, starts: Uint32Array, memory = NEW_MEMORY) {
    this.#starts = starts;
    this.#entries = entries;
    this.#allocate = memory.allocate;
    this.#copy = memory.copierOf(entries);
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** One food, with every digit; the sum of its fatty acids becomes the saturated ones. */
  record(food: number): FoodRecord {
    return readEntry(textOfUtf8(this.#entries, this.#starts[food], this.#starts[food + 1]));
  }

  description(food: number): string {
    const json = descriptionIn(this.#entries, this.#starts[food]!, this.#starts[food + 1]!);
    return JSON.parse(textOfUtf8(json)) as string;
  }

  /** A JSON array of the entries of the first `count` of these foods, at most MAX_ENTRIES. */
  answer(foods: Int32Array, count: number): Uint8Array {
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

  #assembled(size: number, count: number): Uint8Array {
    const answer = this.#allocate(size);
    answer[0] = OPEN;
    let at = 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) answer[at++] = COMMA;
      this.#copy(this.#from[i]!, this.#to[i]!, answer, at);
      at += this.#to[i]! - this.#from[i]!;
    }
    answer[at] = CLOSE;
    return answer;
  }
}
