/** Thousands of lines of recipes whose weight is known by construction: no figure is wrong, and nearly all are understood. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Reading, readText, readWords, weigh } from '#amounts';
import { SHARED } from '../support/shared.ts';

const PHRASES = `${SHARED}/relevance/phrases-dev.json`;
const LINES = 5000;
const words = readWords(readFileSync('data/amounts.txt', 'utf8'));

/** Of every food in this test. */
const PORTIONS = [
  { portion: '1 cup', grams: '200' },
  { portion: '1 tbsp', grams: '12.5' },
  { portion: '1 large', grams: '60' },
  { portion: '1 medium', grams: '50' },
  { portion: '1 slice', grams: '20' },
];

type Construct = (food: string, n: number, k: number) => readonly [line: string, grams: number];

const CONSTRUCTS: readonly Construct[] = [
  (food, n) => [`${n} g ${food}`, n],
  (food, n) => [`${n}g of ${food}`, n],
  (food, n) => [`${food} ${n} g`, n],
  (food, n) => [`${food}, ${n} g`, n],
  (food, n) => [`${food}: ${n} g`, n],
  (food, n) => [`${food} (${n}g)`, n],
  (food, n) => [`- ${food} – ${n} grams`, n],
  (food, n, k) => [`${k} x ${n} g ${food}`, k * n],
  (food, n, k) => [`${k} × ${n}g tins ${food}`, k * n],
  (food, n, k) => [`${k} ${n}-g cans ${food}`, k * n],
  (food, n, k) => [`${k} (${n} g) packages ${food}`, k * n],
  (food, n) => [`1 (${n} gram) can ${food}, drained`, n],
  (food, n) => [`1 jar ${food} (${n} g)`, n],
  (food, n, k) => [`${k} kg ${n} g ${food}`, 1000 * k + n],
  (food, _n, k) => [`${k} lb 4 oz ${food}`, k * 453.592 + 4 * 28.35],
  (food, n) => [`${n}–${n + 20} g ${food}`, n + 10],
  (food, n) => [`${n} to ${n + 20} grams ${food}`, n + 10],
  (food, n) => [`about ${n} g ${food}, finely chopped`, n],
  (food, n) => [`* ${n} g ${food}, plus more for serving`, n],
  (food, n) => [`${n} g ${food} (see note)`, n],
  (food, n) => [`${n},5 g ${food}`, n + 0.5],
  (food, n) => [`${n}.25 g ${food}`, n + 0.25],
  (food) => [`two hundred grams of ${food}`, 200],
  (food) => [`half a pound of ${food}`, 226.796],
  (food, _n, k) => [`${k}½ kg ${food}`, 1000 * k + 500],
  (food, _n, k) => [`${k} 1/2 lb ${food}`, (k + 0.5) * 453.592],
  (food, _n, k) => [`${k} cups ${food}`, 200 * k],
  (food, _n, k) => [`${k}-1/4 cups ${food}, divided`, 200 * k + 50],
  (food, _n, k) => [`${k} cups plus 2 tbsp ${food}`, 200 * k + 25],
  (food, n) => [`1 cup (${n} g) ${food}`, n],
  (food, n) => [`1 cup/${n} grams ${food}`, n],
  (food, n) => [`${n} g (1 cup) ${food}`, n],
  (food) => [`half a cup of ${food}`, 100],
  (food) => [`three quarters of a cup of ${food}`, 150],
  (food, _n, k) => [`${k} Tbsp. ${food}`, 12.5 * k],
  (food) => [`1 heaped T ${food}`, 12.5],
  (food, _n, k) => [`${k} large ${food}`, 60 * k],
  (food, _n, k) => [`${k} slices of ${food}`, 20 * k],
];

/** Nothing but the food itself is left. */
const weightOf = ({ amount }: Reading, line: string): string | undefined =>
  amount && weigh(amount, { description: 'Food', portions: PORTIONS }, words, line).grams;

test.skipIf(!existsSync(PHRASES))(`${LINES} lines have no wrong weight, and at least 95 % have one`, () => {
  const phrases = JSON.parse(readFileSync(PHRASES, 'utf8')) as { readonly q: string }[];
  const wrong: string[] = [];
  const unknown: string[] = [];
  for (let i = 0; i < LINES; i++) {
    const { q: food = '' } = phrases[(i * 7) % phrases.length] ?? {};
    const [line = '', grams] =
      CONSTRUCTS[i % CONSTRUCTS.length]?.(food, 21 + ((i * 37) % 469), 2 + (i % 3)) ?? [];
    const readings = readText(line, words);
    const [reading] = readings;
    const weight = reading && weightOf(reading, line);
    if (weight === undefined) unknown.push(line);
    else if (readings.length > 1 || Math.abs(Number(weight) - (grams ?? 0)) > 1e-6)
      wrong.push(`${line}: ${weight}`);
  }
  expect(wrong).toEqual([]);
  expect(unknown.length, unknown.slice(0, 20).join('\n')).toBeLessThanOrEqual(LINES / 20);
});
