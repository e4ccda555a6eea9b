/**
 * The entries of an index, and the answers made from them.
 */
import { allocate } from '../answer-memory.ts';
import { type FoodRecord, MAX_ENTRIES, readEntry } from '../food.ts';

/**
 * Bytes after the entries, in the same buffer, in which answers are assembled: copies within one buffer need no
 * objects. An answer of 100 entries mostly has 16 KB; larger ones are assembled elsewhere, which takes longer.
 */
export const ANSWER_ROOM = 256 * 1024;

/** Bytes for entries, followed by ANSWER_ROOM in their buffer. */
export function allocateEntries(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length + ANSWER_ROOM), 0, length);
}

const [OPEN, COMMA, CLOSE] = Buffer.from('[,]') as unknown as [number, number, number];

// Shared by all searches: legal only because a search never awaits.
const starts = new Float64Array(MAX_ENTRIES);
const ends = new Float64Array(MAX_ENTRIES);
/** Keeps the compiler from dropping reads whose only purpose is to fill the cache. */
export let sink = 0;

export class Entries {
  readonly #entries: Uint8Array;
  readonly #starts: Uint32Array;
  readonly #buffer: Buffer;
  /** The entries and the room after them. */
  readonly #bytes: Uint8Array;
  /** Bytes of the room; 0 if the buffer ends with the entries, or if other threads write to it, too. */
  readonly #room: number;

  /**
   * @param entries the JSON of all entries, back to back
   * @param starts one more position in them than there are entries
   */
  constructor(entries: Uint8Array, starts: Uint32Array) {
    const { buffer, byteOffset, length } = entries;
    this.#entries = entries;
    this.#starts = starts;
    this.#buffer = Buffer.from(buffer, byteOffset, length);
    this.#bytes = new Uint8Array(buffer, byteOffset);
    this.#room =
      buffer instanceof ArrayBuffer && this.#bytes.length - length >= ANSWER_ROOM ? ANSWER_ROOM : 0;
  }

  get size(): number {
    return this.#starts.length - 1;
  }

  /**
   * One food, with every digit of its figures. An entry holds only the sum of the fatty acids, which becomes the
   * saturated ones.
   */
  record(food: number): FoodRecord {
    const entry = this.#entries.subarray(this.#starts[food], this.#starts[food + 1]);
    return readEntry(Buffer.from(entry).toString());
  }

  /** A JSON array of the entries of the first `count` of these foods, at most MAX_ENTRIES. */
  answer(foods: Int32Array, count: number): Buffer {
    const entries = this.#entries;
    let size = 2 + Math.max(0, count - 1);
    for (let i = 0; i < count; i++) {
      starts[i] = this.#starts[foods[i]!]!;
      ends[i] = this.#starts[foods[i]! + 1]!;
      size += ends[i]! - starts[i]!;
    }
    // Independent loads, so that their cache misses overlap, before the entries are copied.
    let touched = 0;
    for (let i = 0; i < count; i++) {
      const start = starts[i]!;
      const last = ends[i]! - 1;
      touched |= entries[start]! | entries[start + ((last - start) >>> 1)]! | entries[last]!;
    }
    sink = touched;
    return size > this.#room ? this.#assembleApart(size, count) : this.#assemble(size, count);
  }

  #assemble(size: number, count: number): Buffer {
    const bytes = this.#bytes;
    const from = this.#entries.length;
    bytes[from] = OPEN;
    let at = from + 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) bytes[at++] = COMMA;
      bytes.copyWithin(at, starts[i]!, ends[i]!);
      at += ends[i]! - starts[i]!;
    }
    bytes[at] = CLOSE;
    const answer = allocate(size);
    answer.set(bytes.subarray(from, at + 1));
    return answer;
  }

  /** With Buffer: V8 itself copies shared memory byte by byte, 30 times as slowly. */
  #assembleApart(size: number, count: number): Buffer {
    const answer = allocate(size);
    answer[0] = OPEN;
    let at = 1;
    for (let i = 0; i < count; i++) {
      if (i > 0) answer[at++] = COMMA;
      at += this.#buffer.copy(answer, at, starts[i], ends[i]);
    }
    answer[at] = CLOSE;
    return answer;
  }
}
