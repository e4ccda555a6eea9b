/**
 * Values by words. A word of a name is looked up by its hash, without making a string.
 */
import { hashOfText } from '../../text/fnv.ts';

/** A part of the folded description; equal parts have equal hashes. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly hash: number;
}

export class WordTable<Value> {
  readonly #entries = new Map<number, { readonly word: string; readonly value: Value }>();

  constructor(entries: Iterable<readonly [word: string, value: Value]>) {
    for (const [word, value] of entries) {
      const hash = hashOfText(word);
      const known = this.#entries.get(hash)?.word ?? word;
      if (known !== word) throw new Error(`${known} and ${word} have the same hash`);
      this.#entries.set(hash, { word, value });
    }
  }

  /** The value of a word of a folded description. */
  of(folded: string, { start, end, hash }: Span): Value | undefined {
    const entry = this.#entries.get(hash);
    if (entry === undefined || end - start !== entry.word.length) return undefined;
    return folded.startsWith(entry.word, start) ? entry.value : undefined;
  }
}
