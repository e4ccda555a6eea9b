/**
 * Numbers or bytes whose count is not known in advance. The memory doubles as it fills, up to a limit.
 */
type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array;

export class GrowingArray<Items extends Numbers> {
  #items: Items;
  #length = 0;
  readonly #make: (length: number) => Items;
  readonly #most: number;

  /** @param most maximum number of items; adding more than `make` can allocate throws its RangeError */
  constructor(make: (length: number) => Items, most = Number.POSITIVE_INFINITY) {
    this.#make = make;
    this.#most = most;
    this.#items = make(Math.min(1024, most));
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): number | undefined {
    return index < this.#length ? this.#items[index] : undefined;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) this.#grow(this.#length + 1);
    this.#items[this.#length++] = value;
  }

  /** Room for `count` more items: the array to write to and where they go. */
  reserve(count: number): { readonly items: Items; readonly start: number } {
    const start = this.#length;
    if (start + count > this.#items.length) this.#grow(start + count);
    this.#length += count;
    return { items: this.#items, start };
  }

  /** The items so far, without a copy. */
  view(): Items {
    return this.#items.subarray(0, this.#length) as Items;
  }

  #grow(least: number): void {
    const larger = this.#make(Math.max(least, Math.min(this.#most, 2 * this.#items.length)));
    larger.set(this.#items);
    this.#items = larger;
  }
}
