/** Compares the engine with the rules applied to every match. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ENTRIES, textOfUtf8 } from '#core';
import { FoodIndex } from '#engine';
import { contains } from '../oracle.ts';
import { indexOf, sectionsOf } from '../support/index.ts';
import { seeded } from '../support/random.ts';
import { numbered } from '../support/service.ts';
import { describedBy, expectLikeRules, typed } from './like-rules.ts';
import { RulesOracle } from './rules-oracle.ts';

const WORDS =
  'egg eggs eggnog Milk milks MILK buttermilk raw canned rice price and with Fish babyfood glass glasses 3.25% 2 kg (in) - x'.split(
    ' ',
  );
const SEPARATORS = [' ', ', ', '; ', ' - ', '-', "'", '，', '（', '）', '، ', '。'];
const text = (unit: fc.Arbitrary<string>, maxLength: number) => fc.string({ unit, minLength: 1, maxLength });
const described = fc
  .oneof(
    { weight: 4, arbitrary: describedBy(fc.constantFrom(...WORDS), 6, SEPARATORS) },
    { weight: 2, arbitrary: text(fc.constantFrom('a', 'b', 's', 'e', ',', ' '), 8) },
    {
      weight: 1,
      arbitrary: text(
        fc.constantFrom('ä', 'A\u0308', '🥚', 'Σ', 'ς', 'İ', '–', '½', 'か', '、', '，', '\u0000'),
        6,
      ),
    },
    { weight: 1, arbitrary: text(fc.constantFrom(...'ab'), 200) },
  )
  .filter((description) => description !== '');

/** A data set and texts: parts of descriptions, in another case, across two descriptions, or invented. */
const searched = fc.array(described, { minLength: 1, maxLength: 40 }).chain((descriptions) => {
  const anyDescription = fc.constantFrom(...descriptions);
  const part = fc.tuple(anyDescription, fc.nat(), fc.nat()).map(([description, a, b]) => {
    const characters = Array.from(description);
    const [from = 0, to = 0] = [a % characters.length, b % characters.length].sort((x, y) => x - y);
    return characters.slice(from, to + 1).join('');
  });
  const across = fc
    .tuple(anyDescription, anyDescription)
    .map(([a, b]) => [...Array.from(a).slice(-2), ...Array.from(b).slice(0, 2)].join(''));
  const query = fc.oneof(
    { weight: 6, arbitrary: part },
    part.map((each) => each.toUpperCase()),
    fc.constantFrom(...WORDS, 'e', 'a', 's', ' ', ',', '，', '（'),
    anyDescription,
    across,
    described,
  );
  return fc.tuple(fc.constant(descriptions), fc.array(query, { minLength: 10, maxLength: 16 }));
});

describe('the engine answers like the rules applied to every match', () => {
  test('on generated data', async () => {
    await fc.assert(
      fc.asyncProperty(searched, async ([descriptions, texts]) => {
        const asked = texts.filter((each) => each !== '');
        await expectLikeRules(descriptions, asked);
        const oracle = new RulesOracle(descriptions);
        for (const each of asked) {
          const matching = descriptions.filter((description) => contains(description, each));
          expect(oracle.search(each).length).toBe(Math.min(MAX_ENTRIES, matching.length));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('on ranges large enough for the tree, with many ties', async () => {
    const random = seeded(5);
    const pick = () => WORDS[random(WORDS.length)] ?? '';
    const descriptions = Array.from({ length: 12_000 }, () =>
      Array.from({ length: 1 + random(4) }, pick).join([' ', ', '][random(2)]),
    );
    await expectLikeRules(descriptions, 'e|eg|egg|eggs|m|milk|Milk,|mil|r|ri| |, |x|gl|glass|i|l'.split('|'));
  });

  test.each([0, 1, 2, 99, 100, 101, 5000])('on %i identical foods', (count) =>
    expectLikeRules(Array(count).fill('Egg, whole, eggs'), ['e', 'egg', 'gg', ' ', 'whole', 'eggsE', 'zzz']),
  );
});

test('a lone surrogate matches nothing, not even U+FFFD', async () => {
  const index = await indexOf(numbered(['a \uFFFD b', '🥚']));
  expect(typed(index, '\uD83E')).toEqual([]);
  expect(typed(index, '\uFFFD')).toEqual([0]);
});

/** The bytes in a buffer that threads share, and behind others. */
const shared = (bytes: Uint8Array): Uint8Array => {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length + 2 ** 20), 64, bytes.length);
  copy.set(bytes);
  return copy;
};

test.each([
  ['that ends with them', (bytes: Uint8Array) => bytes.slice()],
  ['of threads that goes on', shared],
])('entries are found in a buffer %s', async (_name, copyOf) => {
  const descriptions = ['Egg, whole', 'Eggnog', 'Duck egg', 'Milk'];
  const sections = await sectionsOf(numbered(descriptions));
  const index = new FoodIndex({ ...sections, entries: copyOf(sections.entries) });
  expect(typed(index, 'egg')).toEqual(new RulesOracle(descriptions).search('egg'));
  expect(textOfUtf8(index.search('zzz'))).toBe('[]');
});
