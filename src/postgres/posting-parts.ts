/** Postings in parts, as in a database: the parts that some words need, and the postings of these words. */
import { countedOf, POSTINGS_OF_A_PART, type Postings, type VocabularyFacts, type WordRange } from '#engine';

export type PostingPart = Pick<Postings, 'foods' | 'places'>;

export class PostingParts {
  readonly #starts: Uint32Array;
  /** As in `Postings`; valid only for the words that were joined last. */
  readonly #joinedStarts: Uint32Array;

  constructor({ postingStarts }: VocabularyFacts) {
    this.#starts = postingStarts;
    this.#joinedStarts = new Uint32Array(postingStarts.length);
  }

  /** The numbers of the parts that have postings of the words. @param share of each word */
  numbersFor(words: readonly WordRange[], share: number): Set<number> {
    const numbers = new Set<number>();
    for (const [start, end] of this.#runs(apart(words), share))
      for (let i = start; i < end; i = endOfPart(i)) numbers.add(partOf(i));
    return numbers;
  }

  /** The postings of the words, valid until the next call. @param parts at least those of `numbersFor` */
  join(words: readonly WordRange[], share: number, parts: ReadonlyMap<number, PostingPart>): Postings {
    const ranges = apart(words);
    let size = 0;
    for (const { from, to } of ranges) {
      for (let word = from; word < to; word++) {
        this.#joinedStarts[word] = size;
        size += countedOf(this.#starts[word + 1]! - this.#starts[word]!, share);
      }
      this.#joinedStarts[to] = size;
    }
    const foods = new Int32Array(size);
    const places = new Uint8Array(size);
    let at = 0;
    for (const [start, end] of this.#runs(ranges, share)) {
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

  /** The postings of the words as consecutive ones [start, end). */
  *#runs(ranges: readonly WordRange[], share: number): Generator<readonly [start: number, end: number]> {
    for (const { from, to } of ranges) {
      let start = this.#starts[from]!;
      let end = start;
      for (let word = from; word < to; word++) {
        const first = this.#starts[word]!;
        if (end < first) {
          yield [start, end];
          start = first;
        }
        end = first + countedOf(this.#starts[word + 1]! - first, share);
      }
      yield [start, end];
    }
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
