/** The rows of the tables of a data set, in blocks for COPY. */
import type { FactName } from '#core';
import { CodesByFood, Facts, type FoodIndex, foodsWith, type IndexSections, Vocabulary } from '#engine';
import { foodRows } from './food-rows.ts';
import { commonWords } from './only-word.ts';
import { digestOf, stored, type TableName, wordKey } from './schema.ts';
import { textRows } from './text-rows.ts';
import { wordParts } from './word-parts.ts';

/** The phases of a load, in order: first each table. */
export type LoadPhase = TableName | 'indexes' | 'checks' | 'removing the old data set';

/** Receives the rows of this phase so far, and their share of all of it, from 0 to 1. */
export type LoadProgress = (phase: LoadPhase, rows: number, share: number) => void;

interface CopyRow {
  readonly fields: readonly CopyField[];
  /** The share of the table up to this row, if it is known. */
  readonly share?: number;
}

/** Typical bytes of a block: enough to make the cost of a block negligible. */
const BLOCK = 1 << 18;

/** In the binary format of COPY: the text format would take a third more processor time, here and in the server. */
export function* blocksOf(
  table: TableName,
  sections: IndexSections,
  index: FoodIndex,
  progress: LoadProgress,
): Generator<Buffer> {
  let block = Buffer.allocUnsafe(2 * BLOCK);
  let length = SIGNATURE.copy(block);
  let count = 0;
  progress(table, 0, 0);
  for (const { fields, share } of ROWS[table](sections, index)) {
    const values = fields.map(bytesOf);
    const end = values.reduce((at, value) => at + 4 + value.length, length + 2);
    if (end > block.length) block = Buffer.concat([block.subarray(0, length)], 2 * end);
    length = block.writeInt16BE(fields.length, length);
    for (const value of values) {
      length = block.writeInt32BE(value.length, length);
      block.set(value, length);
      length += value.length;
    }
    count++;
    if (length < BLOCK) continue;
    yield block.subarray(0, length);
    block = Buffer.allocUnsafe(2 * BLOCK);
    length = 0;
    if (share !== undefined) progress(table, count, share);
  }
  progress(table, count, 1);
  yield Buffer.concat([block.subarray(0, length), COPY_END]);
}

const factRows = (what: FactName) =>
  function* rows(sections: IndexSections): Generator<CopyRow> {
    const facts = new Facts(sections.facts);
    for (const { key, food } of foodsWith(sections, (each) => facts.has(what, each)))
      yield { fields: [digestOf(key), facts.render(what, food)] };
  };

const ROWS: Readonly<Record<TableName, (sections: IndexSections, index: FoodIndex) => Iterable<CopyRow>>> = {
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
  *patterns(sections, index) {
    for (const { key, isAnswer, foods, progress: share } of textRows(sections, (text) => index.best(text)))
      yield { fields: [stored(key), isAnswer, foods], share };
    for (const word of commonWords(new Vocabulary(sections.vocabulary)))
      yield { fields: [wordKey(word.text), true, index.bestOfWord(word)] };
  },
  *words(sections) {
    for (const { section, part, bytes } of wordParts(sections)) yield { fields: [section, part, bytes] };
  },
  portions: factRows('portions'),
  names: factRows('names'),
  nutrients: factRows('nutrients'),
  *codes(sections) {
    const codes = new CodesByFood(sections.codes, sections.entryStarts.length - 1);
    for (let food = 0; food < sections.entryStarts.length - 1; food++)
      for (const code of codes.of(food)) yield { fields: [code, food] };
  },
};

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const COPY_END = Buffer.from([0xff, 0xff]);

const INTEGER_TYPE = 23;

/** An integer, a boolean, a text or bytes, an array of integers. */
type CopyField = number | boolean | string | Uint8Array | Int32Array;

function bytesOf(field: CopyField): Uint8Array {
  if (typeof field === 'number') return integersOf([field]);
  if (typeof field === 'boolean') return Uint8Array.of(field ? 1 : 0);
  if (typeof field === 'string') return Buffer.from(field);
  if (!(field instanceof Int32Array)) return field;
  // Number of dimensions, a flag for nulls, type of the elements; length and lower bound of the dimension; each with its bytes.
  const numbers = [1, 0, INTEGER_TYPE, field.length, 1];
  for (const value of field) numbers.push(4, value);
  return integersOf(numbers);
}

function integersOf(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(4 * values.length);
  let end = 0;
  for (const value of values) end = bytes.writeInt32BE(value, end);
  return bytes;
}
