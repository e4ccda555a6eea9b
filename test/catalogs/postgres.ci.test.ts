/** A catalog in PostgreSQL answers byte for byte like one in memory, by text and by words. */
import { expect, test } from 'vitest';
import { type FoodRecord, NO_OTHER_NAMES } from '#core';
import { FoodIndex } from '#engine';
import { typedTexts } from '../../load/tools/typed-texts.ts';
import { checkTables } from '../../src/postgres/check.ts';
import { lookAt } from '../../src/postgres/servers/look.ts';
import { MAX_KEY, ROW_FOODS, ROW_PLACES } from '../../src/postgres/text-rows.ts';
import { RulesOracle } from '../search/rules-oracle.ts';
import { sectionsOf } from '../support/index.ts';
import { loadIndex, newDatabase, postgres } from '../support/postgres-catalog.ts';
import { seeded } from '../support/random.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, memoryCatalogOf, TEST_LABEL } from '../support/service.ts';
import { expectLikeMemory } from './like-memory.ts';

/** Random parts of descriptions, in several cases and with changes. */
function* partsOf(foods: readonly FoodRecord[], count: number, seed: number): Generator<string> {
  const random = seeded(seed);
  for (let i = 0; i < count; i++) {
    const points = Array.from(foods[random(foods.length)]?.description ?? '');
    const start = random(points.length);
    const part = points.slice(start, start + 1 + random(14)).join('');
    yield [part, part, part.toUpperCase(), `${part}s`, part.slice(0, 3), Array.from(part).reverse().join('')][
      random(6)
    ] ?? '';
  }
}

const HOSTILE = [
  ...String.raw`' '' " ; \ \\ % %% _ __ * .* .+ [a-z] ( ) $1 $$ {} -- /*`.split(' '),
  ...["' OR 1=1 --", "'; DROP TABLE food_lookup.data_set; --", "\\'; SELECT pg_sleep(10); --"],
  ...'%a% e_g egg\\ ^egg egg$'.split(' '),
  ...'\0 a\0 \0b N aN n \u0001 \n \t \u200b \ufeff \ufffd \ufffe \u{10ffff}'.split(' '),
  ...'🥚 \ud83e \udd5a a\ud83e \udd5aa ä a\u0308 Σ ς İ i̇ ß ẞ か か\u3099 Ａ'.split(' '),
  ...['a'.repeat(70), 'a'.repeat(3000), 'ä'.repeat(40), ' ', '  ', ',', ', ', ',,', '(', '()', '%)', '...'],
];

describeWithPostgres('PostgreSQL answers like memory', () => {
  test('for hostile texts, and foods that contain them', async () => {
    const foods = [
      ...HOSTILE.filter((text) => text.length < 100).map((text) => food(`Egg ${text} salad, a${text}b`)),
      ...HOSTILE.map((text) => food(text)),
      ...Array.from({ length: 2 * ROW_PLACES }, (_, i) =>
        food(`${HOSTILE[i % 60]} Eggs, ${'🥚'.repeat(i % 3)}${i}`),
      ),
    ];
    await expectLikeMemory(foods, HOSTILE);
  });

  test('for every text of one and two characters, words in all their forms, and hundreds of others, with many ties', async () => {
    const random = seeded(5);
    const words = [
      ..."egg eggs Eggnog Milk milks buttermilk berry berries baker bakers baker's raw rice price".split(' '),
      ...'and with Fish glass glasses 3.25% 3 (in) - x ä か 🥚'.split(' '),
    ];
    // A few are common.
    const pick = () => words[random(random(2) === 0 ? words.length : 4)] ?? '';
    const foods = Array.from({ length: 3000 }, () =>
      food(Array.from({ length: 1 + random(4) }, pick).join([' ', ', ', '; ', "'"][random(4)])),
    );
    const letters = [...new Set(foods.flatMap(({ description }) => Array.from(description)))];
    const short = letters.flatMap((a) => [a, ...letters.map((b) => a + b)]);
    const forms = words.flatMap((word) => [word, `${word}s`, `${word}es`, `${word}'s`, word.slice(0, -1)]);
    const descriptions = foods.map(({ description }) => description);
    const typed = [...forms, ...typedTexts(descriptions, 300, 9)];
    await expectLikeMemory(foods, [...short, ...partsOf(foods, 500, 6)], typed);
  });

  test('whatever the locale of the database', async () => {
    const foods = HOSTILE.flatMap((text) => [food(text), food(`Iıİi ${text} Irish`), food(`${text}-ÇIĞ`)]);
    const texts = [...HOSTILE, ...'i I ı İ irish IRISH çığ ÇIĞ çiğ g-ç'.split(' ')];
    const turkish = "TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'";
    await expectLikeMemory(foods, texts, texts, turkish);
  });

  test.each([0, 1, 100, 101, ROW_PLACES, ROW_PLACES + 1])('with %i identical foods', async (count) => {
    const texts = ['e', 'egg', 'gg', ' ', 'whole', 'Egg, whole, eggs', 'eggsE', 'zzz', 'egg milk'];
    await expectLikeMemory(Array(count).fill(food('Egg, whole, eggs')), texts);
  });

  test('for long texts and words: the best of the first ROW_FOODS foods with the same beginning', async () => {
    const beginning = 'x'.repeat(MAX_KEY + 1);
    const descriptions = Array.from({ length: ROW_FOODS + 400 }, (_, i) =>
      i % 2 === 0 ? `${beginning} ${i}` : `A ${beginning}, ${i}, frozen, canned`,
    );
    const foods = descriptions.map((description) => food(description));
    // Texts of up to MAX_KEY bytes are exact, and so are those that few foods contain.
    const exact = ['x', 'xx', 'x'.repeat(MAX_KEY), `a ${'x'.repeat(MAX_KEY - 2)}`, `${beginning} 7`];
    const words = ['x', 'x'.repeat(MAX_KEY), `${beginning} frozen`, `7 ${beginning}`];
    const { memory, database } = await expectLikeMemory(foods, exact, words);
    const found = JSON.parse((await database.search(beginning)).body.toString()) as FoodRecord[];
    expect(found).toHaveLength(100);
    const first = [...memory.records()].slice(0, ROW_FOODS);
    const kept = new RulesOracle(first.map(({ description }) => description));
    expect(found.map(({ description }) => description)).toEqual(
      kept.search(beginning).map((arrival) => first[arrival]?.description),
    );
    const { body } = await database.searchWords(beginning, NO_OTHER_NAMES);
    const keptByWords = (await memoryCatalogOf(first)).searchWords(beginning, NO_OTHER_NAMES);
    expect(JSON.parse(body.toString())).toEqual(JSON.parse(keptByWords.body.toString()));
  });
});

describeWithPostgres('an import compares the new tables with the index', () => {
  /** Longer than a key, which ends before or within their last character. */
  const beginnings = ['x'.repeat(MAX_KEY + 1), `${'y'.repeat(MAX_KEY)}ä`, `z${'ä'.repeat(MAX_KEY / 2)}`];
  const foodsOf = (beginning: string, count: number): FoodRecord[] =>
    Array.from({ length: count }, (_, i) => food(`${beginning} ${i}, frozen`));

  test('by texts whose answer they have whole: as many foods have the same beginning as are kept, or more', async () => {
    const counts = [ROW_FOODS + 1, ROW_FOODS, ROW_FOODS + 1];
    const foods = beginnings.flatMap((beginning, i) => foodsOf(beginning, counts[i] ?? 0));
    const texts = [
      ...beginnings.map((beginning) => Array.from(beginning).slice(0, -1).join('')),
      ...foods
        .filter(({ description }, i) => i % 50 === 0 && description.startsWith('y'))
        .map(({ description }) => description),
      '2000, frozen',
    ];
    await expectLikeMemory(foods, texts, []);
  });

  test('and reports a food that the tables answer differently', async () => {
    const sections = await sectionsOf(foodsOf('Egg', 300));
    const url = await newDatabase();
    await loadIndex(url, sections, { ...TEST_LABEL, leftOut: 0 });
    const client = await postgres().client(new URL(url).pathname.slice(1));
    const { generation } = await lookAt(client);
    const check = () => checkTables(client, generation, new FoodIndex(sections));
    await check();
    const foods = `food_lookup.foods_${generation.number}`;
    await client.query(`UPDATE ${foods} SET folded = replace(folded, ' 42,', ' 4,')`);
    await expect(check()).rejects.toThrow(/the new tables do not answer ".+" as the index does/);
    await client.query(`DELETE FROM ${foods} WHERE id = 7`);
    await expect(check()).rejects.toThrow('299 of 300 foods arrived');
    await client.end();
  });
});
