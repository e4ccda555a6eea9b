/**
 * Memory for many arrays with the same lifetime, in few large pieces: these return to the system when all arrays are garbage,
 * while small ones would be kept for later allocations.
 */

/** Allocates memory that is all 0, perhaps shared with other threads. */
export type Allocate = (bytes: number) => ArrayBufferLike;

/** Bytes of the first piece, and of each further one: the C library may keep up to 32 MB that are freed at once. */
const FIRST = 256 * 1024;
const FURTHER = 64 * 1024 * 1024;

/** A multiple of the element size of any array. */
const ALIGNMENT = 8;

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

export class Arena {
  readonly #allocate: Allocate;
  #piece: ArrayBufferLike = new ArrayBuffer(0);
  #used = 0;
  #next = FIRST;

  constructor(allocate: Allocate) {
    this.#allocate = allocate;
  }

  /** The same object, with copies of its arrays in this memory. */
  keep<Arrays extends object>(arrays: Arrays): Arrays {
    const kept = Object.entries(arrays).map(([name, value]) => [
      name,
      ArrayBuffer.isView(value) ? this.#copy(value as Numbers) : value,
    ]);
    return Object.fromEntries(kept) as Arrays;
  }

  #copy(items: Numbers): Numbers {
    if (this.#used + items.byteLength > this.#piece.byteLength) {
      this.#piece = this.#allocate(Math.max(this.#next, items.byteLength));
      this.#next = FURTHER;
      this.#used = 0;
    }
    const Type = items.constructor as new (buffer: ArrayBufferLike, from: number, length: number) => Numbers;
    const copy = new Type(this.#piece, this.#used, items.length);
    copy.set(items);
    this.#used += Math.ceil(items.byteLength / ALIGNMENT) * ALIGNMENT;
    return copy;
  }
}
