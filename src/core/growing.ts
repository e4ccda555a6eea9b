/** An array of numbers whose count is not known before. One of this size would be allocated and cleared anew each time it grows. */
export class Growing<Items extends Uint8Array | Uint16Array | Uint32Array | Float64Array> {
  items: Items;
  length = 0;

  /** @param items memory to begin with */
  constructor(items: Items) {
    this.items = items;
  }

  /** Those so far. */
  get all(): Items {
    return this.items.subarray(0, this.length) as Items;
  }

  /** Forgets them, and keeps the memory. */
  clear(): void {
    this.length = 0;
  }

  push(number: number): void {
    if (this.length === this.items.length) this.reserve(1);
    this.items[this.length++] = number;
  }

  add(numbers: Items): void {
    this.reserve(numbers.length);
    this.items.set(numbers, this.length);
    this.length += numbers.length;
  }

  /** Makes room for so many more. */
  reserve(count: number): void {
    if (this.length + count <= this.items.length) return;
    const { all } = this;
    this.items = new (all.constructor as new (length: number) => Items)(2 * (this.length + count));
    this.items.set(all);
  }
}

export const growingNumbers = (): Growing<Uint32Array> => new Growing(new Uint32Array(2 ** 14));
