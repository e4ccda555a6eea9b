/** A table of other names of the same food: the words of Britain and America, of shops and kitchens. */
import type { NamePair, OtherName, OtherNames } from '#core';
import { formsOf } from '../order/match-end.ts';
import { wordsOf } from './asked-words.ts';

export class OtherNameTable implements OtherNames {
  /** By all words of a name but the last, separated by spaces, and by the last one: the words of each of its other names. */
  readonly #others = new Map<string, Map<string, OtherName[]>>();
  longest = 0;
  readonly json: string;

  /** @param pairs each of which counts in both directions; earlier ones are preferred */
  constructor(pairs: readonly NamePair[]) {
    for (const pair of pairs) {
      const [name, other] = [wordsOf(pair.name), wordsOf(pair.other)];
      this.#add(name, { words: other, isPreferred: true });
      this.#add(other, { words: name, isPreferred: false });
    }
    this.json = JSON.stringify(pairs.map(({ name, other }) => ({ name, other })));
  }

  /** The last word of a name may be in the singular or the plural. */
  of(words: readonly string[]): readonly OtherName[] {
    const others = this.#others.get(keyOf(words.slice(0, -1)));
    // Most names are known by then not to be there; the forms of a word take a while.
    if (others === undefined) return [];
    return formsOf(words.at(-1) ?? '').flatMap((form) => others.get(keyOf([form])) ?? []);
  }

  #add(name: readonly string[], other: OtherName): void {
    this.longest = Math.max(this.longest, name.length);
    const [before, last] = [keyOf(name.slice(0, -1)), keyOf(name.slice(-1))];
    const others = this.#others.get(before) ?? new Map<string, OtherName[]>();
    this.#others.set(before, others.set(last, [...(others.get(last) ?? []), other]));
  }
}

/** Without accents, which are often left out: "crème fraîche". */
const keyOf = (words: readonly string[]): string =>
  words
    .join(' ')
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '');
