/** Checks that the version of the answers, which is part of every tag, changes with the answers. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANSWERS_VERSION, FOOD_COLUMNS, type FoodCatalog, type FoodRecord, NO_OTHER_NAMES } from '#core';
import { EverydayFoods, OtherNameTable } from '#engine';
import { MOST_PARTS } from '../src/engine/words/selection.ts';
import { startForTest } from './support/lifetime.ts';
import { seeded } from './support/random.ts';
import { ask, catalogOf, food, targetOf } from './support/service.ts';

/** Words for every rule of the order, and words for none. */
const WORDS =
  `egg eggs milk Milk cheese cheddar apple apples butter bread rice beef fish Fish nuts beverages puddings yogurt oil
  flour raw plain regular cooked boiled fresh whole babyfood infant native USDA imitation restaurant skin liver dried powder instant
  reduced low light smoked sweetened coated canned frozen with and in of crème äpfel GREAT BRANDS glass glasses 3.25% 2 kg x baker's 치킨 ＡＢＣ average crue`
    .trim()
    .split(/\s+/);

const SEPARATORS = [' ', ' ', ' ', ', ', ', ', ', ', '; ', ' - ', '-', ' (', ') ', ''];

const FIGURES = [null, '0', '0.005', '1.005', '717', '9007199254740993', '-0.125', '12.5'];

/** Foods that never change: more of each word than an answer holds, and more than fit one range of the engine. */
function fixedFoods(): FoodRecord[] {
  const random = seeded(12);
  const oneOf = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  return Array.from({ length: 2500 }, () => {
    const words = Array.from({ length: 1 + random(5) }, () => oneOf(WORDS) + oneOf(SEPARATORS));
    const figures = FOOD_COLUMNS.slice(0, -1).map((column) => [column, oneOf(FIGURES)] as const);
    const popularity = random(4) === 0 ? { popularity: random(1000) } : {};
    return food(words.join('').trim(), { ...Object.fromEntries(figures), ...popularity });
  });
}

/** Everyday foods, which never change either. */
const EVERYDAY = 'Egg, whole, raw|Milk, whole|Cheese, cheddar|Rice, cooked|Apple, raw|Butter'.split('|');

/** Texts that never change: words in both cases, all their beginnings, and texts of one and two characters. */
function fixedTexts(): string[] {
  const characters = Array.from("abcdefghijklmnoprstuwyzäè ,;-(2.'%");
  return [
    ...WORDS.flatMap((word) => [word, word.toUpperCase(), `${word} `, `${word},`, `, ${word}`]),
    ...WORDS.flatMap((word) => Array.from(word, (_, i) => word.slice(0, i + 1))),
    ...characters.flatMap((first) => [first, ...characters.map((second) => first + second)]),
    ...['no such food', '\0', 'E\u0300', 'milk, whole', 'rice with', 'apple-', 'g'.repeat(300)],
  ];
}

/** Pairs of words: whole, unfinished, and with an edit. */
const wordTexts = (): string[] => [
  ...WORDS.flatMap((word, i) => {
    const other = WORDS[(7 * i + 3) % WORDS.length] ?? '';
    const edited = word.replace(/(.)(.)$/, '$2$1');
    return [`${word} ${other}`, `${other} ${word.slice(0, 3)}`, `${edited} ${other}`];
  }),
  ...['치칸 egg', 'egg in', 'in apples', 'abc', 'creme', 'apfel raw'],
];

/** A name that is the plural of the other, and two of different foods. */
const OTHER_NAMES = new OtherNameTable([
  { name: 'egg', other: 'eggs' },
  { name: 'apples', other: 'apple' },
  { name: 'cheese', other: 'yogurt' },
]);

let catalog: FoodCatalog;
beforeAll(async () => {
  catalog = await catalogOf(fixedFoods(), new EverydayFoods(EVERYDAY));
});
afterAll(() => catalog.close());

test('the version is new when answers change', async () => {
  // Only large data sets reach the bound.
  const digest = createHash('sha256').update(String(MOST_PARTS));
  const add = (text: string, body: Buffer, more: string) =>
    digest.update(`${text}\n`).update(body).update(more);
  for (const text of fixedTexts()) {
    const found = await catalog.search(text);
    add(text, Buffer.isBuffer(found) ? found : found.body, '\n');
  }
  const asked = [
    ...wordTexts().map((text) => [text, NO_OTHER_NAMES] as const),
    ...WORDS.map((text) => [text, OTHER_NAMES] as const),
  ];
  for (const [text, names] of asked) {
    const { body, replaced, missing } = await catalog.searchWords(text, names);
    add(text, body, JSON.stringify([replaced, missing]));
  }
  const version = digest.digest('hex').slice(0, 8);
  const advice = `if this is intended, set ANSWERS_VERSION in src/core/catalog.ts to '${version}'`;
  const message = `the answers have changed, and caches would keep the old ones; ${advice}`;
  expect(ANSWERS_VERSION, message).toBe(version);
});

test('the tag of an answer is valid only for this version', async () => {
  const service = await startForTest(catalog);
  const target = targetOf('egg');
  const { headers } = await ask(service, target);
  const etag = String(headers.etag);
  expect(etag.split('-')[1]).toBe(ANSWERS_VERSION);
  const statusFor = async (tag: string) =>
    (await ask(service, target, { headers: { 'if-none-match': tag } })).status;
  expect(await statusFor(etag)).toBe(304);
  expect(await statusFor(etag.replace(ANSWERS_VERSION, '00000000'))).toBe(200);
});
