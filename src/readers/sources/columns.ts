/**
 * Numbers and texts of millions of foods outside the heap of JavaScript: arrays that grow.
 */

/** An array of numbers that grows; numbers that were never set are 0. */
export class Column<Numbers extends Int32Array | Uint8Array | Float64Array> {
  #numbers: Numbers;
  readonly #Numbers: new (
    length: number,
  ) => Numbers;

  constructor(ofNumbers: new (length: number) => Numbers) {
    this.#Numbers = ofNumbers;
    this.#numbers = new ofNumbers(1024);
  }

  get(at: number): number {
    return at < this.#numbers.length ? (this.#numbers[at] as number) : 0;
  }

  set(at: number, value: number): void {
    if (at >= this.#numbers.length) {
      const larger = new this.#Numbers(Math.max(at + 1, this.#numbers.length * 2));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[at] = value;
  }
}

/** Texts by number, back to back in UTF-8; those that were never set are empty. */
export class Texts {
  readonly #starts = new Column(Int32Array);
  readonly #lengths = new Column(Int32Array);
  #bytes = Buffer.alloc(64 * 1024);
  #end = 0;

  get(at: number): string {
    const start = this.#starts.get(at);
    return this.#bytes.toString('utf8', start, start + this.#lengths.get(at));
  }

  set(at: number, text: string): void {
    const added = Buffer.from(text);
    if (this.#end + added.length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length + added.length)]);
    }
    added.copy(this.#bytes, this.#end);
    this.#starts.set(at, this.#end);
    this.#lengths.set(at, added.length);
    this.#end += added.length;
  }
}
