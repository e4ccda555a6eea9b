/**
 * Finds the best foods for the readings of a text: each word of a reading that a food has adds its weight times the worth of
 * its place, and one that it lacks adds nothing. So foods with some of the words compete with those that have all.
 *
 * It goes once through the foods in blocks, the best by themselves first. As soon as there are a hundred, the words are split as in
 * MaxScore (Turtle and Flood, 1995): those that even together cannot lift a food among the hundred are not read but
 * looked up in the foods that the other words found. It ends where no
 * reading can lift any food of the next block.
 */
import { lowerBound, type WordsAnswer } from '#core';
import { plainGain, pointsOf, WEIGHT_UNIT, WORD_WEIGHTS, wholeNamePlace } from '../order/points.ts';
import type { Reason } from '../order/ranking.ts';
import type { AnswerFoods } from '../tree/answer-foods.ts';
import { BestKeys } from '../tree/best-keys.ts';
import { BLOCK_FOODS, FoodBlock, wordCountIn, worthIn } from './food-block.ts';
import { foodsNamed, type NameKeys, NO_NAME_KEYS } from './name-keys.ts';
import type { Reading } from './readings.ts';
import type { Selection } from './selection.ts';
import {
  bestSpelling,
  mostForName,
  mostOf,
  nearBound,
  type OpenReading,
  openReading,
  openTerms,
  type Term,
  wholeOfName,
} from './terms.ts';
import { type Postings, Vocabulary, type VocabularyFacts } from './vocabulary.ts';

/** Looking up a food in the postings of one word costs as much as reading this many postings. */
const LOOKUP = 40;

/** Foods of the first block: few, so that the next one already knows what a food must be worth. */
const FIRST_BLOCK = 1024;

/** No word is worth that much. */
const NOTHING = Number.POSITIVE_INFINITY;

/** Above the number of any food. */
const NEVER = 2 ** 31 - 1;

const NO_POSTINGS: Postings = {
  postingStarts: new Uint32Array(0),
  foods: new Int32Array(0),
  places: new Uint8Array(0),
};

/** How the first food was found. */
export type FirstFound = Pick<WordsAnswer, 'replaced' | 'missing'> & Pick<Reading, 'hasHead'>;

/**
 * Whether what is found lacks what it should be: in English, where the last word says that, a pepper mill is no pepper, and nothing is
 * found.
 */
export const isHeadless = (language: string | undefined, { missing, hasHead }: FirstFound): boolean =>
  missing.length > 0 && !hasHead && /^en\b/.test(language ?? '');

/** What counts for a food in a search for several words: its words by their places, each with its weight, and the other summands. */
export interface ReadingParts {
  readonly places: readonly { readonly word: string; readonly weight: number }[];
  readonly reasons: readonly Reason[];
}

export class WordSearch {
  readonly #sections: VocabularyFacts;
  readonly #vocabulary: Vocabulary;
  readonly #names: NameKeys;
  readonly #firstRepeat: number;
  /** For each reading the foods that have its words as another name, with their scores. */
  #named: readonly ReadonlyMap<number, number>[] = [];
  #postings: Postings = NO_POSTINGS;
  #readings: readonly Reading[] = [];
  #open: readonly OpenReading[] = [];
  readonly #block: FoodBlock;
  readonly #best = new BestKeys();

  /** @param firstRepeat from this number on, foods have the name of an earlier one */
  constructor(sections: VocabularyFacts, firstRepeat: number, names: NameKeys = NO_NAME_KEYS) {
    this.#sections = sections;
    this.#names = names;
    this.#vocabulary = new Vocabulary(sections);
    this.#firstRepeat = firstRepeat;
    this.#block = new FoodBlock(sections);
  }

  /**
   * Adds the best foods for these readings. The memory is used again by the next search: legal only because a search never awaits.
   * @param selection of all of their words
   * @param postings of all words that are selected
   */
  find(
    readings: readonly Reading[],
    selection: Selection,
    postings: Postings,
    found: AnswerFoods,
  ): FirstFound {
    this.#postings = postings;
    const terms = openTerms(selection, this.#sections, this.#postings);
    const open = readings.map((reading) => openReading(reading, terms));
    [this.#readings, this.#open] = [readings, open];
    this.#named = readings.map(({ names }, i) => {
      const foods = names.flatMap((name) => foodsNamed(this.#names, name));
      return this.#scoresOf(foods, open[i]!);
    });
    const size = this.#sections.staticScores.length;
    for (const [from, to] of [
      [0, this.#firstRepeat],
      [this.#firstRepeat, size],
    ] as const) {
      this.#best.clear();
      this.#readAll(open, [...terms.values()], from, to);
      for (const food of this.#best.foods()) found.add(food);
      if (found.isFull) break;
    }
    return this.#firstFound(found);
  }

  /** What the score of one of the foods found last consists of, besides its own. */
  partsOf(food: number): ReadingParts {
    const chosen = this.#bestReading(food);
    const reading = this.#open[chosen]!;
    const places: ReadingParts['places'][number][] = [];
    const reasons: Reason[] = [];
    const note = (text: string, about: string, worth: number): void => {
      if (worth !== 0) reasons.push({ text, about, points: pointsOf(worth) / WEIGHT_UNIT });
    };
    const { words } = this.#readings[chosen]!;
    for (const { text } of words) {
      const term = reading.terms.find((each) => each.text === text)!;
      const { weight } = term;
      const best = bestSpelling(term, food, this.#postings);
      if (best === undefined) note('lacks', text, -weight * plainGain());
      else {
        const word = this.#vocabulary.textOf(best.spelling);
        places.push({ word, weight: weight / WEIGHT_UNIT });
        note(`not ${text} itself`, word, best.worth - weight * (WORD_WEIGHTS.had + best.place));
      }
    }
    const score = this.#scoreIn(food, reading);
    note('no other words', '', score - this.#scoreIn(food, reading, false));
    note('all of another name', '', Math.max(0, (this.#named[chosen]!.get(food) ?? score) - score));
    const loss = takenBy(reading) - takenBy(this.#open[0]!);
    note('read as', words.map(({ text }) => text).join(' '), -loss);
    return { places, reasons };
  }

  /** Adds the foods [from, to) to the best. */
  #readAll(readings: readonly OpenReading[], terms: readonly Term[], from: number, to: number): void {
    let size = FIRST_BLOCK;
    let start = from;
    for (; start < to; start += size, size = Math.min(2 * size, BLOCK_FOODS)) {
      const end = Math.min(to, start + size);
      const top = this.#sections.staticScores[start]! * WEIGHT_UNIT;
      const least = this.#best.least;
      const alive = readings.filter((reading) => top + mostOf(reading) > least);
      if (alive.length === 0) break;
      this.#block.start = start;
      this.#block.end = end;
      for (const reading of alive) this.#readBlock(reading, least, top);
      for (const [food, score] of this.#namedIn(start, end)) this.#block.keep(food - start, score);
      for (let i = 0; i < this.#block.keptCount; i++) {
        const food = this.#block.kept[i]!;
        this.#best.add(start + food, this.#block.scores[food]!);
      }
      this.#block.clear();
      for (const { next, read } of terms) next.set(read);
    }
    const left = new Map<number, number>();
    for (const [food, score] of this.#namedIn(start, to))
      left.set(food, Math.max(score, left.get(food) ?? score));
    for (const [food, score] of left) this.#best.add(food, score);
  }

  #namedIn(from: number, to: number): (readonly [food: number, score: number])[] {
    return this.#named.flatMap((scores) => [...scores].filter(([food]) => food >= from && food < to));
  }

  /** The scores of foods that have the words of a reading as another name, as if it were their own. */
  #scoresOf(foods: readonly number[], reading: OpenReading): ReadonlyMap<number, number> {
    const { terms, base } = reading;
    const gain = WORD_WEIGHTS.had + wholeNamePlace(terms.length);
    const worth = wholeOfName(
      terms.reduce((sum, { weight }) => sum + weight * gain, 0),
      reading,
    );
    return new Map(
      foods.map((food) => [food, this.#sections.staticScores[food]! * WEIGHT_UNIT + worth - base]),
    );
  }

  /** Keeps in the block the scores of those foods that are more than `least`. @param top of their static scores */
  #readBlock(reading: OpenReading, least: number, top: number): void {
    const block = this.#block;
    const { terms, rest, base, mostOfName } = reading;
    // What the words must be worth together; less if that is all of a name, and enough for its gain.
    const needed = least - top + base;
    const whole = needed < mostOfName ? needed - mostForName() : needed;
    block.words = terms.length;
    for (let i = 0; i < terms.length; i++) {
      const isOpen = rest[i]! > (i === 0 ? whole : needed);
      // A new food has none of the words before, so its name is not whole if this is not the first.
      if (isOpen) block.demand(needed - rest[i + 1]!, i === 0 ? whole - rest[i + 1]! : NOTHING);
      else {
        block.demand(needed - rest[i]!, whole - rest[i]!);
        // Foods that have only the first word were enough when they were taken.
        if (i > 1) block.dropOthers();
        if (block.count === 0) return;
      }
      block.taken = i + 1;
      this.#take(terms[i]!, isOpen);
    }
    block.demand(needed, whole);
    for (let i = 0; i < block.count; i++) {
      const food = block.foods[i]!;
      if (!block.isEnough(food)) continue;
      const had = block.had[food]!;
      const score = this.#scoreFrom(block.start + food, worthIn(had), wordCountIn(had), reading);
      if (score > least) block.keep(food, score);
    }
    block.clearReading();
  }

  /** Takes a word in the foods of the block that have a word before it. @param isOpen whether also in others, where it is enough */
  #take(term: Term, isOpen: boolean): void {
    const { next, ends, read, due, worths } = term;
    const [block, postings] = [this.#block, this.#postings];
    for (let k = 0; k < next.length; k++) {
      if (due[k]! < block.start) this.#skip(term, k);
      // Of thousands of words with the same first letter, most have no food here.
      if (due[k]! >= block.end) continue;
      const at = next[k]!;
      const end = nearBound(postings.foods, at, ends[k]!, block.end);
      read[k] = end;
      if (block.count * LOOKUP < end - at) {
        this.#lookUp(at, end, worths[k]!);
        if (isOpen) block.spellBest(postings, at, end, worths[k]!);
      } else if (isOpen) block.spellAll(postings, at, end, worths[k]!);
      else block.spellKnown(postings, at, end, worths[k]!);
    }
  }

  /** Takes a spelling with the postings [at, end) in the foods found so far. */
  #lookUp(at: number, end: number, worths: Int32Array): void {
    const { foods, places } = this.#postings;
    const { start, count, foods: found } = this.#block;
    for (let i = 0; i < count; i++) {
      const food = start + found[i]!;
      const here = lowerBound(foods, at, end, food);
      if (here < end && foods[here] === food) this.#block.spell(food - start, worths[places[here]!]!);
    }
  }

  /** Goes to the first posting of a spelling that is not before the block. */
  #skip({ next, ends, read, due }: Term, k: number): void {
    const { foods } = this.#postings;
    let at = next[k]!;
    const end = ends[k]!;
    if (at < end && foods[at]! < this.#block.start) at = lowerBound(foods, at, end, this.#block.start);
    next[k] = at;
    read[k] = at;
    due[k] = at < end ? foods[at]! : NEVER;
  }

  #firstFound(found: AnswerFoods): FirstFound {
    if (found.count === 0) return { replaced: [], missing: [], hasHead: true };
    const [first = 0, ...others] = found.foods.subarray(0, found.count);
    const chosen = this.#bestReading(first);
    const reading = this.#readings[chosen]!;
    const { terms } = this.#open[chosen]!;
    const has = (food: number, term: Term): boolean => bestSpelling(term, food, this.#postings) !== undefined;
    const lacked = terms.filter((term) => !has(first, term));
    // The rarest word comes first, which nearly all of them lack.
    const isComplete = lacked.length === 0 || others.some((food) => terms.every((term) => has(food, term)));
    const texts = isComplete ? [] : lacked.map(({ text }) => text);
    // A word of which it has a piece is not missing.
    const had = reading.words.filter(({ text }) => !texts.includes(text)).map(wholeOf);
    const asked = new Set(reading.words.map(wholeOf));
    return {
      hasHead: reading.hasHead,
      replaced: reading.replaced,
      missing: [...asked].filter((text) => !isComplete && !had.includes(text)),
    };
  }

  #bestReading(food: number): number {
    const scores = this.#open.map((each, i) =>
      Math.max(this.#scoreIn(food, each), this.#named[i]!.get(food) ?? Number.NEGATIVE_INFINITY),
    );
    return scores.indexOf(Math.max(...scores));
  }

  /** The score of a food by a reading; below all if it has no word of it. @param mayBeWhole whether its name may have no other words */
  #scoreIn(food: number, reading: OpenReading, mayBeWhole = true): number {
    const had = reading.terms.flatMap((term) => bestSpelling(term, food, this.#postings) ?? []);
    if (had.length === 0) return Number.NEGATIVE_INFINITY;
    const sum = had.reduce((worths, { worth }) => worths + worth, 0);
    return this.#scoreFrom(food, sum, mayBeWhole ? had.length : 0, reading);
  }

  /** The score of a food that has `count` words of a reading, which are worth `sum` together. */
  #scoreFrom(food: number, sum: number, count: number, reading: OpenReading): number {
    const { staticScores, nameWords } = this.#sections;
    const isWhole = count === reading.terms.length && nameWords[food] === count;
    return staticScores[food]! * WEIGHT_UNIT + (isWhole ? wholeOfName(sum, reading) : sum) - reading.base;
  }
}

/** As it was typed. */
const wholeOf = ({ text, whole = text }: Reading['words'][number]): string => whole;

/** What a reading takes from every food, as far as words at places of no points do not give it back. */
const takenBy = ({ base, terms }: OpenReading): number =>
  base - plainGain() * terms.reduce((sum, { weight }) => sum + weight, 0);
