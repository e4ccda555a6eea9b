/**
 * Postings in parts, as in a database: the parts that some words need, and the postings of these words.
 */

import type { AskedWord } from './asked-words.ts';
import type { Postings, VocabularyFacts, WordRange } from './vocabulary.ts';

/** So few that a rare word costs little, and so many that a common one needs few parts. */
export const POSTINGS_OF_A_PART = 4096;

export type PostingPart = Pick<Postings, 'foods' | 'places'>;

/** All words that match those of the text. */
export function wordsBehind(asked: readonly AskedWord[]): WordRange[] {
  return asked.flatMap(({ begun, itself, plurals }) => {
    const whole = [itself, ...plurals].filter((word) => word >= 0);
    return [begun, ...whole.map((word) => ({ from: word, to: word + 1 }))];
  });
}

export class PostingParts {
  readonly #starts: Uint32Array;
  /** As in `Postings`; valid only for the words that were joined last. */
  readonly #joinedStarts: Uint32Array;

  constructor({ postingStarts }: VocabularyFacts) {
    this.#starts = postingStarts;
    this.#joinedStarts = new Uint32Array(postingStarts.length);
  }

  /** The numbers of the parts that have postings of the words. */
  numbersFor(words: readonly WordRange[]): Set<number> {
    const numbers = new Set<number>();
    for (const { from, to } of words) {
      const end = this.#starts[to]!;
      for (let i = this.#starts[from]!; i < end; i = endOfPart(i)) numbers.add(partOf(i));
    }
    return numbers;
  }

  /** The postings of the words, valid until the next call. @param parts at least those of `numbersFor` */
  join(words: readonly WordRange[], parts: ReadonlyMap<number, PostingPart>): Postings {
    const ranges = apart(words);
    const size = ranges.reduce((sum, { from, to }) => sum + this.#starts[to]! - this.#starts[from]!, 0);
    const foods = new Uint32Array(size);
    const places = new Uint8Array(size);
    let at = 0;
    for (const { from, to } of ranges) {
      const start = this.#starts[from]!;
      for (let word = from; word <= to; word++) this.#joinedStarts[word] = at + this.#starts[word]! - start;
      const end = this.#starts[to]!;
      for (let i = start; i < end; ) {
        const part = parts.get(partOf(i))!;
        const next = Math.min(end, endOfPart(i));
        const first = i % POSTINGS_OF_A_PART;
        foods.set(part.foods.subarray(first, first + next - i), at);
        places.set(part.places.subarray(first, first + next - i), at);
        at += next - i;
        i = next;
      }
    }
    return { postingStarts: this.#joinedStarts, foods, places };
  }
}

const partOf = (posting: number): number => Math.floor(posting / POSTINGS_OF_A_PART);
const endOfPart = (posting: number): number => (partOf(posting) + 1) * POSTINGS_OF_A_PART;

/** The same words in ranges that do not touch. */
function apart(words: readonly WordRange[]): WordRange[] {
  const ranges: WordRange[] = [];
  for (const range of words.filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = ranges.at(-1);
    if (last === undefined || last.to < range.from) ranges.push(range);
    else ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return ranges;
}
