/** The entries of an index, and the answers made from them. */

import { ENTRY_BEGINNING, type FoodRecord, MAX_ENTRIES, readEntry, textOfUtf8, utf8 } from '#core';

const COLON = 0x3a;

/** What an answer has around its entries, whose beginnings and ends are not stored. */
const [FIRST, BETWEEN, LAST, EMPTY] = [`[${ENTRY_BEGINNING}`, `},${ENTRY_BEGINNING}`, '}]', '[]'].map(
  utf8,
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
/** Its 20 bytes as three numbers, which are written in the time of three bytes. */
const between = new DataView(BETWEEN.buffer, BETWEEN.byteOffset, BETWEEN.length);
const [START, MIDDLE, END] = [between.getFloat64(0), between.getFloat64(8), between.getFloat32(16)] as const;

/** Those of an entry behind its first one, of which the description is the last. */
const FIELDS = 4;

/** Where the JSON of the description begins in the entry that begins at a position: no figure before it has a colon. */
export function descriptionAt(entries: Uint8Array, start: number): number {
  let at = start;
  for (let fields = 0; fields < FIELDS; at++) if (entries[at] === COLON) fields++;
  return at;
}

/** The JSON of the description of the entry [start, end). */
export const descriptionIn = (entries: Uint8Array, start: number, end: number): Uint8Array =>
  entries.subarray(descriptionAt(entries, start), end);

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
  readonly #copy: Copier;
  readonly #allocate: AnswerMemory['allocate'];
  readonly #from = new Float64Array(MAX_ENTRIES);
  readonly #to = new Float64Array(MAX_ENTRIES);
  /** Keeps the compiler from dropping reads whose only purpose is to fill the cache. */
  touched = 0;

  /** @param starts one more position in the bytes than there are entries */
  constructor(entries: Uint8Array, starts: Uint32Array, memory = NEW_MEMORY) {
    this.#starts = starts;
    this.#entries = entries;
    this.#copy = memory.copierOf(entries);
    this.#allocate = memory.allocate;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /** One food, with every digit; the sum of its fatty acids becomes the saturated ones. */
  record(food: number): FoodRecord {
    return readEntry(this.json(food));
  }

  json(food: number): string {
    return `${ENTRY_BEGINNING}${textOfUtf8(this.#entries, this.#starts[food], this.#starts[food + 1])}}`;
  }

  description(food: number): string {
    const json = descriptionIn(this.#entries, this.#starts[food]!, this.#starts[food + 1]!);
    return JSON.parse(textOfUtf8(json)) as string;
  }

  /** A JSON array of the entries of the first `count` of these foods, at most MAX_ENTRIES. */
  answer(foods: Int32Array, count: number): Uint8Array {
    const entries = this.#entries;
    if (count === 0) return put(EMPTY, this.#allocate(EMPTY.length), 0);
    let size = FIRST.length + (count - 1) * BETWEEN.length + LAST.length;
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
    const answer = put(FIRST, this.#allocate(size), 0);
    if (count > 1) this.#separate(answer, count);
    for (let i = 0, at = FIRST.length; i < count; i++) {
      this.#copy(this.#from[i]!, this.#to[i]!, answer, at);
      at += this.#to[i]! - this.#from[i]! + BETWEEN.length;
    }
    return put(LAST, answer, size - LAST.length);
  }

  #separate({ buffer, byteOffset, length }: Uint8Array, count: number): void {
    const view = new DataView(buffer, byteOffset, length);
    for (let i = 0, at = FIRST.length; i < count - 1; i++, at += BETWEEN.length) {
      at += this.#to[i]! - this.#from[i]!;
      view.setFloat64(at, START);
      view.setFloat64(at + 8, MIDDLE);
      view.setFloat32(at + 16, END);
    }
  }
}

/** Returns the answer. */
function put(bytes: Uint8Array, answer: Uint8Array, at: number): Uint8Array {
  for (let i = 0; i < bytes.length; i++) answer[at + i] = bytes[i]!;
  return answer;
}
