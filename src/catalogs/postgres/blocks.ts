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
import { CopyRows, type Field } from './copy.ts';
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
