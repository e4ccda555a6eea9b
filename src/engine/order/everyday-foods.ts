/** A list of everyday foods, and how similar a name is to one of them. */
import { fold } from '#core';
import { type FoodName, nameOf, wordTextsOf } from './food-name.ts';
import { inflected } from './match-end.ts';

/** The weight of a word that no everyday food has, in foods that would have it. */
const UNKNOWN = 0.5;

/**
 * The weight of words that only the name has, relative to those that only the everyday food has: less than half, because
 * additional words ("Milk, whole, with added vitamin D") make another food less often than missing ones.
 */
const OWN = 0.4;

/** The Tversky index over words, each weighted by how rare it is among everyday foods. */
export class EverydayFoods {
  readonly descriptions: readonly string[];
  /** The number of a word by the hash of its singular or plural. */
  readonly #words = new Map<number, number>();
  /** By the number of a word: the foods that have it, and its weight. */
  readonly #foods: number[][] = [];
  readonly #weights: number[];
  readonly #unknownWeight: number;
  /** The sum of the weights of each food. */
  readonly #sums: Float64Array;
  /** For one comparison: what each food shares with the name, the foods that share anything, the words so far. */
  readonly #shared: Float64Array;
  readonly #touched: Uint32Array;
  readonly #seen: Uint32Array;
  #comparisons = 0;

  constructor(descriptions: readonly string[]) {
    this.descriptions = descriptions;
    const numbers = new Map<string, number>();
    for (const [food, description] of descriptions.entries()) {
      for (const text of wordTextsOf(fold(description))) {
        const word = numbers.get(text) ?? this.#add(text);
        numbers.set(text, word);
        this.#foods[word] ??= [];
        if (this.#foods[word].at(-1) !== food) this.#foods[word].push(food);
      }
    }
    const weightOf = (foods: number): number => Math.log2((descriptions.length + 1) / foods);
    this.#weights = this.#foods.map(({ length }) => weightOf(length));
    this.#unknownWeight = weightOf(UNKNOWN);
    this.#sums = new Float64Array(descriptions.length);
    for (const [word, foods] of this.#foods.entries()) {
      for (const food of foods) this.#sums[food]! += this.#weights[word]!;
    }
    this.#shared = new Float64Array(descriptions.length);
    this.#touched = new Uint32Array(descriptions.length);
    this.#seen = new Uint32Array(this.#foods.length);
  }

  /** From 0 (no word in common with any everyday food) to 1 (the words of one). */
  nearness({ words }: FoodName): number {
    this.#comparisons++;
    const shared = this.#shared;
    const touched = this.#touched;
    let count = 0;
    let sum = 0;
    for (let i = 0; i < words.length; i++) {
      const word = this.#words.get(words[i]!.hash);
      if (word === undefined) {
        sum += this.#unknownWeight;
        continue;
      }
      if (this.#seen[word] === this.#comparisons) continue;
      this.#seen[word] = this.#comparisons;
      const weight = this.#weights[word]!;
      sum += weight;
      const foods = this.#foods[word]!;
      for (let k = 0; k < foods.length; k++) {
        const food = foods[k]!;
        if (shared[food] === 0) touched[count++] = food;
        shared[food]! += weight;
      }
    }
    let nearest = 0;
    for (let k = 0; k < count; k++) {
      const food = touched[k]!;
      const share = shared[food]! / (OWN * sum + (1 - OWN) * this.#sums[food]!);
      if (share > nearest) nearest = share;
      shared[food] = 0;
    }
    return nearest;
  }

  /** The number of a word that occurs for the first time; other forms of it may have occurred. */
  #add(text: string): number {
    const word = this.#words.get(hashOf(text)) ?? this.#foods.length;
    for (const form of inflected(text)) {
      const hash = hashOf(form);
      if (!this.#words.has(hash)) this.#words.set(hash, word);
    }
    return word;
  }
}

const hashOf = (word: string): number => nameOf(word, word).words[0]?.hash ?? 0;
