/**
 * How often words, beginnings of names and whole names occur in a data set, and what its commas mean.
 */
import { KeyTable } from '../../key-table.ts';
import { FNV_PRIME, type FoodName, keyOf, type Segment, type Span } from './food-name.ts';

/** Numbers of a row of the table: a key, its count, and how often it was marked. */
const ROW = 3;

/** Counts 32-bit keys, and how many of them were marked: open addressing, at most half full, so that one read mostly finds a key. */
class Counts {
  #mask = 1023;
  #rows = new Uint32Array(ROW * (this.#mask + 1));
  #size = 0;

  add(key: number, isMarked = false): void {
    let row = this.#rowOf(key);
    if (this.#rows[row + 1] === 0) {
      if (2 * ++this.#size > this.#mask) {
        this.#grow();
        row = this.#rowOf(key);
      }
      this.#rows[row] = key;
    }
    this.#rows[row + 1]!++;
    if (isMarked) this.#rows[row + 2]!++;
  }

  of(key: number): number {
    return this.#rows[this.#rowOf(key) + 1]!;
  }

  marked(key: number): number {
    return this.#rows[this.#rowOf(key) + 2]!;
  }

  /** Where the row of a key is, or would be. */
  #rowOf(key: number): number {
    const rows = this.#rows;
    const wanted = key >>> 0;
    let slot = (wanted ^ (wanted >>> 15)) & this.#mask;
    while (rows[ROW * slot + 1] !== 0 && rows[ROW * slot] !== wanted) slot = (slot + 1) & this.#mask;
    return ROW * slot;
  }

  #grow(): void {
    const old = this.#rows;
    this.#mask = 2 * this.#mask + 1;
    this.#rows = new Uint32Array(ROW * (this.#mask + 1));
    for (let from = 0; from < old.length; from += ROW) {
      if (old[from + 1] !== 0) this.#rows.set(old.subarray(from, from + ROW), this.#rowOf(old[from]!));
    }
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
  /** Marked where the name goes on with a comma. */
  readonly #families = new Counts();
  /** Marked where the word is a name by itself. */
  readonly #words = new Counts();
  readonly #names = new KeyTable();
  /** By the number of a name. */
  readonly #foodsOfName: number[] = [];
  #foods = 0;
  #foodsWithComma = 0;
  #scale = 1 / Math.log2(FEWEST_FOODS);

  /** The number of the name: the same for the same name but for case and blanks, and another one for others. */
  add(name: FoodName): number {
    const [first, second] = name.segments;
    if (first !== undefined) {
      this.#families.add(first.hash, second !== undefined);
      if (second !== undefined) {
        this.#families.add(hashOfPair(first, second));
        this.#foodsWithComma++;
      }
    }
    for (const word of name.words) this.#words.add(word.hash, name.words.length === 1);
    this.#foods++;
    if (this.#foods > FEWEST_FOODS) this.#scale = 1 / Math.log2(this.#foods);
    const number = this.#names.numberOf(...keyOf(name));
    this.#foodsOfName[number] = this.sameName(number) + 1;
    return number;
  }

  /** The number of a name, -1 where it was not added. */
  numberOf(name: FoodName): number {
    return this.#names.find(...keyOf(name));
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

  /** How many foods have the name of this number. */
  sameName(number: number): number {
    return this.#foodsOfName[number] ?? 0;
  }

  /**
   * To which degree a word is the name of a food by itself: from 0 ("organic") to 1, by the logarithms of how many
   * names are that word and how many contain it.
   */
  namesFood(word: Span): number {
    const alone = this.#words.marked(word.hash);
    return Math.log2(1 + alone) / Math.log2(2 + this.#words.of(word.hash));
  }

  /**
   * To which degree commas lead from a food to its kinds ("Cheese, cheddar") instead of to a flavour ("Whole milk,
   * chocolate"), from 0 to 1: by the share of the names with this first segment that go on with a comma; where few names
   * tell, by the share of all names.
   */
  taxonomy(first: Segment): number {
    const ofAll = this.#foods === 0 ? 0 : this.#foodsWithComma / this.#foods;
    const divided = this.#families.marked(first.hash) + FAMILY_OF_EVIDENCE * ofAll;
    const share = divided / (this.#families.of(first.hash) + FAMILY_OF_EVIDENCE);
    return Math.max(0, Math.min(1, (share - FLAVOURS) / (KINDS - FLAVOURS)));
  }
}
