/**
 * The rows of the tables of a data set, as blocks for COPY.
 */
import type { FoodIndex } from '../../search/food-index.ts';
import { foodRows } from '../../search/food-rows.ts';
import { commonWords } from '../../search/only-word.ts';
import { portionRows } from '../../search/portion-table.ts';
import type { IndexSections } from '../../search/sections.ts';
import { textRows } from '../../search/text-rows.ts';
import { Vocabulary } from '../../search/words/vocabulary.ts';
import { CopyRows } from './copy.ts';
import { digestOf, stored, wordKey } from './schema.ts';
import { wordParts } from './word-parts.ts';

/** The phases of a load, in order. */
export type LoadPhase =
  | 'foods'
  | 'patterns'
  | 'words'
  | 'portions'
  | 'indexes'
  | 'checks'
  | 'removing the old data set';

/** Receives the rows of this phase so far, and their share of all of it, from 0 to 1. */
export type LoadProgress = (phase: LoadPhase, rows: number, share: number) => void;

export function* foodBlocks(sections: IndexSections, progress: LoadProgress): Generator<Buffer> {
  const rows = new CopyRows();
  const total = sections.entryStarts.length - 1;
  let id = 0;
  for (const { folded, scores, entry } of foodRows(sections)) {
    rows.row(4);
    rows.integer(id++);
    // As `stored` does.
    rows.text(folded.includes(0) ? folded.map((byte) => (byte === 0 ? 0x4e : byte)) : folded);
    rows.text(scores);
    rows.text(entry);
    const block = rows.take();
    if (block === undefined) continue;
    yield block;
    progress('foods', id, id / total);
  }
  yield rows.finish();
}

/** @param cutKeys receives the keys that have more foods than a row can list */
export function* patternBlocks(
  sections: IndexSections,
  index: FoodIndex,
  progress: LoadProgress,
  cutKeys: Set<string>,
): Generator<Buffer> {
  const rows = new CopyRows();
  let count = 0;
  const add = (key: string, isAnswer: boolean, foods: Int32Array): Buffer | undefined => {
    rows.row(3);
    rows.text(key);
    rows.boolean(isAnswer);
    rows.integers(foods);
    count++;
    return rows.take();
  };
  for (const { key, isAnswer, foods, isCut, progress: share } of textRows(sections, index)) {
    if (isCut) cutKeys.add(key);
    const block = add(stored(key), isAnswer, foods);
    if (block === undefined) continue;
    yield block;
    progress('patterns', count, share);
  }
  for (const word of commonWords(new Vocabulary(sections.vocabulary))) {
    const block = add(wordKey(word.text), true, index.bestOfWord(word));
    if (block !== undefined) yield block;
  }
  yield rows.finish();
}

export function* portionBlocks(sections: IndexSections, progress: LoadProgress): Generator<Buffer> {
  const rows = new CopyRows();
  let count = 0;
  progress('portions', 0, 0);
  for (const { key, portions } of portionRows(sections)) {
    rows.row(2);
    rows.text(digestOf(key));
    rows.text(portions);
    count++;
    const block = rows.take();
    if (block !== undefined) yield block;
  }
  progress('portions', count, 1);
  yield rows.finish();
}

export function* wordBlocks(sections: IndexSections, progress: LoadProgress): Generator<Buffer> {
  const rows = new CopyRows();
  let count = 0;
  progress('words', 0, 0);
  for (const { section, part, bytes } of wordParts(sections)) {
    rows.row(3);
    rows.text(section);
    rows.integer(part);
    rows.text(bytes);
    count++;
    const block = rows.take();
    if (block !== undefined) yield block;
  }
  progress('words', count, 1);
  yield rows.finish();
}
