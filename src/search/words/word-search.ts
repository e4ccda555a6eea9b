/**
 * Finds the best foods that have all of several words, or else most of them, by adding up the worth of the places of these
 * words.
 *
 * It goes through the foods in blocks, the best by themselves first. In each block it reads the postings of the rarest word,
 * then those of the others for the foods that remain; if these are few, it looks each of them up instead. Foods whose
 * name an earlier one has come last, so mostly they need not be read.
 */
import { BestKeys } from '../collections/best-keys.ts';
import type { FoundFoods } from '../collections/found-foods.ts';
import { begunLoss, PLURAL_LOSS, WHOLE_NAME_GAIN } from '../ranking/points.ts';
import { BLOCK_FOODS, FoodBlock } from './food-block.ts';
import { countedOf, type SelectedWord, type Selection, wholeOf } from './selection.ts';
import type { Postings, VocabularyFacts } from './vocabulary.ts';

/** Looking up a food in the postings of one word costs as much as reading this many postings. */
const LOOKUP = 20;

/** More than any food scores. */
const MORE_WORDS = 2 ** 14;

// Shared by all searches: legal only because a search never awaits.
const block = new FoodBlock();
const best = new BestKeys();

/** A word of the text while its postings are read: the words of the vocabulary that match it. */
interface Reading {
  /** The first unread posting of each of them, and the end of its postings. */
  readonly next: Uint32Array;
  readonly ends: Uint32Array;
  /** What each subtracts from the worth of a place. */
  readonly losses: Uint8Array;
  /** The postings of all of them. */
  readonly postings: number;
  /** The most that the word can be worth. */
  readonly most: number;
}

export class WordSearch {
  readonly #sections: VocabularyFacts;
  /** Foods whose name is new, then the others. */
  readonly #parts: readonly (readonly [from: number, to: number])[];
  readonly #postings: Postings;

  /** @param postings of all words that match those of the text */
  constructor(sections: VocabularyFacts, firstRepeat: number, postings: Postings) {
    this.#sections = sections;
    this.#parts = [
      [0, firstRepeat],
      [firstRepeat, sections.staticScores.length],
    ];
    this.#postings = postings;
  }

  /** Whether some food has all of the words. */
  hasAll(selection: Selection): boolean {
    const readings = this.#open(selection);
    let isFound = false;
    for (const start of blocksOf(0, this.#sections.staticScores.length)) {
      this.#readAll(readings, start, start + BLOCK_FOODS);
      isFound = block.count > 0;
      block.clear();
      if (isFound) break;
    }
    return isFound;
  }

  /** Adds the best foods that have all of the words, and returns whether there are any. */
  addAll(selection: Selection, found: FoundFoods): boolean {
    const readings = this.#open(selection);
    const most = readings.reduce((sum, reading) => sum + reading.most, WHOLE_NAME_GAIN);
    let isFound = false;
    for (const [from, to] of this.#parts) {
      best.clear();
      for (const start of blocksOf(from, to)) {
        if (best.areAtLeast(this.#sections.staticScores[start]! + most)) break;
        this.#readAll(readings, start, Math.min(to, start + BLOCK_FOODS));
        for (let i = 0; i < block.count; i++) {
          const food = block.foods[i]!;
          const gain = this.#sections.nameWords[start + food] === readings.length ? WHOLE_NAME_GAIN : 0;
          best.add(start + food, this.#scoreOf(food) + gain);
        }
        block.clear();
      }
      for (const food of best.foods()) {
        found.add(food);
        isFound = true;
      }
      if (found.isFull) break;
    }
    return isFound;
  }

  /** Adds the best of the foods that have most of the words: as many as the best food with a new name has. */
  addMost(selection: Selection, found: FoundFoods): void {
    const readings = this.#open(selection);
    let most = 0;
    for (const [from, to] of this.#parts) {
      best.clear();
      const enough = most === 0 ? readings.length : most;
      for (const start of blocksOf(from, to)) {
        this.#readAny(readings, start, Math.min(to, start + BLOCK_FOODS));
        for (let i = 0; i < block.count; i++) {
          const food = block.foods[i]!;
          const had = Math.min(enough, block.had[food]!);
          if (had < most) continue;
          most = had;
          best.add(start + food, had * MORE_WORDS + this.#scoreOf(food));
        }
        block.clear();
      }
      for (const food of best.foods(most * MORE_WORDS)) found.add(food);
      if (found.isFull) break;
    }
  }

  /** The worth of a food of the block. */
  #scoreOf(food: number): number {
    return this.#sections.staticScores[block.start + food]! + block.sums[food]!;
  }

  /** The words to read, the rarest first. */
  #open({ words, share }: Selection): Reading[] {
    return words.map((word) => this.#openWord(word, share)).sort((a, b) => a.postings - b.postings);
  }

  #openWord(selected: SelectedWord, share: number): Reading {
    const whole = wholeOf(selected);
    const spellings = [...whole];
    for (const { from, to } of selected.begun) {
      for (let word = from; word < to; word++) if (!whole.includes(word)) spellings.push(word);
    }
    const next = new Uint32Array(spellings.length);
    const ends = new Uint32Array(spellings.length);
    const losses = new Uint8Array(spellings.length);
    const { postingStarts } = this.#postings;
    const { postingStarts: counts, staticScores, bestPlaces } = this.#sections;
    let postings = 0;
    let most = 0;
    for (const [i, spelling] of spellings.entries()) {
      const start = postingStarts[spelling]!;
      const foods = counts[spelling + 1]! - counts[spelling]!;
      const end = start + countedOf(foods, share);
      const lossOfOthers = i < whole.length ? PLURAL_LOSS : begunLoss(foods, staticScores.length);
      const loss = spelling === selected.itself ? 0 : lossOfOthers;
      next[i] = start;
      ends[i] = end;
      losses[i] = loss;
      postings += end - start;
      most = Math.max(most, bestPlaces[spelling]! - loss);
    }
    return { next, ends, losses, postings, most };
  }

  /** Keeps in the block those of the foods [start, end) that have all of the words. */
  #readAll(readings: readonly Reading[], start: number, end: number): void {
    block.start = start;
    for (const [had, reading] of readings.entries()) {
      if (had === 0) this.#readFirst(reading, end);
      else if (block.count * reading.next.length * LOOKUP < this.#inOneBlock(reading))
        this.#lookUp(reading, had);
      else this.#read(reading, end, had);
      block.keep(had + 1);
      if (block.count === 0) return;
    }
  }

  /** The average number of postings of a word in one block. */
  #inOneBlock({ postings }: Reading): number {
    return postings * Math.min(1, BLOCK_FOODS / this.#sections.staticScores.length);
  }

  #readFirst({ next, ends, losses }: Reading, end: number): void {
    const { foods, places } = this.#postings;
    for (let k = 0; k < next.length; k++) {
      const loss = losses[k]!;
      let at = this.#skip(next[k]!, ends[k]!);
      for (; at < ends[k]! && foods[at]! < end; at++)
        block.takeFirst(foods[at]! - block.start, worthOf(places[at]!, loss));
      next[k] = at;
    }
  }

  /** Reads the postings of a further word for the foods that have all before it. */
  #read({ next, ends, losses }: Reading, end: number, had: number): void {
    const { foods, places } = this.#postings;
    for (let k = 0; k < next.length; k++) {
      const loss = losses[k]!;
      let at = this.#skip(next[k]!, ends[k]!);
      for (; at < ends[k]! && foods[at]! < end; at++) {
        const food = foods[at]! - block.start;
        if (block.had[food]! >= had) block.take(food, had, worthOf(places[at]!, loss));
      }
      next[k] = at;
    }
  }

  /** The same by looking up each of these foods. */
  #lookUp({ next, ends, losses }: Reading, had: number): void {
    const { foods, places } = this.#postings;
    for (let k = 0; k < next.length; k++) {
      for (let i = 0; i < block.count; i++) {
        const food = block.foods[i]!;
        const at = lowerBound(foods, next[k]!, ends[k]!, block.start + food);
        if (at < ends[k]! && foods[at] === block.start + food)
          block.take(food, had, worthOf(places[at]!, losses[k]!));
      }
    }
  }

  /** Keeps in the block the foods that have any of the words. */
  #readAny(readings: readonly Reading[], start: number, end: number): void {
    const { foods, places } = this.#postings;
    block.start = start;
    for (const [word, { next, ends, losses }] of readings.entries()) {
      for (let k = 0; k < next.length; k++) {
        let at = next[k]!;
        for (; at < ends[k]! && foods[at]! < end; at++)
          block.takeAny(foods[at]! - start, word + 1, worthOf(places[at]!, losses[k]!));
        next[k] = at;
      }
    }
  }

  /** The first posting from one on that is not before the block. */
  #skip(at: number, end: number): number {
    const { foods } = this.#postings;
    return at < end && foods[at]! < block.start ? lowerBound(foods, at, end, block.start) : at;
  }
}

/** Where the blocks of the foods [from, to) begin. */
function* blocksOf(from: number, to: number): Generator<number> {
  for (let start = from; start < to; start += BLOCK_FOODS) yield start;
}

const worthOf = (place: number, loss: number): number => (place > loss ? place - loss : 0);

/** The first of the ascending numbers [low, high) that is not below a number. */
function lowerBound(numbers: Uint32Array, low: number, high: number, number: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
