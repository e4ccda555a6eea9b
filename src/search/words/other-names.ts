/**
 * Other names of the same food: what British and American, shop and kitchen call differently.
 */
import { wordsOf } from './asked-words.ts';

export interface OtherName {
  readonly name: string;
  readonly other: string;
}

export class OtherNames {
  /** By the words of a name, with a blank between two: the words of each of its other names. */
  readonly #others = new Map<string, string[][]>();
  /** Words of the longest name. */
  readonly longest: number = 0;
  /** The same for the same names. */
  readonly identity: string;

  /** @param names each of which counts both ways */
  constructor(names: readonly OtherName[]) {
    for (const { name, other } of names) {
      for (const [from, to] of [
        [wordsOf(name), wordsOf(other)],
        [wordsOf(other), wordsOf(name)],
      ] as const) {
        const key = from.join(' ');
        this.#others.set(key, [...(this.#others.get(key) ?? []), [...to]]);
        this.longest = Math.max(this.longest, from.length);
      }
    }
    this.identity = JSON.stringify([...this.#others]);
  }

  /** The other names of what these words name, the preferred one first. */
  of(words: readonly string[]): readonly (readonly string[])[] {
    return this.#others.get(words.join(' ')) ?? [];
  }
}

/** None. */
export const NO_OTHER_NAMES = new OtherNames([]);
