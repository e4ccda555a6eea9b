/** The answers of the engine, compared with the rules applied to every match in every food. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { NO_OTHER_NAMES } from '#core';
import type { FoodIndex } from '#engine';
import { indexOf, placesIn } from '../support/index.ts';
import { numbered } from '../support/service.ts';
import { RulesOracle } from './rules-oracle.ts';

// None could be a misspelling of another, and short ones are never corrected.
const TEXT =
  "egg eggs oil olive oils berry berries Milk milkshake whole glass 3.25% (in) and Ω Äpfel a as Joe's joes Joe";
export const WORDS: readonly string[] = TEXT.split(' ');

/** One to that many words, each but the first behind one of the separators. */
export const describedBy = (words: fc.Arbitrary<string>, maxLength: number, separators: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...separators), words), { minLength: 1, maxLength })
    .map((parts) => parts.flat().slice(1).join(''));

/** The places of the foods that are found among those given. */
export const typed = (index: FoodIndex, text: string): number[] => placesIn(index.search(text));
export const byWords = (index: FoodIndex, text: string): number[] =>
  placesIn(index.searchWords(text, NO_OTHER_NAMES).body);

export async function expectLikeRules(
  descriptions: readonly string[],
  texts: Iterable<string>,
  search = typed,
): Promise<void> {
  const index = await indexOf(numbered(descriptions));
  const oracle = new RulesOracle(descriptions);
  for (const text of texts) {
    const expected = search === typed ? oracle.search(text) : oracle.searchWords(text);
    expect(search(index, text), JSON.stringify(text)).toEqual(expected);
  }
}
