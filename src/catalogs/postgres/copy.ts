/**
 * Encodes rows in the binary format of COPY, in blocks.
 */

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = Buffer.from([0xff, 0xff]);

/** Typical bytes of a block: enough to make the cost of a block negligible. */
const BLOCK = 1 << 18;

const INTEGER_TYPE = 23;

/** An integer, a boolean, a text or bytes, an array of integers. */
export type Field = number | boolean | string | Uint8Array | Int32Array;

export class CopyRows {
  #block = Buffer.allocUnsafe(2 * BLOCK);
  #length = 0;

  constructor() {
    this.#bytes(SIGNATURE);
  }

  row(fields: readonly Field[]): void {
    this.#room(2);
    this.#length = this.#block.writeInt16BE(fields.length, this.#length);
    for (const field of fields) {
      if (typeof field === 'number') {
        this.#integer(4);
        this.#integer(field);
      } else if (typeof field === 'boolean') {
        this.#integer(1);
        this.#bytes(Uint8Array.of(field ? 1 : 0));
      } else if (typeof field === 'string') {
        this.#integer(Buffer.byteLength(field));
        this.#room(3 * field.length);
        this.#length += this.#block.write(field, this.#length);
      } else if (field instanceof Int32Array) this.#integers(field);
      else {
        this.#integer(field.length);
        this.#bytes(field);
      }
    }
  }

  /** A full block, or undefined. */
  take(): Buffer | undefined {
    return this.#length < BLOCK ? undefined : this.#cut();
  }

  /** The last block, with the trailer. */
  finish(): Buffer {
    this.#bytes(END);
    return this.#cut();
  }

  #cut(): Buffer {
    const full = this.#block.subarray(0, this.#length);
    this.#block = Buffer.allocUnsafe(2 * BLOCK);
    this.#length = 0;
    return full;
  }

  #integers(values: Int32Array): void {
    this.#integer(20 + 8 * values.length);
    // Number of dimensions, a flag for nulls, type of the elements; then length and lower bound of the dimension.
    for (const value of [1, 0, INTEGER_TYPE, values.length, 1]) this.#integer(value);
    this.#room(8 * values.length);
    for (const value of values) {
      this.#length = this.#block.writeInt32BE(4, this.#length);
      this.#length = this.#block.writeInt32BE(value, this.#length);
    }
  }

  #integer(value: number): void {
    this.#room(4);
    this.#length = this.#block.writeInt32BE(value, this.#length);
  }

  #bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#block.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#block.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    larger.set(this.#block.subarray(0, this.#length));
    this.#block = larger;
  }
}
