/**
 * How often words and beginnings of names occur in a data set. Counted by hash in tables of a fixed size:
 * millions of names take 8 MB, and where two share a bucket the count is a little high, which its logarithm
 * makes harmless.
 */
import { FNV_PRIME, type FoodName, type Segment, type Span } from './food-name.ts';

const BUCKETS = 1 << 20;
const bucketOf = (hash: number): number => (hash ^ (hash >>> 15)) & (BUCKETS - 1);

/** Any odd constant: it tells a pair of segments from one segment. */
const PAIR = 0x5bd1e995;
const hashOfPair = (a: Segment, b: Segment): number => Math.imul(a.hash ^ PAIR, FNV_PRIME) ^ b.hash;

/** In smaller data sets a count says little, so shares are taken of this many foods. */
const FEWEST_FOODS = 1000;

export class NameStatistics {
  readonly #families = new Uint32Array(BUCKETS);
  readonly #words = new Uint32Array(BUCKETS);
  #foods = 0;
  #scale = 1 / Math.log2(FEWEST_FOODS);

  add(name: FoodName): void {
    const [first, second] = name.segments;
    if (first !== undefined) {
      this.#families[bucketOf(first.hash)]!++;
      if (second !== undefined) this.#families[bucketOf(hashOfPair(first, second))]!++;
    }
    for (const word of name.words) this.#words[bucketOf(word.hash)]!++;
    this.#foods++;
    if (this.#foods > FEWEST_FOODS) this.#scale = 1 / Math.log2(this.#foods);
  }

  /**
   * How common names are that begin with one segment, or two: from 0 (one) to 1 (all foods), by logarithm, so
   * that small data sets and large ones give like shares.
   */
  family(first: Segment, second?: Segment): number {
    const hash = second === undefined ? first.hash : hashOfPair(first, second);
    return Math.log2(this.#families[bucketOf(hash)] || 1) * this.#scale;
  }

  /** How common a word is, from 0 to 1 likewise. */
  word(word: Span): number {
    return Math.log2(this.#words[bucketOf(word.hash)] || 1) * this.#scale;
  }
}
