import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { foodOf, importSources, refusalOf } from '../support/import.ts';

const EGG = { name: 'Egg', calories: 143, protein: 12.56, carbs: 0.72, fat: 9.51 };
const MILK = { name: 'Milk', calories: 61, protein: 3.15, carbs: null, fat: 3.27 };
const BOTH = [EGG, MILK];
const perServing = { calories: 1, protein: 2, carbs: 3, fat: 4 };
const FOODS = [
  foodOf('Egg', { kcal: '143', protein_g: '12.56', carbohydrate_g: '0.72', fa_sat_g: '9.51' }),
  foodOf('Milk', { kcal: '61', protein_g: '3.15', fa_sat_g: '3.27' }),
];

const folder = temporaryFolder();
const text = (value: unknown): string => JSON.stringify(value);

const PHP_MY_ADMIN = [
  '[',
  '{"type":"header","version":"5.2.1","comment":"Export to JSON"},',
  '{"type":"database","name":"diet"},',
  `{"type":"table","name":"foods","database":"diet","data":\n[\n${text(EGG)},\n${text(MILK)}\n]\n}`,
  ']\n',
].join('\n');

const NESTED = BOTH.map(({ name, ...nutrition }) => ({ name, nutrition }));
const variants = [{ name: 'x', calories: 1 }];

test.each<[string, string | Uint8Array, string?, number?]>([
  ['an array', text(BOTH)],
  ['an array in UTF-16', Buffer.from(`\ufeff${text(BOTH)}`, 'utf16le')],
  ['an array after blank lines', `\n\n ${text(BOTH)}\n`],
  ['an indented object with one array', JSON.stringify({ meta: { a: [{}] }, data: BOTH }, null, 1)],
  ['an array in objects in an object', text({ data: { n: 2, list: { foods: BOTH } } })],
  ['the array after others', text({ a: [{ id: 1 }], b: [{ name: 'g' }], foods: BOTH, c: { d: [{}] } })],
  ['a list in an object in a list, as phpMyAdmin exports a table', PHP_MY_ADMIN],
  ['such a list after another table', text([{ type: 'header' }, { data: [{ id: 1 }] }, { data: BOTH }])],
  ['lines with CRLF, some blank', `${text(EGG)}\r\n\r\n${text(MILK)}`, 'JSON lines'],
  ['lines with arrays of objects', `${text({ ...EGG, portions: [{ g: 50 }] })}\n${text(MILK)}`, 'JSON lines'],
  ['lines with a code', `${text({ code: '1', ...EGG })}\n${text({ code: '2', ...MILK })}`, 'JSON lines'],
  ['objects without unknown fields', text([EGG, { name: 'Milk', calories: 61, fat: 3.27, protein: 3.15 }])],
  ['objects of which a later one has fewer names', text([{ ...EGG, brand: 'x' }, MILK])],
  ['objects in objects', text(BOTH.map(({ name, ...per }) => ({ name, nutrition: { ...per, unit: 'g' } })))],
  ['lines with objects in them', NESTED.map(text).join('\n'), 'JSON lines'],
  ['lines with both', NESTED.map((food) => text({ variants, ...food })).join('\n'), 'JSON lines'],
  ['objects with objects and variants', text({ list: NESTED.map((food) => ({ ...food, variants })) })],
  ['one line with objects and variants', text({ variants, ...NESTED[0] }), 'JSON lines', 1],
  ['objects by one per serving', text(BOTH.map(({ name, ...per100g }) => ({ name, perServing, per100g })))],
  ['an object by names', text({ Egg: { ...EGG, name: undefined }, Milk: { ...MILK, name: undefined } })],
  ['an object by numbers', text({ version: 3, a: ['b'], 1: EGG, 2: MILK })],
  ['a list beside a name and calories', text({ name: 'Mine', calories: 2, n: 2, foods: BOTH })],
  ['a list beside other members', text({ count: 2, products: BOTH, next: null })],
  ['a list behind a long text', text({ about: 'x'.repeat(70_000), foods: BOTH })],
  ["Python's NaN", text(BOTH).replace('null', 'NaN')],
  [
    'figures with their units',
    text(BOTH.map((food) => ({ ...food, protein: { value: food.protein * 1000, unit: 'mg' } }))),
  ],
  ['figures in texts', text(BOTH).replace('12.56', '"12,56"').replace('61', '" 61 "')],
])('foods are read from %s', async (_what, content, kind = 'JSON', count = 2) => {
  const { foods, report } = await importSources([await folder.save(content)]);
  expect(foods).toEqual(FOODS.slice(0, count));
  expect(report.sources[0]?.kind).toBe(kind);
});

test('figures keep every digit', async () => {
  const file = await folder.save(
    '[{"name":"A \\"1.50\\" 2","kcal":9007199254740993,"protein":0.10000000000000000001,"carbs":1e-7,"fat":1.50}]',
  );
  expect((await importSources([file])).foods).toEqual([
    foodOf('A "1.50" 2', {
      kcal: '9007199254740993',
      protein_g: '0.10000000000000000001',
      carbohydrate_g: '0.0000001',
      fa_sat_g: '1.5',
    }),
  ]);
});

const withLate = [...Array(1000).fill({ ...EGG, carbs: undefined, carbohydrate_g: 1 }), { ...EGG, carbs: 2 }];
test.each<[string, string]>([
  ['line 1, object 2, column "protein": "true" is not', text([EGG, { ...MILK, protein: true }])],
  ['something follows the end of the JSON', `${text(BOTH)} x`],
  ['has no foods: its list is empty.', '{"count":0,"products":[]}'],
  ['column "protein": "12 oz" is not a', text([{ ...EGG, protein: { value: 12, unit: 'oz' } }])],
  ['has no object. Expected: objects such as', '[]'],
  ['object 1001: the name "carbs" is in none of the first 1000 objects. Give the first', text(withLate)],
  ['an object is longer than 1 MiB', `[{"a":${'['.repeat(1e7)}`],
  ['an object is longer than 1 MiB', '{"a":'.repeat(1e7)],
])('refused, with the place and what to do: %s', async (message, content) => {
  expect(await refusalOf([await folder.save(content)])).toContain(message);
});
