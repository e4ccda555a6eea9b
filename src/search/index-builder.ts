/**
 * Makes an index of foods: takes them one by one, then puts them in order once. The only class of the engine
 * that changes; what it makes is only read.
 *
 * Cost for f foods with n bytes of folded descriptions: O(n) time but for one sort of f numbers; memory about
 * 6 n and twice the JSON of all entries, at the most.
 */
import { constants } from 'node:buffer';
import { UserError } from '../errors.ts';
import { fold } from '../fold.ts';
import { type FoodRecord, renderEntry } from '../food.ts';
import { ANSWER_ROOM, allocateEntries } from './entries.ts';
import { GrowingArray } from './growing-array.ts';
import { readName } from './ranking/food-name.ts';
import { Ranking, SCORE_MAX, SCORE_MIN } from './ranking/ranking.ts';
import { NameStatistics } from './ranking/statistics.ts';
import { BLOCK_SIZE, type IndexSections } from './sections.ts';
import { splitSuffixes } from './split-suffixes.ts';
import { END, SYMBOL_OF } from './suffixes/alphabet.ts';
import { suffixArray } from './suffixes/suffix-array.ts';

/** Positions are signed 32-bit numbers. */
const MAX_CORPUS = 2 ** 30 - 1;

/** Positions in the entries are unsigned 32-bit numbers; and Node.js 20 has no larger buffers. */
const MAX_ENTRIES_SIZE = Math.min(2 ** 32 - 1, constants.MAX_LENGTH) - ANSWER_ROOM;

/** Longer descriptions count as of this length where equal scores are put in order. */
const MAX_ORDERED_LENGTH = 2 ** 16 - 1;

export type BuildPhase = 'scoring' | 'sorting foods' | 'sorting suffixes' | 'filling the index';

/** In the order in which the foods came. */
interface Scored {
  readonly staticScores: Int16Array;
  /** The words of food i are [firstWords[i], firstWords[i + 1]). */
  readonly firstWords: Uint32Array;
  /** Of each word: where it begins in the bytes of its folded description, and its three scores. */
  readonly positions: Uint32Array;
  readonly scores: Uint8Array;
}

export class IndexBuilder {
  readonly #statistics = new NameStatistics();
  readonly #descriptions: string[] = [];
  readonly #maxEntriesSize: number;
  readonly #entries: GrowingArray<Uint8Array>;
  readonly #entryStarts = new GrowingArray((length) => new Uint32Array(length));
  #corpusLength = 0;

  /** @param maxEntriesSize bytes of all entries at the most */
  constructor(maxEntriesSize = MAX_ENTRIES_SIZE) {
    this.#maxEntriesSize = maxEntriesSize;
    // Doubled once more, its memory could be larger than any buffer before the entries are.
    this.#entries = new GrowingArray((length) => new Uint8Array(length), maxEntriesSize);
  }

  /** The number of foods so far. */
  get size(): number {
    return this.#descriptions.length;
  }

  /** @throws UserError where the foods do not fit into one index */
  add(food: FoodRecord): void {
    const description = food.description.normalize('NFC');
    const folded = fold(description);
    this.#statistics.add(readName(description, folded));
    this.#descriptions.push(description);
    this.#corpusLength += Buffer.byteLength(folded) + 1;
    const entry = renderEntry(food);
    const size = Buffer.byteLength(entry);
    if (this.#corpusLength > MAX_CORPUS || this.#entries.length + size > this.#maxEntriesSize) {
      throw new UserError(
        `${this.size.toLocaleString('en')} foods and more do not fit into one index. Leave some out, or use a database.`,
      );
    }
    this.#entryStarts.push(this.#entries.length);
    const { items, start } = this.#entries.reserve(size);
    Buffer.from(items.buffer).write(entry, start);
  }

  /** The finished index. The builder is spent. */
  finish(onPhase: (phase: BuildPhase) => void = () => {}): IndexSections {
    onPhase('scoring');
    const scored = this.#score();
    onPhase('sorting foods');
    const order = this.#order(scored.staticScores);
    const entries = this.#orderEntries(order);
    const { corpus, blocks, wordPositions, scores } = this.#orderCorpus(order, scored);
    onPhase('sorting suffixes');
    const suffixes = suffixArray(corpus);
    onPhase('filling the index');
    return {
      corpus,
      blocks,
      ...entries,
      ...splitSuffixes(corpus, suffixes, this.size, wordPositions, scores),
    };
  }

  /** The static score of each food, and position and scores of each of its words, in the order of arrival. */
  #score(): Scored {
    const ranking = new Ranking(this.#statistics);
    const staticScores = new Int16Array(this.size);
    const firstWords = new Uint32Array(this.size + 1);
    const positions = new GrowingArray((length) => new Uint32Array(length));
    const scores = new GrowingArray((length) => new Uint8Array(length));
    for (const [food, description] of this.#descriptions.entries()) {
      const folded = fold(description);
      const name = readName(description, folded);
      staticScores[food] = ranking.staticScore(name);
      firstWords[food] = positions.length;
      const byteOf = bytePositions(folded);
      for (const word of ranking.wordScores(name)) {
        positions.push(byteOf(word.position));
        scores.push(word.segmentEnd - SCORE_MIN);
        scores.push(word.wordEnd - SCORE_MIN);
        scores.push(word.inside - SCORE_MIN);
      }
    }
    firstWords[this.size] = positions.length;
    return { staticScores, firstWords, positions: positions.view(), scores: scores.view() };
  }

  /** The foods by static score, then length, then arrival. */
  #order(staticScores: Int16Array): Uint32Array {
    // All three in one number below 2^53, because sorting numbers is far faster than calling a comparison.
    const keys = new Float64Array(this.size);
    const arrivals = 2 ** 29;
    for (const [food, description] of this.#descriptions.entries()) {
      const length = Math.min(description.length, MAX_ORDERED_LENGTH);
      keys[food] = ((SCORE_MAX - staticScores[food]!) * (MAX_ORDERED_LENGTH + 1) + length) * arrivals + food;
    }
    return Uint32Array.from(keys.sort(), (key) => key % arrivals);
  }

  #orderEntries(order: Uint32Array) {
    const source = this.#entries.view();
    const starts = this.#entryStarts.view();
    const entries = allocateEntries(source.length);
    const entryStarts = new Uint32Array(this.size + 1);
    let at = 0;
    for (let i = 0; i < order.length; i++) {
      const food = order[i]!;
      const end = food + 1 < starts.length ? starts[food + 1]! : source.length;
      entries.set(source.subarray(starts[food], end), at);
      entryStarts[i] = at;
      at += end - starts[food]!;
    }
    entryStarts[order.length] = at;
    return { entries, entryStarts };
  }

  #orderCorpus(order: Uint32Array, scored: Scored) {
    const bytes = Buffer.alloc(this.#corpusLength);
    const blocks = new Uint32Array(2 * Math.ceil(this.#corpusLength / BLOCK_SIZE));
    const wordPositions = new Uint32Array(scored.positions.length);
    const scores = new Uint8Array(scored.scores.length);
    let at = 0;
    let word = 0;
    for (let i = 0; i < order.length; i++) {
      const food = order[i]!;
      for (let k = scored.firstWords[food]!; k < scored.firstWords[food + 1]!; k++) {
        wordPositions[word] = at + scored.positions[k]!;
        for (let end = 0; end < 3; end++) scores[3 * word + end] = scored.scores[3 * k + end]!;
        word++;
      }
      const start = at;
      at += bytes.write(fold(this.#descriptions[food]!), at);
      for (let k = start; k < at; k++) bytes[k] = SYMBOL_OF[bytes[k]!]!;
      for (let block = Math.ceil(start / BLOCK_SIZE); block * BLOCK_SIZE <= at; block++)
        blocks[2 * block] = i;
      blocks[2 * Math.floor(at / BLOCK_SIZE) + 1]! |= 1 << (at % BLOCK_SIZE);
      bytes[at++] = END;
    }
    const corpus = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    return { corpus, blocks, wordPositions, scores };
  }
}

/** Turns positions in a text, asked for in ascending order, into positions in its UTF-8. */
function bytePositions(text: string): (position: number) => number {
  if (Buffer.byteLength(text) === text.length) return (position) => position;
  let known = 0;
  let bytes = 0;
  return (position) => {
    bytes += Buffer.byteLength(text.slice(known, position));
    known = position;
    return bytes;
  };
}
