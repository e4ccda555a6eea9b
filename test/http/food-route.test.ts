/** The contract of the search, over HTTP, with every catalog. */
import { describe, expect, it, test } from 'vitest';
import { FIGURE_COLUMNS, type FoodEntry } from '#core';
import { fatOf } from '../oracle.ts';
import { casesOf, pairsOf } from '../support/cases.ts';
import { serviceForAll } from '../support/lifetime.ts';
import { ask, catalogOf, food, startService, targetOf } from '../support/service.ts';

const MISSING = '{"error":"Missing required parameter `q`"}';
/** An integer that no double has. */
const BIG = '9007199254740993';
const SPECIAL = ['%', '_', '\\', '*', "'", '"', ';', '.', '^', '$', '[', '(', '?', '+', '#', '&', '/', '<'];

const service = serviceForAll(async () => {
  const foods = [
    food('Butter, salted', {
      ...{ carbohydrate_g: '0.06', protein_g: '0.85', kcal: '717' },
      ...{ fa_sat_g: '51.368', fa_mono_g: '21.021', fa_poly_g: '3.043' },
    }),
    food('Unknown, all', Object.fromEntries(FIGURE_COLUMNS.map((column) => [column, null]))),
    food('Unknown, one', { fa_sat_g: '1.005', fa_mono_g: null, fa_poly_g: '0' }),
    food('Exact, big', { fa_sat_g: BIG, fa_mono_g: '0.005', fa_poly_g: null, kcal: BIG }),
    food('BUD LIGHT beer'),
    food('GERÄUCHERTE ÄPFEL'),
    food('Soupe à la crème'),
    food('ΦΑΓΗΤΟ ΤΗΣ ΗΜΕΡΑΣ'),
    food('A\u0308pfelmus'),
    food('🥚 Egg, 100% "free range" (cage_free; \\home*) it\'s'),
    ...SPECIAL.map((character) => food(`Special ${character} character`)),
    ...Array.from({ length: 101 }, (_, i) => food(`Hundred and one, ${i}`)),
    ...Array.from({ length: 100 }, (_, i) => food(`Just a century, ${i}`)),
  ];
  return startService(await catalogOf(foods), { nodeEnv: 'development' });
});

const search = async (q: string) => JSON.parse((await ask(service, targetOf(q))).body);
const descriptions = async (q: string) => (await search(q)).map((e: FoodEntry) => e.description);

describe('an entry', () => {
  test('has the five fields and no others, in their order', async () => {
    const { body } = await ask(service, targetOf('butter'));
    const figures = '"carbohydrate_g":0.06,"protein_g":0.85,"fat_g":"75.43","kcal":717';
    expect(body).toBe(`[{${figures},"description":"Butter, salted"}]`);
  });

  test('has null for an unknown figure, and fat_g 0.00 if all three columns are empty', async () => {
    expect(await search('unknown, all')).toEqual([
      { carbohydrate_g: null, protein_g: null, fat_g: '0.00', kcal: null, description: 'Unknown, all' },
    ]);
  });

  test('has the exact sum of the fat columns, rounded half up once; an empty column counts as 0', async () => {
    expect((await search('unknown, one'))[0].fat_g).toBe('1.01');
    expect((await search('exact, big'))[0].fat_g).toBe(fatOf(['9007199254740993', '0.005']));
  });

  test('has every digit of the data set', async () => {
    expect((await ask(service, targetOf('exact, big'))).body).toContain('"kcal":9007199254740993,');
  });
});

describe('the search', () => {
  it.each(['But', 'utter', 'salted', 'r, s', 'Butter, salted'])('finds %j anywhere', async (text) => {
    expect(await descriptions(text)).toEqual(['Butter, salted']);
  });

  it.each(
    pairsOf(`bud light → BUD LIGHT beer | BUTTER → Butter, salted
      äpfel → GERÄUCHERTE ÄPFEL | φαγητο τησ → ΦΑΓΗΤΟ ΤΗΣ ΗΜΕΡΑΣ`),
  )('ignores the case of all letters: %j', async (text, description) => {
    expect(await descriptions(text)).toContain(description);
  });

  test('finds decomposed letters with composed ones', async () => {
    expect(await descriptions('äpfelmus')).toEqual(['A\u0308pfelmus']);
  });

  test('distinguishes accents', async () => {
    expect(await descriptions('crème')).toEqual(['Soupe à la crème']);
    expect(await descriptions('creme')).toEqual([]);
  });

  it.each(SPECIAL)('takes %s literally', async (character) => {
    const found = await descriptions(`special ${character} c`);
    expect(found).toEqual([`Special ${character} character`]);
    for (const description of await descriptions(character)) expect(description).toContain(character);
  });

  it.each(["' OR 1=1 --", '%%', '_______', "'; DROP TABLE entries; --", '.*', '[a-z]'])(
    'finds nothing with %j',
    async (text) => expect(await search(text)).toEqual([]),
  );

  test('finds a character outside the BMP', async () => expect(await descriptions('🥚')).toHaveLength(1));

  test('does not trim white space', async () => {
    expect(await descriptions(' ')).not.toHaveLength(0);
    expect(await descriptions(' butter')).toEqual([]);
    expect((await ask(service, '/api/food?q=%20')).body).not.toBe(MISSING);
  });

  test('answers at most 100 entries', async () => {
    expect(await search('hundred and one')).toHaveLength(100);
    expect(await search('just a century')).toHaveLength(100);
    expect(await search('hundred and one, 100')).toHaveLength(1);
  });

  test('answers [] if nothing matches', async () => {
    expect(await ask(service, targetOf('no such food'))).toMatchObject({ status: 200, body: '[]' });
  });
});

describe('the parameter q', () => {
  it.each(['', '?', '?q', '?q=', '?Q=egg', '?x=egg', '?q=&q=egg'])(
    'is missing in /api/food%s',
    async (query) => {
      const reply = await ask(service, `/api/food${query}`);
      expect(reply).toMatchObject({ status: 200, body: MISSING });
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  it.each([
    ['uses its first value', 'q=butter&q=egg', 'q=butter'],
    ['may come among other parameters', 'limit=1&q=butter&page=2', 'q=butter'],
    ['may have + for a space', 'q=bud+light', 'q=bud%20light'],
  ])('%s', async (_what, query, same) => {
    const { body } = await ask(service, `/api/food?${query}`);
    expect(body).toMatch(/^\[\{/);
    expect(body).toBe((await ask(service, `/api/food?${same}`)).body);
  });

  it.each(['%', '%ZZ', '%E0%A4%A', '%ff', '%C0%AF', '%ED%A0%80', '%00', 'egg%', '%u0041', '%F5%80%80%80'])(
    'may have broken encoding: %s',
    async (encoded) => {
      const reply = await ask(service, `/api/food?q=${encoded}`);
      expect(reply.status).toBe(200);
      expect(Array.isArray(JSON.parse(reply.body))).toBe(true);
    },
  );

  test('may be very long', async () => {
    const reply = await ask(service, `/api/food?q=${'a'.repeat(14_000)}`);
    expect(reply).toMatchObject({ status: 200, body: '[]' });
  });
});

describe('the response', () => {
  test('is 200 and JSON in UTF-8, and to HEAD the same without the body', async () => {
    for (const target of ['/api/food?q=butter', '/api/food', '/api/food?q=none']) {
      const get = await ask(service, target);
      expect([get.status, get.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      const head = await ask(service, target, { method: 'HEAD' });
      const { date: _, ...expected } = get.headers;
      expect(head).toMatchObject({ status: get.status, headers: expected, body: '' });
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)));
    }
  });

  test('does not depend on any other header', async () => {
    const { body } = await ask(service, '/api/food?q=butter');
    for (const [name = '', value = ''] of casesOf(`
      accept | text/html
      accept | application/xml;q=0
      accept-language | de
      authorization | Basic eDp5
      content-type | text/strange
      cookie | a=b
      expect | the unexpected
      range | bytes=0-1`)) {
      const reply = await ask(service, '/api/food?q=butter', { headers: { [name]: value } });
      expect(reply, name).toMatchObject({ status: 200, body });
    }
  });
});

it.each([
  ...['/nothing', '/', '/api/food/', '/api/foods?q=egg', '/API/FOOD?q=egg', '/..%2f..%2fetc/passwd'],
  '/%',
])('any other error has the same shape: %s', async (target) => {
  const status = target === '/%' ? 400 : 404;
  const reply = await ask(service, target);
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  const sentence = status === 404 ? /^Not found\. Search with GET \/api\/food\?q=TEXT\./ : /./;
  expect(JSON.parse(reply.body)).toEqual({ error: expect.stringMatching(sentence) });
});
