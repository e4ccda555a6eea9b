/** Foods in which a text occurs very often have the same answers. Their descriptions are not longer than MAX_DESCRIPTION. */
import { expect, test } from 'vitest';
import { MAX_DESCRIPTION } from '#core';
import { readIndexFile } from '#service';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { counts, importSources, refusalFrom, refusalOf } from '../support/import.ts';
import { indexOf, sectionsOf, writeIndexFile } from '../support/index.ts';
import { numbered } from '../support/service.ts';
import { tablesOf, writeFolder } from '../support/usda.ts';
import { expectLikeRules, typed } from './like-rules.ts';

const folder = temporaryFolder();

type Descriptions = readonly string[];
const foods = (count: number, description: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => description(i));

const few = (words: string, times: number): string[] =>
  foods(60, (i) => `Food ${i}, ${i % 3 === 0 ? 'raw, ' : ''}${words.repeat(times + i)}`);

const imitations = (count: number, last: string): string[] =>
  foods(count, (i) => `Babyfood, imitation, ${['egg', 'eggs', 'eggnog', last][i % 4]} ${i % 70}`);
const MILK = foods(20_000, (i) => `Milk ${i % 90}`);

const SETS: readonly [name: string, descriptions: Descriptions][] = [
  ['300 foods of a hundred words', foods(300, (i) => `Food ${i} ${'egg '.repeat(100)}`)],
  ['99 foods that repeat a word', foods(99, (i) => `food${i} ${'egg '.repeat(490)}`)],
  ['60 foods of words and commas', few('egg, eggs milk, ', 60)],
  ['20 foods that repeat a letter', foods(20, (i) => `${i} ${'a'.repeat(1990)}`)],
  ['20 foods that repeat a word of one letter', foods(20, (i) => `${i} ${'a '.repeat(990)}`)],
  ['150 foods, the long ones last', [...few('egg ', 430), ...foods(90, (i) => `Milk ${i}, raw, egg`)]],
  ['long foods before very many others', [...few('eggs ', 330), ...imitations(6000, 'milk')]],
  ['long foods before few others', [...few('egg;', 430), ...imitations(30, 'begg'), ...MILK]],
];
const SOME = 'a|e|g|k|f| |,|;|egg|eggs|eg|gg|g e|egg egg|egg,|, |egg;egg|aa|a a| a|food|milk|begg|nog';
const TEXTS = SOME.split('|');

test.each(SETS)('the engine answers like the rules applied to every match on %s', (_name, descriptions) =>
  expectLikeRules(descriptions, TEXTS),
);

const LONGEST = 'a'.repeat(MAX_DESCRIPTION);
const TOO_LONG = `${LONGEST}b`;

test('the longest descriptions are found, however often a text occurs in them', async () => {
  const index = await indexOf(numbered(foods(99, (i) => LONGEST.slice(0, MAX_DESCRIPTION - i))));
  for (const text of ['a', 'aa', LONGEST.slice(50)]) {
    const found = typed(index, text).toSorted((a, b) => a - b);
    expect(found).toEqual([...Array(text.length > 2 ? 51 : 99).keys()]);
  }
});

const importText = async (name: string, text: string) => importSources([await folder.write(name, text)]);

test('a longer one is refused in a table of your own, with its row', async () => {
  const { foods: kept } = await importText('longest.csv', `${HEADER}\n${LONGEST},1,1,1,1,1,1\n`);
  expect(kept).toHaveLength(1);
  const file = await folder.write('too-long.csv', `${HEADER}\nEgg,1,1,1,1,1,1\n${TOO_LONG},1,1,1,1,1,1\n`);
  expect(await refusalOf([file])).toMatch(
    /line 3, column description: the description has 2,001 characters, more than 2,000\. Shorten it, or /,
  );
});

test('it is dropped and counted in public data', async () => {
  const rows = ['Egg', TOO_LONG].map((description, i) => ({ fdc_id: i + 1, description }));
  const tables = tablesOf(rows, { 1: { 1008: 1 }, 2: { 1008: 1 } });
  const product = ['code\tproduct_name\tbrands\tproteins_100g', `1\tEgg\t${TOO_LONG}\t1`, '2\tEgg\tHen\t1'];
  for (const source of [
    await writeFolder(folder.path('usda'), tables),
    await folder.write('products.csv', `${product.join('\n')}\n`),
  ]) {
    const { foods: kept, report } = await importSources([source]);
    expect(kept).toHaveLength(1);
    expect(counts(report.sources[0]?.dropped)).toEqual({ 'description of more than 2,000 characters': 1 });
  }
});

test('an index file that an earlier program made with one is refused', async () => {
  const write = async (description: string): Promise<string> => {
    const file = folder.path(`${description.length}.idx`);
    const label = { name: 'Foods', date: '2026', source: null, licence: null, leftOut: 0 };
    await writeIndexFile(file, await sectionsOf(numbered(['Egg', description])), label);
    return file;
  };
  expect((await readIndexFile(await write(LONGEST))).label.name).toBe('Foods');
  expect(await refusalFrom(readIndexFile(await write(TOO_LONG)))).toMatch(
    /this file has a description of 2,001 characters, more than 2,000\. Import the data again: /,
  );
});
