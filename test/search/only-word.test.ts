/** A database answers a single word without the suffix array, with the same foods in the same order. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ENTRIES } from '#core';
import { FoodIndex, Vocabulary } from '#engine';
import { askedWord, otherForms, wordsOf } from '../../src/engine/words/asked-words.ts';
import { foodRows } from '../../src/postgres/food-rows.ts';
import { commonWords, isCommon, wordsFor } from '../../src/postgres/only-word.ts';
import { bestOfWord } from '../../src/postgres/rank-matches.ts';
import { ROW_PLACES } from '../../src/postgres/text-rows.ts';
import { indexOf, sectionsOf } from '../support/index.ts';
import { numbered } from '../support/service.ts';
import { byWords, describedBy } from './like-rules.ts';

/** Stems of words with every kind of form and continuation. */
const STEMS = 'baker berry berries tomato tomatoes egg eggnog 3 3.25 100 glass'.split(' ');
const ending = fc.constantFrom('', '', 's', 'es', "'s", '\u2019s', "'s's", "'shop", '.5');
const word = fc.tuple(fc.constantFrom(...STEMS), ending).map((parts) => parts.join(''));
const description = describedBy(word, 4, [' ', ', ', '; ', ' (', '-']);

describe('a search for one word', () => {
  test('finds the same foods in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(description, { minLength: 1, maxLength: 30 }),
        fc.array(word, { minLength: 12, maxLength: 12 }),
        async (descriptions, typed) => {
          const sections = await sectionsOf(numbered(descriptions));
          const vocabulary = new Vocabulary(sections.vocabulary);
          const index = new FoodIndex(sections);
          const { postingStarts, foods } = sections.vocabulary;
          const rows = [...foodRows(sections)].map(({ folded, scores }, number) => ({
            folded: Buffer.from(folded).toString(),
            scores,
            number,
          }));
          for (const [text = ''] of typed.map(wordsOf)) {
            const asked = askedWord(vocabulary, text);
            const candidates = wordsFor(vocabulary, asked)
              .flatMap(({ from, to }) => [...foods.subarray(postingStarts[from], postingStarts[to])])
              .sort((x, y) => x - y);
            const matching = [...new Set(candidates)].flatMap((number) => rows[number] ?? []);
            const ranked = bestOfWord(text, otherForms(vocabulary, asked), matching);
            const numbers = ranked.map(({ number }) => number);
            expect(numbers, text).toEqual([...index.bestOfWord(asked)]);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  test('that ends with an apostrophe and an s does not match inside a word: "baker\'s" is not in "baker\'shop"', async () => {
    const index = await indexOf(numbered(["Baker's bread", "Baker'shop bread", 'Bakers bread']));
    expect(byWords(index, "baker's")).toEqual([0, 2]);
    expect(byWords(index, "bread baker's").slice(0, 2)).toEqual([0, 2]);
  });
});

test('all common words that a search can have are known beforehand', async () => {
  const counts: Readonly<Record<string, number>> = {
    berry: ROW_PLACES / 2 + 1,
    berries: ROW_PLACES / 2,
    tomatoes: ROW_PLACES + 1,
    "baker's": ROW_PLACES / 4,
    baker: ROW_PLACES,
    egg: ROW_PLACES,
    eggs: 1,
    ['x'.repeat(70)]: ROW_PLACES + 1,
  };
  const descriptions = Object.entries(counts).flatMap(([text, count]) => Array<string>(count).fill(text));
  const sections = await sectionsOf(numbered(descriptions));
  const vocabulary = new Vocabulary(sections.vocabulary);
  const known = [...commonWords(vocabulary)];
  const texts = known.map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
  // As it stands, in another form, with a joint, or only together with another form.
  for (const text of ['t', 'tomato', 'tomatoe', 'tomatoes', 'bakers', 'bak', 'berries', 'eggs'])
    expect(texts).toContain(text);
  const long = [64, 65].map((length) => 'x'.repeat(length));
  for (const text of [...'tomatos eggs egg berry berries bakeres'.split(' '), ...long]) {
    const asked = askedWord(vocabulary, text);
    expect(texts.includes(text), text).toBe(isCommon(vocabulary, asked));
  }
  expect(texts.every((text) => Buffer.byteLength(text) <= 64)).toBe(true);
  const index = new FoodIndex(sections);
  for (const asked of known) expect(index.bestOfWord(asked), asked.text).toHaveLength(MAX_ENTRIES);
});
