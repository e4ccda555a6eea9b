/**
 * A table of other names of the same food: the words of Britain and America, of shops and kitchens.
 */
import type { NamePair, OtherNames } from '../../catalog.ts';
import { formsOf } from '../ranking/word-forms.ts';
import { wordsOf } from './asked-words.ts';

export class OtherNameTable implements OtherNames {
  /** By the words of a name, separated by spaces: the words of each of its other names. */
  readonly #others = new Map<string, string[][]>();
  readonly longest: number = 0;
  readonly identity: string;

  /** @param pairs each of which counts in both directions; earlier ones are preferred */
  constructor(pairs: readonly NamePair[]) {
    for (const { name, other } of pairs) {
      this.#add(wordsOf(name), wordsOf(other));
      this.#add(wordsOf(other), wordsOf(name));
    }
    const keys = [...this.#others.keys()];
    this.longest = Math.max(0, ...keys.map((key) => key.split(' ').length));
    this.identity = JSON.stringify([...this.#others]);
  }

  /** The last word of a name may be in the singular or the plural. */
  of(words: readonly string[]): readonly (readonly string[])[] {
    const before = words.slice(0, -1);
    const names = formsOf(words.at(-1) ?? '').map((form) => [...before, form].join(' '));
    return names.flatMap((name) => this.#others.get(name) ?? []);
  }

  #add(name: readonly string[], other: string[]): void {
    const key = name.join(' ');
    this.#others.set(key, [...(this.#others.get(key) ?? []), other]);
  }
}
