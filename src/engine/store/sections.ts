/**
 * The parts of an index: only typed arrays, so that it can be written to a file and read back unchanged. `n` is the length
 * of the corpus, `f` the number of foods, in their static order: food 0 is the best by itself.
 */

import { END } from '../suffixes/alphabet.ts';
import { BLOCK_SIZE, populationCount } from '../suffixes/bits.ts';
import type { SortedSuffixes } from '../suffixes/suffix-range.ts';
import type { NameKeys } from '../words/name-keys.ts';
import type { VocabularySections } from '../words/vocabulary.ts';
import type { CodeSections } from './code-sections.ts';
import type { FactSections } from './facts.ts';
import type { ForeignNames } from './foreign-names.ts';

const BLOCK_BITS = Math.log2(BLOCK_SIZE);

export type SectionArray = Uint8Array | Uint32Array | Int32Array;

export interface IndexSections {
  /** The folded descriptions as symbols (see `alphabet.ts`), each followed by END. */
  readonly corpus: Uint8Array;
  /** Two numbers for every 32 positions of the corpus: the food to which the first belongs, and which of them are END. */
  readonly blocks: Uint32Array;
  /** The JSON of all entries without what begins and ends each, back to back (see `entries.ts`). */
  readonly entries: Uint8Array;
  readonly entryStarts: Uint32Array;
  /** One number: that of the first food with the name of an earlier food, or f. All later foods are such foods, too. */
  readonly firstRepeat: Uint32Array;
  readonly words: SortedSuffixes;
  /** For each entry of `words.suffixes` its score (see `order/points.ts`) for the three ends of a match. */
  readonly segmentEndScores: Uint8Array;
  readonly wordEndScores: Uint8Array;
  readonly insideScores: Uint8Array;
  /** All other suffixes, except those that begin with END. */
  readonly inner: SortedSuffixes;
  readonly vocabulary: VocabularySections;
  readonly facts: FactSections;
  readonly names: NameKeys;
  readonly codes: CodeSections;
  readonly foreign: ForeignNames;
  /** By the tag of each further language of the foods, the bytes of `languages/language-part.ts`. */
  readonly languages: Readonly<Record<string, Uint8Array>>;
}

/** The number of the food to which a position of the corpus belongs. */
export function foodAt(blocks: Uint32Array, position: number): number {
  const block = 2 * (position >>> BLOCK_BITS);
  const endsBefore = blocks[block + 1]! & ((1 << (position % BLOCK_SIZE)) - 1);
  return blocks[block]! + populationCount(endsBefore);
}

/** Fills in `blocks`. */
export function fillBlocks({ corpus, blocks }: { corpus: Uint8Array; blocks: Uint32Array }): void {
  let food = 0;
  for (let position = 0; position < corpus.length; position += BLOCK_SIZE) {
    const block = 2 * (position / BLOCK_SIZE);
    const end = Math.min(position + BLOCK_SIZE, corpus.length);
    let ends = 0;
    blocks[block] = food;
    for (let k = position; k < end; k++) {
      if (corpus[k] !== END) continue;
      ends |= 1 << (k - position);
      food++;
    }
    blocks[block + 1] = ends;
  }
}

/** Receives an index while it is made. Its entries, most of its bytes, arrive piece by piece. */
export interface IndexSink {
  /** Takes all arrays but the entries, most of them not yet filled in, to own them. @param entriesSize bytes of the entries */
  begin(index: IndexSections, entriesSize: number): void;
  /** Takes the next entries, whose memory is reused. Further ones wait for the returned promise. */
  entries(bytes: Uint8Array): Promise<void> | void;
  /** Some of the arrays are final. Resolves when the sink no longer keeps them, if it does not keep all. */
  finished(arrays: readonly SectionArray[]): Promise<void>;
}

/** The whole index that a function hands over. */
export async function inMemory(make: (sink: IndexSink) => Promise<void>): Promise<IndexSections> {
  let index: IndexSections | undefined;
  let size = 0;
  await make({
    begin: (begun, entriesSize) => {
      index = { ...begun, entries: new Uint8Array(entriesSize) };
    },
    entries: (bytes) => {
      index!.entries.set(bytes, size);
      size += bytes.length;
    },
    finished: async () => {},
  });
  return index!;
}
