/**
 * Numbers or bytes whose count is not known in advance. The memory doubles as it fills.
 */
type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array;

export class GrowingArray<Items extends Numbers> {
  #items: Items;
  #length = 0;
  readonly #make: (length: number) => Items;

  constructor(make: (length: number) => Items) {
    this.#make = make;
    this.#items = make(1024);
  }

  get length(): number {
    return this.#length;
  }

  at(index: number): number | undefined {
    return index < this.#length ? this.#items[index] : undefined;
  }

  push(value: number): void {
    if (this.#length === this.#items.length) this.#grow();
    this.#items[this.#length++] = value;
  }

  /** The items so far, without a copy. */
  view(): Items {
    return this.#items.subarray(0, this.#length) as Items;
  }

  #grow(): void {
    const larger = this.#make(2 * this.#items.length);
    larger.set(this.#items);
    this.#items = larger;
  }
}
