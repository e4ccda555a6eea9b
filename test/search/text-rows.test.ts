/** The index as tables: looking up keys in them gives the same answers as the engine. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from '#core';
import { FoodIndex } from '#engine';
import { foodRows } from '../../src/postgres/food-rows.ts';
import { bestMatches } from '../../src/postgres/rank-matches.ts';
import { MAX_KEY, textRows } from '../../src/postgres/text-rows.ts';
import { sectionsOf } from '../support/index.ts';
import { numbered } from '../support/service.ts';

async function tablesOf(descriptions: readonly string[], few: number) {
  const sections = await sectionsOf(numbered(descriptions));
  const index = new FoodIndex(sections);
  const foods = [...foodRows(sections)].map((row) => ({
    ...row,
    folded: Buffer.from(row.folded).toString(),
  }));
  const rows = [...textRows(sections, (text) => index.best(text), few)]
    .map((row) => ({ ...row, bytes: Buffer.from(row.key) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const lookUp = (text: string): string => {
    const folded = fold(text);
    const key = Buffer.from(folded);
    const row = rows.findLast(({ bytes }) => Buffer.compare(bytes, key) <= 0);
    if (row === undefined || !folded.startsWith(row.key) || (row.isAnswer && row.key !== folded)) return '[]';
    const matching = [...row.foods].map((id) => foods[id]).filter((each) => each !== undefined);
    const having = () => matching.filter((each) => each.folded.includes(folded));
    const found = row.isAnswer ? matching : bestMatches(folded, having());
    return `[${found.map((each) => Buffer.from(each.entry).toString()).join()}]`;
  };
  return { index, rows, lookUp };
}

const TEXT =
  'egg eggs Milk milks buttermilk price glass glasses 3.25% (in) - x ä ßÄ 🥚🥚 か 牛奶 حليب \0 \uFFFD';
const WORDS = TEXT.split(' ');
const descriptions = fc.array(
  fc
    .array(fc.constantFrom(...WORDS, ', ', ' ', '; ', '，', '、', '（', '，', '،', '।', 's', 'es'), {
      minLength: 1,
      maxLength: 7,
    })
    .map((parts) => parts.join('')),
  { minLength: 1, maxLength: 60 },
);

test('the tables answer like the engine, with several limits of “few”', async () => {
  await fc.assert(
    fc.asyncProperty(
      descriptions,
      fc.constantFrom(1, 3, 20),
      fc.infiniteStream(fc.nat()),
      async (all, few, numbers) => {
        const { index, lookUp } = await tablesOf(all, few);
        const number = (below: number) => (numbers.next().value ?? 0) % below;
        for (let i = 0; i < 20; i++) {
          const points = Array.from(all[number(all.length)] ?? '');
          const start = number(points.length);
          const text = points.slice(start, start + 1 + number(6)).join('') + (number(4) === 0 ? 's' : '');
          expect(lookUp(text), JSON.stringify(text)).toBe(Buffer.from(index.search(text)).toString());
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('long texts of many foods are found, and their keys stay short', async () => {
  const long = 'x'.repeat(300);
  const descriptions = Array.from({ length: 900 }, (_, i) => `${i} ${long} ${i % 7}`);
  const { index, lookUp, rows } = await tablesOf(descriptions, 512);
  expect(Math.max(...rows.map((row) => row.key.length))).toBe(MAX_KEY + 1);
  const many = [1, MAX_KEY, MAX_KEY + 1].map((count) => 'x'.repeat(count));
  for (const text of [...many, long, `${long} 3`, `4 ${long}`, `${long}x`])
    expect(lookUp(text), text).toBe(Buffer.from(index.search(text)).toString());
});
