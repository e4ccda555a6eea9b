/**
 * Finds the foods that have all of several words, or else most of them, and adds up what the places of the words are worth.
 *
 * Word by word, the rarest first, the postings are read in order, and each food that has had all words so far gets the best
 * place of this one. Where few foods are left, each is looked up in the postings instead. So the work is a few operations for
 * each posting at the most; and no two words share postings, since words that others begin with are left out before.
 */
import { BestKeys } from '../best-keys.ts';
import type { FoundFoods } from '../found-foods.ts';
import { BEGUN_GAIN, BEGUN_LOSS, PLURAL_LOSS, WHOLE_NAME_GAIN } from '../ranking/points.ts';
import type { VocabularySections } from '../sections.ts';
import type { AskedWord } from './asked-words.ts';

/** Looking a food up in the postings of one word costs as much as reading so many postings. */
const LOOKUP = 40;

export class WordSearch {
  readonly #sections: VocabularySections;
  readonly #firstRepeat: number;
  /** By the number of a word: what is taken from its places where only its beginning is asked for. */
  readonly #begunLosses: Uint8Array;
  /** Of each food how many of the words it has; 0 for all between two searches. */
  readonly #had: Uint8Array;
  /** Of each food that has any: what its words are worth, and what the current one is. */
  readonly #sums: Uint16Array;
  readonly #worths: Uint8Array;
  /** Of each food the number of its latest word, from 1 on. Only where most of the words are enough. */
  #latest: Uint8Array | undefined;
  /** The foods that have all words so far, or any. */
  readonly #foods: Uint32Array;
  #count = 0;
  readonly #best = new BestKeys();

  constructor(sections: VocabularySections, firstRepeat: number) {
    const foods = sections.staticScores.length;
    this.#sections = sections;
    this.#firstRepeat = firstRepeat;
    this.#begunLosses = begunLosses(sections);
    this.#had = new Uint8Array(foods);
    this.#sums = new Uint16Array(foods);
    this.#worths = new Uint8Array(foods);
    this.#foods = new Uint32Array(foods);
  }

  /** Whether some food has all of the words. */
  hasAll(words: readonly AskedWord[]): boolean {
    this.#collectAll(words);
    const isFound = this.#count > 0;
    this.#clear();
    return isFound;
  }

  /** Adds the best foods that have all of the words, and tells whether there are any. */
  addAll(words: readonly AskedWord[], found: FoundFoods): boolean {
    this.#collectAll(words);
    const isFound = this.#count > 0;
    this.#addBest(found, words.length, words.length);
    this.#clear();
    return isFound;
  }

  /** Adds the best of the foods that have the greatest number of the words. */
  addMost(words: readonly AskedWord[], found: FoundFoods): void {
    this.#latest ??= new Uint8Array(this.#had.length);
    for (const [i, word] of words.entries())
      this.#eachSpelling(word, (spelling, loss) => this.#readForMost(spelling, loss, i + 1));
    let most = 0;
    for (let i = 0; i < this.#count; i++) most = Math.max(most, this.#had[this.#foods[i]!]!);
    this.#addBest(found, most);
    for (let i = 0; i < this.#count; i++) this.#latest[this.#foods[i]!] = 0;
    this.#clear();
  }

  /** Leaves the foods that have all of the words. */
  #collectAll(words: readonly AskedWord[]): void {
    const rarest = words
      .map((word) => ({ word, ...this.#sizeOf(word) }))
      .sort((a, b) => a.postings - b.postings);
    for (const [had, { word, postings, spellings }] of rarest.entries()) {
      if (had === 0) this.#eachSpelling(word, (spelling, loss) => this.#readFirst(spelling, loss));
      else if (this.#count * spellings * LOOKUP < postings)
        this.#eachSpelling(word, (spelling, loss) => this.#lookUp(spelling, loss, had));
      else this.#eachSpelling(word, (spelling, loss) => this.#read(spelling, loss, had));
      this.#keep(had + 1);
      if (this.#count === 0) return;
    }
  }

  #sizeOf(word: AskedWord): { readonly postings: number; readonly spellings: number } {
    let [postings, spellings] = [0, 0];
    this.#eachSpelling(word, (spelling) => {
      postings += this.#sections.postingStarts[spelling + 1]! - this.#sections.postingStarts[spelling]!;
      spellings++;
    });
    return { postings, spellings };
  }

  /** Calls with each word of the vocabulary that stands for the asked one, once, and what that takes from its places. */
  #eachSpelling({ begun, itself, plurals }: AskedWord, call: (spelling: number, loss: number) => void): void {
    if (itself >= 0) call(itself, 0);
    for (const plural of plurals) call(plural, PLURAL_LOSS);
    for (let spelling = begun.from; spelling < begun.to; spelling++) {
      if (spelling !== itself && !plurals.includes(spelling)) call(spelling, this.#begunLosses[spelling]!);
    }
  }

  /** Reads the postings of the first word. */
  #readFirst(spelling: number, loss: number): void {
    const { foods, places, postingStarts } = this.#sections;
    const end = postingStarts[spelling + 1]!;
    for (let i = postingStarts[spelling]!; i < end; i++) {
      const food = foods[i]!;
      if (this.#had[food] === 0) this.#foods[this.#count++] = food;
      this.#take(food, places[i]! - loss, 0);
    }
  }

  /** Reads the postings of a further word for the foods that have all before it. */
  #read(spelling: number, loss: number, had: number): void {
    const { foods, places, postingStarts } = this.#sections;
    const end = postingStarts[spelling + 1]!;
    for (let i = postingStarts[spelling]!; i < end; i++) {
      const food = foods[i]!;
      if (this.#had[food]! >= had) this.#take(food, places[i]! - loss, had);
    }
  }

  /** The same by looking up each of these foods. */
  #lookUp(spelling: number, loss: number, had: number): void {
    const { foods, places, postingStarts } = this.#sections;
    const end = postingStarts[spelling + 1]!;
    for (let i = 0; i < this.#count; i++) {
      const food = this.#foods[i]!;
      const at = lowerBound(foods, postingStarts[spelling]!, end, food);
      if (at < end && foods[at] === food) this.#take(food, places[at]! - loss, had);
    }
  }

  #readForMost(spelling: number, loss: number, word: number): void {
    const { foods, places, postingStarts } = this.#sections;
    const latest = this.#latest!;
    const end = postingStarts[spelling + 1]!;
    for (let i = postingStarts[spelling]!; i < end; i++) {
      const food = foods[i]!;
      const had = this.#had[food]!;
      if (had === 0) this.#foods[this.#count++] = food;
      this.#take(food, places[i]! - loss, latest[food] === word ? had - 1 : had);
      latest[food] = word;
    }
  }

  /** Takes a place of a food that has `had` words before the current one, of which the best place counts. */
  #take(food: number, place: number, had: number): void {
    const worth = Math.max(0, place);
    const isFirst = this.#had[food] === had;
    const before = isFirst ? 0 : this.#worths[food]!;
    if (!isFirst && worth <= before) return;
    this.#had[food] = had + 1;
    this.#worths[food] = worth;
    this.#sums[food] = (had === 0 && isFirst ? 0 : this.#sums[food]!) + worth - before;
  }

  /** Keeps the foods that have so many words. */
  #keep(had: number): void {
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      const food = this.#foods[i]!;
      if (this.#had[food] === had) this.#foods[kept++] = food;
      else this.#had[food] = 0;
    }
    this.#count = kept;
  }

  /** @param wholeName words of a name that has no others */
  #addBest(found: FoundFoods, had: number, wholeName = 0): void {
    for (const isRepeat of [false, true]) {
      if (found.isFull) return;
      this.#best.clear();
      for (let i = 0; i < this.#count; i++) {
        const food = this.#foods[i]!;
        if (this.#had[food] !== had || food >= this.#firstRepeat !== isRepeat) continue;
        const gain = wholeName > 0 && this.#sections.nameWords[food] === wholeName ? WHOLE_NAME_GAIN : 0;
        this.#best.add(food, this.#sections.staticScores[food]! + this.#sums[food]! + gain);
      }
      for (const food of this.#best.foods()) found.add(food);
    }
  }

  #clear(): void {
    for (let i = 0; i < this.#count; i++) this.#had[this.#foods[i]!] = 0;
    this.#count = 0;
  }
}

function begunLosses({ postingStarts, staticScores }: VocabularySections): Uint8Array {
  const all = Math.log2(Math.max(2, staticScores.length));
  return Uint8Array.from({ length: postingStarts.length - 1 }, (_, word) => {
    const foods = postingStarts[word + 1]! - postingStarts[word]!;
    return BEGUN_LOSS - Math.round((BEGUN_GAIN * Math.log2(foods)) / all);
  });
}

/** The first of the ascending numbers [low, high) that is not below a number. */
function lowerBound(numbers: Uint32Array, low: number, high: number, number: number): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
