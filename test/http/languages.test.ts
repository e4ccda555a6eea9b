/** `lang`: searches by words, amounts and look-ups in the other languages of a data set. */
import { describe, expect, it, test } from 'vitest';
import { MAX_ENTRIES } from '#core';
import { MemoryCatalog, openCatalog, readOtherNames } from '#service';
import { searchFoods, weighFoods } from '../../packages/browser/search-foods.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, food, memoryCatalogOf, startService, TEST_LABEL } from '../support/service.ts';

const APPLE = food('Apple, raw', {
  kcal: '52',
  names: ['Eating apple'],
  portions: [{ portion: '1 medium', grams: '182' }],
  nutrients: [{ nutrient: 'Fibre', amount: '2.4', unit: 'g' }],
  translations: [
    { language: 'de', names: ['Apfel, roh', 'Äpfel'] },
    { language: 'it', names: ['Mela, cruda', 'mele'] },
  ],
});
const MOLE = food('Chicken mole', {
  kcal: '130',
  translations: [
    { language: 'de', names: ['Huhn in Mole'] },
    { language: 'it', names: ['Pollo con mole'] },
  ],
});
const ONLY_ENGLISH = food('Milk, whole', { kcal: '61' });

const service = serviceForAll(async () =>
  startService(await MemoryCatalog.from([ONLY_ENGLISH, APPLE, MOLE], { ...TEST_LABEL, language: 'en' }), {
    offline: true,
  }),
);
const target = (path: string, query: Readonly<Record<string, string>>) =>
  `${path}?${new URLSearchParams(query)}`;
const inWords = (q: string, lang?: string) =>
  ask(service, target('/api/food', { match: 'words', q, ...(lang !== undefined && { lang }) }));
const named = (body: string): string[] =>
  JSON.parse(body).map(({ description }: { description: string }) => description);

describe('a search by words', () => {
  it.each([
    ['Apfel', 'de', ['Apfel, roh'], 'de'],
    ['ÄPFEL', 'de', ['Apfel, roh'], 'de'],
    ['mele', 'it', ['Mela, cruda'], 'it'],
    // Of a region, or in another case.
    ['apfel', 'de-AT', ['Apfel, roh'], 'de'],
    ['apfel', 'DE', ['Apfel, roh'], 'de'],
    // Of the data set's own names, in the wanted language.
    ['eating apple', 'de', ['Apfel, roh'], 'de'],
    // A food without a name in the language keeps its own.
    ['milk', 'de', ['Milk, whole'], 'de'],
    ['apple', 'fr', ['Apple, raw'], 'en'],
    ['apple', 'not a tag', ['Apple, raw'], 'en'],
    ['apple', 'en', ['Apple, raw'], 'en'],
  ])('for %j in %s', async (text, lang, expected, answered) => {
    const { body, headers } = await inWords(text, lang);
    expect(named(body)).toEqual(expected);
    expect(headers['content-language']).toBe(answered);
    expect(headers.vary ?? '').not.toMatch(/language/i);
  });

  test('without lang has foods that only another language calls so behind all others', async () => {
    const { body, headers } = await inWords('mele');
    expect(named(body)).toEqual(['Apple, raw']);
    expect(headers['content-language']).toBeUndefined();
    expect(named((await inWords('mole')).body)).toEqual(['Chicken mole']);
    const plain = await ask(service, target('/api/food', { q: 'mele', lang: 'it' }));
    expect([plain.body, plain.headers['content-language']]).toEqual(['[]', undefined]);
  });

  it.each([
    ['Äpfel'],
    ["Baker's berries"],
    ['第１.５號 ｶﾞﾑ﹐Ａ'],
    ['two\nlines'],
    [Array.from({ length: 40 }, (_, i) => `w${i}`).join(' ')],
  ])('begins with the food that is called %j', async (name) => {
    const translated = (description: string, ...names: string[]) =>
      food(`Food ${description}`, { translations: [{ language: 'ja', names: [description, ...names] }] });
    const foods = [translated(`${name}, first`), translated('other', 'before', name, 'after')];
    const called = await startForTest(await MemoryCatalog.from(foods, { ...TEST_LABEL, language: 'en' }));
    const query = target('/api/food', { match: 'words', q: name, lang: 'ja' });
    expect(named((await ask(called, query)).body)[0]).toBe('other');
  });

  test('has a tag for each language', async () => {
    const tags = await Promise.all(
      [undefined, 'de', 'it', 'en', 'fr'].map(async (lang) => (await inWords('a', lang)).headers.etag),
    );
    expect(new Set(tags.slice(0, 3)).size).toBe(3);
  });
});

describe('look-ups know a food by its description in any language', () => {
  it.each(['Apple, raw', 'Apfel, roh', 'Mela, cruda'])('%s', async (description) => {
    for (const lang of ['', 'de', 'it', 'fr']) {
      const asked = lang === '' ? { description } : { description, lang };
      const { body } = await ask(service, target('/portions', asked));
      expect(body, lang).toBe('[{"portion":"1 medium","grams":182}]');
      expect((await ask(service, target('/nutrients', asked))).body, lang).toContain('Fibre');
    }
  });

  it.each([
    ['Apple, raw', undefined, ['Eating apple']],
    ['Apple, raw', 'de', ['Apfel, roh', 'Äpfel', 'Eating apple']],
    ['Apfel, roh', 'de', ['Äpfel', 'Apple, raw', 'Eating apple']],
    ['Mela, cruda', 'de', ['Apfel, roh', 'Äpfel', 'Apple, raw', 'Eating apple']],
    ['Mela, cruda', undefined, ['Apple, raw', 'Eating apple']],
    // Another name is no description.
    ['mele', 'it', []],
    ['apfel, roh', 'de', []],
  ])('the names of %j in %s', async (description, lang, expected) => {
    const asked = lang === undefined ? { description } : { description, lang };
    expect(JSON.parse((await ask(service, target('/names', asked))).body)).toEqual(expected);
  });
});

test('an amount is weighed by the portions of the food, and said in the language', async () => {
  const { body, headers } = await ask(service, target('/amounts', { q: '2 Äpfel', lang: 'de' }));
  expect(JSON.parse(body).foods[0]).toMatchObject({
    description: 'Apfel, roh',
    grams: 364,
    kcal: '189.28',
    missing: [],
  });
  expect(headers['content-language']).toBe('de');
  const [mole] = JSON.parse(
    (await ask(service, target('/amounts', { q: '100 g mole', lang: 'de' }))).body,
  ).foods;
  // A dish with mole is no mole.
  expect([mole.description, mole.missing]).toEqual([null, ['mole']]);
});

test('the typed client has an option', async () => {
  const foods = await searchFoods(service.url, 'apfel', { match: 'words', language: 'de' });
  expect([foods[0]?.description, foods.language]).toEqual(['Apfel, roh', 'de']);
  const { foods: weighed } = await weighFoods(service.url, '100 g mele', { language: 'it' });
  expect(weighed[0]?.description).toBe('Mela, cruda');
});

test('the data set lists its languages, and an offline index has one of them', async () => {
  const { body } = await ask(service, '/data-set');
  expect(JSON.parse(body)).toMatchObject({ language: 'en', languages: ['de', 'it'] });
  const [all, german] = await Promise.all(
    ['/foods.idx', '/foods.idx?lang=de'].map((each) => ask(service, each)),
  );
  expect(all?.headers.etag).not.toBe(german?.headers.etag);
  expect(german?.bytes.includes('Huhn in Mole')).toBe(true);
  for (const file of [all, german]) expect(file?.bytes.includes('Pollo con mole')).toBe(false);
});

describe('the built-in foods', () => {
  const built = serviceForAll(async () =>
    startService(await openCatalog(undefined), {}, await readOtherNames(undefined)),
  );
  it.each([
    ['de', '200 g Reis', /^Reis, .*trocken/],
    ['de', '100 g Schinken', /schinken/i],
    ['fr', '200 g de riz', /^Riz/],
    ['es', '100 ml leche', /^Leche/],
    ['it', '2 mele', /^Mel[ae]/],
    ['pt', '100 g arroz', /^Arroz/],
    ['nl', '2 eieren', /^Ei/],
    ['ja', '卵 2個', /卵/],
    ['zh-Hans', '鸡蛋 2个', /鸡蛋/],
    // A Latin unit before another script, and of a name what "of" looks like, or a packet in Dutch.
    ['ja', '100gの砂糖', /砂糖/],
    ['zh-Hans', '500ml牛奶', /牛奶/],
    ['ja', '100 g のり', /のり/],
    ['de', '100 g Pak Choi', /^Pak Choi/],
    ['de', '20 Knoblauchzehen', /^Knoblauch/],
    // No food of its own behind a semicolon.
    ['de', '2 Stück Eier, Hühnereier; Gewichtsklasse L', /^Ei/],
    // Nothing else in the place of a food that is named in full.
    ['es', '100 g frutos secos', /^Frutos secos/],
    ['en', '10 ounces spinach (fresh)', /^Spinach, raw/],
    ['en', '8 strawberry', /^Strawberries, raw/],
    ['en', '100 g lemon zest', /^Lemon peel/],
    ['en', '100 ml soy milk', /^Soy milk/],
    ['en', '100 g kidneys', /^Beef kidneys/],
    // Both words of "hamburger bun", as which "burger bun" is read; and what stands before "or".
    ['en', '4 burger buns', /bun, plain/],
    ['en', '1/3 cup neutral oil or melted butter', /oil/],
    // An English name, and the dry food where nothing else is said.
    ['ja', '200 g rice', /乾燥/],
    // Cooked where the text says so in its language, and not where a cut of meat is called so.
    ['en', '3 cups steamed white rice', /^Rice, .*, cooked/],
    ['en', '100 g roast chicken', /^Chicken, .*, roasted/],
    ['en', '3 pounds lean chuck roast', /^Beef chuck .*, raw/],
    ['de', '100 g Reis, gekocht', /^Reis, .*, gekocht/],
    ['de', '100 g gegrillter Lachs', /^Lachs, .*, gegart/],
    ['fr', '150 g lentilles cuites', /^Lentilles, cuites/],
    ['es', '100 g garbanzos cocidos', /^Garbanzos, cocidos/],
    ['it', '100 g riso lesso', /^Riso .*, cotto/],
    ['pt', '100 g frango grelhado', /^Peito de frango .*, grelhado/],
    ['nl', '100 g gekookte aardappelen', /^Aardappel, .*, gekookt/],
    ['zh-Hans', '100克煮熟的米饭', /煮熟/],
    // A sauce, not a bunch, as which the word is read before parsley.
    ['pt', '2 colheres de sopa de molho de soja', /^Molho de soja/],
    // The whole description, with its state.
    ['en', '100 g Duck, with skin, roasted', /^Duck, with skin, roasted$/],
    ['de', '100 g Ei, ganz, pochiert', /^Ei, ganz, pochiert$/],
    ['zh-Hans', '100 g 牛胸肉，去边脂，炖熟', /^牛胸肉，去边脂，炖熟$/],
    // One of its names, which is also a piece, a packet, a bar, "and" in Portuguese, or "more" in English.
    ['fr', '100 g noix', /^Noix$/],
    ['nl', '100 g pak choi', /^Paksoi/],
    ['fr', '100 g bar', /^Bar /],
    ['de', '100 g Mais', /^Zuckermais/],
    ['it', '100 g more', /^More, crude/],
    // What was in a tin.
    ['de', '1 Dose Kidneybohnen', /aus der Dose/],
    ['fr', '1 boîte de haricots rouges', /en conserve/],
  ])('in %s: %s', async (lang, q, expected) => {
    const [found, ...others] = JSON.parse((await ask(built, target('/amounts', { q, lang }))).body).foods;
    expect(others).toEqual([]);
    expect(found.description).toMatch(expected);
    expect(Number(found.grams)).toBeGreaterThan(20);
    expect(Number(found.kcal)).toBeGreaterThan(0);
  });

  it.each(['en', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'zh-Hans'])(
    'are weighed by their whole descriptions, in %s',
    async (lang) => {
      const catalog = await openCatalog(undefined);
      const descriptions = Array.from(catalog.records?.() ?? [], ({ description }) => description);
      await catalog.close();
      const wrong: string[] = [];
      for (const original of descriptions.filter((_, i) => i % 20 === 3)) {
        const names = JSON.parse((await ask(built, target('/names', { description: original, lang }))).body);
        const description = lang === 'en' ? original : names[0];
        const [found] = JSON.parse(
          (await ask(built, target('/amounts', { q: `100 g ${description}`, lang }))).body,
        ).foods;
        // What is called the same in both languages has no name before its other ones: "Brownie".
        if (found.description !== description && found.description !== original) wrong.push(description);
      }
      // Some have words that look like an amount of another food, such as "fetta" behind a comma.
      expect(wrong.length, wrong.join('\n')).toBeLessThan(3);
    },
  );

  it.each([
    ['de', '200 g Seife'],
    ['de', '1 Zahnbürste'],
    // A capital makes no brand of the word that names the thing: no semolina.
    ['es', '100 g Jabón duro'],
    // Classes of foods, of which one has nothing of the other.
    ['en', '100 g fruit'],
    // Of a food, another one is made: soup, here.
    ['en', '200 g oxtail'],
    ['en', '1 lb meat'],
    ['es', '100 g salsa'],
    ['fr', '200 g de viande'],
    ['pt', '2 colheres de molho'],
    ['it', '100 g di carne'],
    // Leaves of a tree are not its fruit, nor is a paste for teeth one of wheat.
    ['fr', '10 feuilles de curry'],
    ['fr', '1 kg de croquettes pour chat'],
    ['es', '4 hojas de lima'],
    ['es', '100 g de pasta de dientes'],
    ['it', '4 foglie di lime'],
    // Fresh ones have a tenth of the energy.
    ['de', '50 g getrocknete Steinpilze'],
    ['es', '10 g de tomate en polvo'],
    ['pt', '10 g de cogumelos em pó'],
  ])('none is, in %s, %s', async (lang, q) => {
    const [found] = JSON.parse((await ask(built, target('/amounts', { q, lang }))).body).foods;
    expect(found).toMatchObject({ description: null, kcal: null });
  });

  test.each<[kind: string, text: string, missing: string]>([
    ...['custard', 'coconut milk', 'moringa', 'vinegar', 'vanilla', 'green tea'].map(
      (food) => ['a powder', `${food} powder`, 'powder'] as [string, string, string],
    ),
    ['what is dried', 'dried beef', 'dried'],
    ['what is dried', 'dried bananas', 'dried'],
    ['leaves', 'lime leaves', 'leaves'],
    ['leaves', 'curry leaves', 'curry, leaves'],
    ['kernels', 'apricot kernels', 'kernels'],
    ['another animal', 'sea cucumber', 'sea'],
    ['another fruit', 'blood orange', 'blood'],
    ['another sauce', 'sweet soy sauce', 'sweet'],
    ['beans for a drink', 'ground coffee', 'ground'],
    ['what a food is free of', 'gluten flour', 'gluten'],
    ['a part of a food', 'skin', 'skin'],
    ['a dish of many kinds', 'salad', 'salad'],
    ['no food', 'candles', 'candles'],
    ['no food', 'light bulbs', 'light, bulbs'],
  ])('%s, %s, is another food', async (_, text, missing) => {
    const [found] = JSON.parse((await ask(built, target('/amounts', { q: `100 g ${text}` }))).body).foods;
    expect([found.description, found.kcal]).toEqual([null, null]);
    expect(missing.split(', ')).toEqual(expect.arrayContaining(found.missing));
    expect(found.missing).not.toEqual([]);
  });

  test.each([
    ['chili powder', 'Chili powder'],
    ['coriander powder', 'Coriander seed'],
    ['milk powder', 'Milk powder (dried milk), skim, regular'],
    ['apple chips', 'Apple, dried'],
    ['basil leaves', 'Basil, fresh'],
    ['gluten-free pasta', 'Pasta, gluten-free, dry'],
    ['chicken skin', 'Chicken skin, raw'],
    ['salad dressing', 'Salad dressing, mayonnaise-like'],
    ['ice cubes', 'Water, tap'],
  ])('%s is %s', async (text, description) => {
    const [found] = JSON.parse((await ask(built, target('/amounts', { q: `100 g ${text}` }))).body).foods;
    expect(found).toMatchObject({ description, missing: [] });
  });

  test('have at most as many entries in any language', async () => {
    for (const lang of ['de', 'ja']) {
      const { body } = await ask(
        built,
        target('/api/food', { match: 'words', q: lang === 'de' ? 'roh' : '生', lang }),
      );
      expect(JSON.parse(body)).toHaveLength(MAX_ENTRIES);
    }
  });
});

test('a data set without languages answers in its own', async () => {
  const plain = await startForTest(await memoryCatalogOf([ONLY_ENGLISH]));
  const { body, headers } = await ask(plain, target('/api/food', { match: 'words', q: 'milk', lang: 'de' }));
  expect(named(body)).toEqual(['Milk, whole']);
  expect(headers['content-language']).toBeUndefined();
});
