/**
 * The rows of the tables of a data set, in blocks for COPY.
 */
import type { FoodIndex } from '../../search/food-index.ts';
import { foodRows } from '../../search/food-rows.ts';
import { commonWords } from '../../search/only-word.ts';
import { portionRows } from '../../search/portion-table.ts';
import type { IndexSections } from '../../search/sections.ts';
import { textRows } from '../../search/text-rows.ts';
import { Vocabulary } from '../../search/words/vocabulary.ts';
import { digestOf, stored, type TableName, wordKey } from './schema.ts';
import { wordParts } from './word-parts.ts';

/** The phases of a load, in order: first each table. */
export type LoadPhase = TableName | 'indexes' | 'checks' | 'removing the old data set';

/** Receives the rows of this phase so far, and their share of all of it, from 0 to 1. */
export type LoadProgress = (phase: LoadPhase, rows: number, share: number) => void;

interface Row {
  readonly fields: readonly Field[];
  /** The share of the table up to this row, if it is known. */
  readonly share?: number;
}

/** @param cutKeys receives the keys that have more foods than a row can list */
export function* blocksOf(
  table: TableName,
  sections: IndexSections,
  index: FoodIndex,
  progress: LoadProgress,
  cutKeys: Set<string>,
): Generator<Buffer> {
  const copy = new CopyRows();
  let count = 0;
  progress(table, 0, 0);
  for (const { fields, share } of ROWS[table](sections, index, cutKeys)) {
    copy.row(fields);
    count++;
    const block = copy.take();
    if (block === undefined) continue;
    yield block;
    if (share !== undefined) progress(table, count, share);
  }
  progress(table, count, 1);
  yield copy.finish();
}

const ROWS: Readonly<
  Record<TableName, (sections: IndexSections, index: FoodIndex, cutKeys: Set<string>) => Iterable<Row>>
> = {
  *foods(sections) {
    const total = sections.entryStarts.length - 1;
    let id = 0;
    for (const { folded, scores, entry } of foodRows(sections)) {
      // As `stored` does.
      const text = folded.includes(0) ? folded.map((byte) => (byte === 0 ? 0x4e : byte)) : folded;
      yield { fields: [id, text, scores, entry], share: id / total };
      id++;
    }
  },
  *patterns(sections, index, cutKeys) {
    for (const { key, isAnswer, foods, isCut, progress: share } of textRows(sections, (text) =>
      index.best(text),
    )) {
      if (isCut) cutKeys.add(key);
      yield { fields: [stored(key), isAnswer, foods], share };
    }
    for (const word of commonWords(new Vocabulary(sections.vocabulary)))
      yield { fields: [wordKey(word.text), true, index.bestOfWord(word)] };
  },
  *words(sections) {
    for (const { section, part, bytes } of wordParts(sections)) yield { fields: [section, part, bytes] };
  },
  *portions(sections) {
    for (const { key, portions } of portionRows(sections)) yield { fields: [digestOf(key), portions] };
  },
};

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const END = Buffer.from([0xff, 0xff]);

/** Typical bytes of a block: enough to make the cost of a block negligible. */
const BLOCK = 1 << 18;

const INTEGER_TYPE = 23;

/** An integer, a boolean, a text or bytes, an array of integers. */
type Field = number | boolean | string | Uint8Array | Int32Array;

/** Encodes rows in the binary format of COPY. The text format would take a third more processor time, here and in the server. */
class CopyRows {
  #block = Buffer.allocUnsafe(2 * BLOCK);
  #length = SIGNATURE.copy(this.#block);

  row(fields: readonly Field[]): void {
    const values = fields.map(bytesOf);
    const end = values.reduce((at, { length }) => at + 4 + length, this.#length + 2);
    if (end > this.#block.length)
      this.#block = Buffer.concat([this.#block.subarray(0, this.#length)], 2 * end);
    this.#length = this.#block.writeInt16BE(fields.length, this.#length);
    for (const value of values) {
      this.#length = this.#block.writeInt32BE(value.length, this.#length);
      this.#block.set(value, this.#length);
      this.#length += value.length;
    }
  }

  /** A full block, or undefined. */
  take(): Buffer | undefined {
    if (this.#length < BLOCK) return undefined;
    const full = this.#block.subarray(0, this.#length);
    this.#block = Buffer.allocUnsafe(2 * BLOCK);
    this.#length = 0;
    return full;
  }

  /** The last block, with the trailer. */
  finish(): Buffer {
    return Buffer.concat([this.#block.subarray(0, this.#length), END]);
  }
}

function bytesOf(field: Field): Uint8Array {
  if (typeof field === 'number') return integer(field);
  if (typeof field === 'boolean') return Uint8Array.of(field ? 1 : 0);
  if (typeof field === 'string') return Buffer.from(field);
  if (!(field instanceof Int32Array)) return field;
  // Number of dimensions, a flag for nulls, type of the elements; length and lower bound of the dimension; each with its bytes.
  const bytes = Buffer.allocUnsafe(20 + 8 * field.length);
  let end = 0;
  for (const value of [1, 0, INTEGER_TYPE, field.length, 1]) end = bytes.writeInt32BE(value, end);
  for (const value of field) {
    end = bytes.writeInt32BE(4, end);
    end = bytes.writeInt32BE(value, end);
  }
  return bytes;
}

function integer(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}
