/** A table that finds foods by the words of a whole name, in any order. */
import { hashWith, isPartition, MAX_ENTRIES, TextKey } from '#core';
import { wordsOf } from './asked-words.ts';

/** Finds foods by a whole name. If no food has names, all of it is empty. */
export interface NameKeys {
  /** A power of two and 1: the keys of bucket i are [buckets[i], buckets[i + 1]). */
  readonly buckets: Uint32Array;
  /** For each name a half of its key, of which the other one gives the bucket; and its food, ascending in a bucket. */
  readonly checks: Uint32Array;
  readonly foods: Int32Array;
}

export const NO_NAME_KEYS: NameKeys = {
  buckets: new Uint32Array(0),
  checks: new Uint32Array(0),
  foods: new Int32Array(0),
};

/** Names of this many in a bucket, on average. */
const NAMES_OF_A_BUCKET = 4;

const bucketOf = ({ buckets }: Pick<NameKeys, 'buckets'>, low: number): number => low & (buckets.length - 2);

/** The keys of names that a table is made of: for each what gives the bucket and what is checked, and its food, ascending. */
export interface NamesOfFoods {
  readonly keys: Uint32Array;
  readonly foods: Int32Array;
}

export function nameKeysOf({ keys, foods: named }: NamesOfFoods): NameKeys {
  if (named.length === 0) return NO_NAME_KEYS;
  const bits = Math.max(0, Math.ceil(Math.log2(named.length / NAMES_OF_A_BUCKET)));
  const buckets = new Uint32Array(2 ** bits + 1);
  for (let i = 0; i < named.length; i++) buckets[bucketOf({ buckets }, keys[2 * i]!) + 1]!++;
  for (let i = 1; i < buckets.length; i++) buckets[i]! += buckets[i - 1]!;
  const next = buckets.slice();
  const [checks, foods] = [new Uint32Array(named.length), new Int32Array(named.length)];
  for (let i = 0; i < named.length; i++) {
    const at = next[bucketOf({ buckets }, keys[2 * i]!)]!++;
    checks[at] = keys[2 * i + 1]!;
    foods[at] = named[i]!;
  }
  return { buckets, checks, foods };
}

/** The key of a name, of which words are added. Neither their order nor plurals nor repetitions count. */
export class NameKey {
  /** The two halves of the keys of the distinct stems, and how many of them count: a shorter array would be a new one. */
  readonly #stems: number[] = [];
  #used = 0;
  #low = 0;
  #high = 0;

  /** Adds a word, or the part of a text that is one. */
  add(text: string, from = 0, to: number = text.length): void {
    const { low, high } = stemKey(text, from, to);
    const stems = this.#stems;
    for (let i = 0; i < this.#used; i += 2) if (stems[i] === low && stems[i + 1] === high) return;
    stems[this.#used++] = low;
    stems[this.#used++] = high;
    this.#low = (this.#low + low) | 0;
    this.#high = (this.#high + high) | 0;
  }

  /** The key, after which a new one begins. */
  take(): { readonly low: number; readonly check: number } {
    const key = { low: hashWith(this.#low, this.#high), check: this.#high >>> 0 };
    this.#used = this.#low = this.#high = 0;
    return key;
  }
}

export function nameKeyOf(words: readonly string[]): ReturnType<NameKey['take']> {
  const key = new NameKey();
  for (const word of words) key.add(word);
  return key.take();
}

const [LETTER_E, LETTER_I, LETTER_S, LETTER_Y] = [101, 105, 115, 121];

/** Of what singular and plural have in common: "berr" and an "i" of "berry" and "berries". */
function stemKey(text: string, from: number, to: number): TextKey {
  const least = from + 3;
  let end = to;
  let isI = end > least && text.charCodeAt(end - 1) === LETTER_Y;
  if (!isI) {
    if (end > least && text.charCodeAt(end - 1) === LETTER_S) end--;
    if (end > least && text.charCodeAt(end - 1) === LETTER_E) end--;
    isI = text.charCodeAt(end - 1) === LETTER_I;
  }
  const key = new TextKey();
  key.addText(text, from, isI ? end - 1 : end);
  if (isI) key.add(LETTER_I);
  return key;
}

/** Foods with a name of these words, ascending; none if it names more than an answer can hold, since it then tells none of them. */
export function foodsNamed(keys: NameKeys, words: readonly string[]): readonly number[] {
  if (keys.foods.length === 0 || words.length === 0) return [];
  const { low, check } = nameKeyOf(words);
  const bucket = bucketOf(keys, low);
  const found: number[] = [];
  for (let i = keys.buckets[bucket]!; i < keys.buckets[bucket + 1]!; i++) {
    if (keys.checks[i] !== check || found.at(-1) === keys.foods[i]) continue;
    if (found.length === MAX_ENTRIES) return [];
    found.push(keys.foods[i]!);
  }
  return found;
}

/** Whether these sections are consistent with each other and with the number of foods. */
export const areConsistentKeys = ({ buckets, checks, foods: named }: NameKeys, foods: number): boolean =>
  checks.length === named.length &&
  Number.isInteger(Math.log2(buckets.length - 1)) &&
  isPartition(buckets, checks.length) &&
  named.every((food) => food >= 0 && food < foods);

/** Whether one of these names has those words and no others. */
export const isNamed = (names: readonly string[], words: readonly string[]): boolean =>
  names.some((name) => nameKeyOf(wordsOf(name)).check === nameKeyOf(words).check);
