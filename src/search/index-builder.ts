/**
 * Makes an index of foods: takes them one by one, then puts them in order once. The only class of the engine
 * that changes; what it makes is only read.
 *
 * Cost for f foods with n bytes of folded descriptions: O(n) time but for one sort of f numbers; memory about
 * 6 n and twice the JSON of all entries, at the most.
 */
import { constants } from 'node:buffer';
import { UserError } from '../errors.ts';
import { composed, fold } from '../fold.ts';
import { type FoodRecord, renderEntry } from '../food.ts';
import { GrowingArray } from './collections/growing-array.ts';
import { ANSWER_ROOM, allocateEntries } from './entries.ts';
import { Popularities } from './popularities.ts';
import { PortionsBuilder } from './portions.ts';
import type { EverydayFoods } from './ranking/everyday-foods.ts';
import { nameOf } from './ranking/food-name.ts';
import { repeatedScore } from './ranking/points.ts';
import { Ranking } from './ranking/ranking.ts';
import { NameStatistics } from './ranking/statistics.ts';
import { BLOCK_SIZE, type IndexSections } from './sections.ts';
import { splitSuffixes } from './split-suffixes.ts';
import { END, SYMBOL_OF } from './suffixes/alphabet.ts';
import { suffixArray } from './suffixes/suffix-array.ts';
import { VocabularyBuilder } from './words/vocabulary-builder.ts';

/** Positions are signed 32-bit numbers. */
const MAX_CORPUS = 2 ** 30 - 1;

/** Positions in the entries are unsigned 32-bit numbers; and Node.js 20 has no larger buffers. */
const MAX_ENTRIES_SIZE = Math.min(2 ** 32 - 1, constants.MAX_LENGTH) - ANSWER_ROOM;

/** Longer descriptions count as of this length where equal scores are put in order. */
const MAX_ORDERED_LENGTH = 2 ** 15 - 1;

/** More than there can be foods, each of which has two bytes of the corpus at least. */
const ARRIVALS = 2 ** 29;

export type BuildPhase = 'scoring' | 'sorting foods' | 'sorting suffixes' | 'filling the index';

/** In the order in which the foods came. */
interface Scored {
  readonly staticScores: Uint8Array;
  /** The words of food i are [firstWords[i], firstWords[i + 1]). */
  readonly firstWords: Uint32Array;
  /** Of each word: where it begins in the bytes of its folded description, and its three scores. */
  readonly positions: Uint32Array;
  readonly scores: Uint8Array;
  readonly vocabulary: VocabularyBuilder;
}

export interface BuilderOptions {
  /** What people eat every day; names near it get points. */
  readonly everydayFoods?: EverydayFoods | undefined;
  /** Bytes of all entries at the most. */
  readonly maxEntriesSize?: number;
}

export class IndexBuilder {
  readonly #everydayFoods: EverydayFoods | undefined;
  readonly #statistics = new NameStatistics();
  readonly #descriptions: string[] = [];
  /** Of each food: the number of its name, how long the name is, and its popularity. */
  readonly #names = new GrowingArray((length) => new Uint32Array(length));
  readonly #nameLengths = new GrowingArray((length) => new Uint32Array(length));
  readonly #popularities = new Popularities();
  readonly #portions = new PortionsBuilder();
  readonly #maxEntriesSize: number;
  readonly #entries: GrowingArray<Uint8Array>;
  readonly #entryStarts = new GrowingArray((length) => new Uint32Array(length));
  #corpusLength = 0;

  constructor({ everydayFoods, maxEntriesSize = MAX_ENTRIES_SIZE }: BuilderOptions = {}) {
    this.#everydayFoods = everydayFoods;
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
    const description = composed(food.description);
    const folded = fold(description);
    const nameLength = food.name === undefined ? 0 : composed(food.name).length;
    this.#names.push(this.#statistics.add(nameOf(description, folded, nameLength)));
    this.#nameLengths.push(nameLength);
    this.#popularities.add(food.popularity);
    this.#portions.add(food);
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
    const isRepeat = this.#repeats();
    const scored = this.#score(isRepeat);
    onPhase('sorting foods');
    const order = this.#order(isRepeat, scored.staticScores);
    const firstRepeat = Uint32Array.of(this.size - isRepeat.reduce((sum, repeat) => sum + repeat, 0));
    const entries = this.#orderEntries(order);
    const { corpus, blocks, wordPositions, scores } = this.#orderCorpus(order, scored);
    onPhase('sorting suffixes');
    const suffixes = suffixArray(corpus);
    onPhase('filling the index');
    const split = splitSuffixes(corpus, suffixes, this.size, wordPositions, scores);
    const nameLengths = inOrder(order, this.#nameLengths.view());
    const popularities = inOrder(
      order,
      Uint8Array.from({ length: this.size }, (_, food) => this.#popularities.levelOf(food)),
    );
    const vocabulary = scored.vocabulary.finish(order);
    const portions = this.#portions.finish(order);
    return {
      corpus,
      blocks,
      ...entries,
      firstRepeat,
      nameLengths,
      popularities,
      ...split,
      vocabulary,
      portions,
    };
  }

  /** 1 for each food whose name another one has that is more popular, or as popular and earlier. */
  #repeats(): Uint8Array {
    const names = this.#names.view();
    const bestOf = new Int32Array(this.size).fill(-1);
    for (let food = 0; food < this.size; food++) {
      const best = bestOf[names[food]!]!;
      if (best < 0 || this.#popularities.of(food) > this.#popularities.of(best)) bestOf[names[food]!] = food;
    }
    return Uint8Array.from(names, (name, food) => (bestOf[name] === food ? 0 : 1));
  }

  /** The static score of each food, and position and scores of each of its words, in the order of arrival. */
  #score(isRepeat: Uint8Array): Scored {
    const ranking = new Ranking(this.#statistics, this.#everydayFoods);
    const vocabulary = new VocabularyBuilder();
    const names = this.#names.view();
    const nameLengths = this.#nameLengths.view();
    const staticScores = new Uint8Array(this.size);
    const firstWords = new Uint32Array(this.size + 1);
    const positions = new GrowingArray((length) => new Uint32Array(length));
    const scores = new GrowingArray((length) => new Uint8Array(length));
    for (const [food, description] of this.#descriptions.entries()) {
      const folded = fold(description);
      const name = nameOf(description, folded, nameLengths[food]!);
      const nameScores = ranking.scores(name, this.#popularities.levelOf(food), names[food]);
      const { staticScore, words } = nameScores;
      vocabulary.add(name, nameScores);
      const push = (score: number) => scores.push(isRepeat[food] === 1 ? repeatedScore(score) : score);
      staticScores[food] = staticScore;
      firstWords[food] = positions.length;
      const byteOf = bytePositions(folded);
      for (const word of words) {
        positions.push(byteOf(word.position));
        push(word.segmentEnd);
        push(word.wordEnd);
        push(word.inside);
      }
    }
    firstWords[this.size] = positions.length;
    return { staticScores, firstWords, positions: positions.view(), scores: scores.view(), vocabulary };
  }

  /** The foods of new names first; by static score, then length, then arrival. */
  #order(isRepeat: Uint8Array, staticScores: Uint8Array): Uint32Array {
    // All in one number below 2^53, because sorting numbers is far faster than calling a comparison.
    const keys = new Float64Array(this.size);
    for (const [food, description] of this.#descriptions.entries()) {
      const length = Math.min(description.length, MAX_ORDERED_LENGTH);
      const rank = 256 * isRepeat[food]! + 255 - staticScores[food]!;
      keys[food] = (rank * (MAX_ORDERED_LENGTH + 1) + length) * ARRIVALS + food;
    }
    return Uint32Array.from(keys.sort(), (key) => key % ARRIVALS);
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

/** What is known of foods, by their numbers; nothing where it is known of none. */
function inOrder<Numbers extends Uint8Array | Uint32Array>(order: Uint32Array, known: Numbers): Numbers {
  if (known.every((number) => number === 0)) return known.slice(0, 0) as Numbers;
  return known.map((_, food) => known[order[food]!]!) as Numbers;
}
