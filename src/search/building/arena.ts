/**
 * Memory for many arrays with the same lifetime, in few large pieces: these return to the system when all arrays are garbage,
 * while small ones would be kept for later allocations.
 */

/** Allocates memory that is all 0, perhaps shared with other threads. */
export type Allocate = (bytes: number) => ArrayBufferLike;

/** Bytes of the first piece, the growth from piece to piece, and the most bytes of a piece. */
const FIRST = 256 * 1024;
const GROWTH = 8;
const MOST = 64 * 1024 * 1024;

/** A multiple of the element size of any array. */
const ALIGNMENT = 8;

export class Arena {
  readonly #allocate: Allocate;
  #piece: ArrayBufferLike = new ArrayBuffer(0);
  #used = 0;
  #next = FIRST;

  constructor(allocate: Allocate) {
    this.#allocate = allocate;
  }

  bytes(length: number): Uint8Array {
    const start = this.#reserve(length);
    return new Uint8Array(this.#piece, start, length);
  }

  keep<Items extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array>(
    items: Items,
  ): Items {
    const { buffer, byteOffset } = this.bytes(items.byteLength);
    const Numbers = items.constructor as new (buffer: ArrayBufferLike, from: number, length: number) => Items;
    const kept = new Numbers(buffer, byteOffset, items.length);
    kept.set(items);
    return kept;
  }

  #reserve(bytes: number): number {
    if (this.#used + bytes > this.#piece.byteLength) {
      this.#piece = this.#allocate(Math.max(this.#next, bytes));
      this.#next = Math.min(MOST, GROWTH * this.#next);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return start;
  }
}
