/** A table of other names of the same food: the words of Britain and America, of shops and kitchens. */
import type { NamePair, OtherName, OtherNames } from '#core';
import { formsOf } from '../order/match-end.ts';
import { wordsOf } from './asked-words.ts';

export class OtherNameTable implements OtherNames {
  /** By the words of a name, separated by spaces: the words of each of its other names. */
  readonly #others = new Map<string, OtherName[]>();
  readonly longest: number = 0;
  readonly json: string;

  /** @param pairs each of which counts in both directions; earlier ones are preferred */
  constructor(pairs: readonly NamePair[]) {
    for (const { name, other } of pairs) {
      this.#add(wordsOf(name), { words: wordsOf(other), isPreferred: true });
      this.#add(wordsOf(other), { words: wordsOf(name), isPreferred: false });
    }
    const keys = [...this.#others.keys()];
    this.longest = Math.max(0, ...keys.map((key) => key.split(' ').length));
    this.json = JSON.stringify(pairs.map(({ name, other }) => ({ name, other })));
  }

  /** The last word of a name may be in the singular or the plural. */
  of(words: readonly string[]): readonly OtherName[] {
    const before = words.slice(0, -1);
    const names = formsOf(words.at(-1) ?? '').map((form) => nameKeyOf([...before, form]));
    return names.flatMap((name) => this.#others.get(name) ?? []);
  }

  #add(name: readonly string[], other: OtherName): void {
    const key = nameKeyOf(name);
    this.#others.set(key, [...(this.#others.get(key) ?? []), other]);
  }
}

/** Without accents, which are often left out: "crème fraîche". */
const nameKeyOf = (words: readonly string[]): string =>
  words
    .join(' ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');
