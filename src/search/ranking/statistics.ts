/**
 * How often words, beginnings of names and whole names occur in a data set, and what its commas mean.
 */
import { KeyTable } from '../../key-table.ts';
import { FNV_PRIME, type FoodName, type Segment, type Span } from './food-name.ts';

/** Counts 64-bit keys. */
class Counts {
  readonly #keys = new KeyTable();
  #counts = new Uint32Array(1024);

  /** The number of the key, in the order in which keys are first seen. */
  add(low: number, high = 0): number {
    const number = this.#keys.numberOf(low, high);
    if (number === this.#counts.length) {
      const larger = new Uint32Array(2 * number);
      larger.set(this.#counts);
      this.#counts = larger;
    }
    this.#counts[number]!++;
    return number;
  }

  /** The number of the key, or -1. */
  numberOf(low: number, high = 0): number {
    return this.#keys.find(low, high);
  }

  of(low: number, high = 0): number {
    const number = this.numberOf(low, high);
    return number < 0 ? 0 : this.#counts[number]!;
  }
}

/** Any odd constant: it tells a pair of segments from one segment. */
const PAIR = 0x5bd1e995;
const hashOfPair = (a: Segment, b: Segment): number => Math.imul(a.hash ^ PAIR, FNV_PRIME) ^ b.hash;

/** In smaller data sets a count says little, so shares are taken of this many foods. */
const FEWEST_FOODS = 1000;

/** As many foods of a family are needed until they say as much of its commas as the data set does. */
const FAMILY_OF_EVIDENCE = 20;

/** Up to the one share of names with a comma, commas part flavours; from the other one on, they lead to kinds. */
const [FLAVOURS, KINDS] = [0.4, 0.8];

export class NameStatistics {
  readonly #families = new Counts();
  /** Those of the families whose names go on with a comma. */
  readonly #divided = new Counts();
  readonly #words = new Counts();
  /** Those that are a name by themselves. */
  readonly #onlyWords = new Counts();
  readonly #names = new Counts();
  #foods = 0;
  #foodsWithComma = 0;
  #scale = 1 / Math.log2(FEWEST_FOODS);

  /** The number of the name: the same for the same name but for case and blanks, and another one for others. */
  add(name: FoodName): number {
    const [first, second] = name.segments;
    if (first !== undefined) {
      this.#families.add(first.hash);
      if (second !== undefined) {
        this.#families.add(hashOfPair(first, second));
        this.#divided.add(first.hash);
        this.#foodsWithComma++;
      }
    }
    for (const word of name.words) this.#words.add(word.hash);
    if (name.words.length === 1) this.#onlyWords.add(name.words[0]!.hash);
    this.#foods++;
    if (this.#foods > FEWEST_FOODS) this.#scale = 1 / Math.log2(this.#foods);
    return this.#names.add(...name.key);
  }

  /** The number of a name that was added. */
  numberOf(name: FoodName): number {
    return this.#names.numberOf(...name.key);
  }

  /**
   * How common names are that begin with one segment, or two: from 0 (one) to 1 (all foods), by logarithm, so
   * that small data sets and large ones give like shares.
   */
  family(first: Segment, second?: Segment): number {
    const hash = second === undefined ? first.hash : hashOfPair(first, second);
    return Math.log2(this.#families.of(hash) || 1) * this.#scale;
  }

  /** How common a word is, from 0 to 1 likewise. */
  word(word: Span): number {
    return Math.log2(this.#words.of(word.hash) || 1) * this.#scale;
  }

  /** How many foods have this very name. */
  sameName(name: FoodName): number {
    return this.#names.of(...name.key) || 1;
  }

  /**
   * To which degree a word is the name of a food by itself: from 0 ("organic") to 1, by the logarithms of how many
   * names are that word and how many contain it.
   */
  namesFood(word: Span): number {
    const alone = this.#onlyWords.of(word.hash);
    return Math.log2(1 + alone) / Math.log2(2 + this.#words.of(word.hash));
  }

  /**
   * To which degree commas lead from a food to its kinds ("Cheese, cheddar") instead of to a flavour ("Whole milk,
   * chocolate"), from 0 to 1: by the share of the names with this first segment that go on with a comma; where few names
   * tell, by the share of all names.
   */
  taxonomy(first: Segment): number {
    const ofAll = this.#foods === 0 ? 0 : this.#foodsWithComma / this.#foods;
    const divided = this.#divided.of(first.hash) + FAMILY_OF_EVIDENCE * ofAll;
    const share = divided / (this.#families.of(first.hash) + FAMILY_OF_EVIDENCE);
    return Math.max(0, Math.min(1, (share - FLAVOURS) / (KINDS - FLAVOURS)));
  }
}
