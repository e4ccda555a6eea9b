/** Names of foods in several languages: a column for each, and the fields of Open Food Facts. */
import { describe, expect, it, test } from 'vitest';
import { NO_OTHER_NAMES } from '#core';
import { openCatalog } from '#service';
import type { ReadOptions } from '#tables';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { importSources } from '../support/import.ts';
import { describeWithShared, SHARED } from '../support/requirements.ts';
import { rowsOfCsv } from '../support/rows.ts';
import { rowOf, workbookOf } from '../support/workbook.ts';

const folder = temporaryFolder();
/** A table of these headings in front of those of the figures. */
const table = (headings: string, ...rows: string[]): string =>
  [`${headings};kcal;protein;carbs;fat`, ...rows.map((cells) => `${cells};250;5;30;12,5`), ''].join('\n');

/** The first food, its further names in words, and what the report says. */
async function read(content: string | Uint8Array, options: ReadOptions = {}) {
  const { foods, report } = await importSources([await folder.save(content)], options);
  const translations = foods[0]?.translations?.map((each) => `${each.language} ${each.names.join('; ')}`);
  const says = report.sources.flatMap((source) => source.lines(true)).join('\n');
  return { ...foods[0], translations, language: report.label.language, says, foods };
}

describe('a heading', () => {
  it.each([
    ['name_de;name_fr', 'de', 'fr'],
    ['name:de;name:pt-BR', 'de', 'pt-BR'],
    ['Name [de];Name [en]', 'de', 'en'],
    ['product_name_es;product_name_zh_Hans', 'es', 'zh-Hans'],
    ['nameDe;nameNb', 'de', 'nb'],
    ['Bezeichnung D;Bezeichnung F', 'de', 'fr'],
    ['name_f;name_e', 'fr', 'en'],
    ['English name;Name Norwegian', 'en', 'no'],
    ['Nom français;Nom deutsch', 'fr', 'de'],
    ['Product;Name (Indonesian)', undefined, 'id'],
  ])('with a language: %s', async (headings, language, further) => {
    const food = await read(table(headings, 'Eins;Zwei'));
    expect(food).toMatchObject({ description: 'Eins', language, translations: [`${further} Zwei`] });
    expect(food.says).toContain(`\n  names          ${further}: column 2, "${headings.split(';')[1]}"\n`);
    expect(food.says).not.toContain('not used');
  });

  test('without one is that of another column', async () => {
    for (const each of ['Name 2', 'name_id', 'name no', 'Name D', 'Name (UK)', 'description_de', 'Vitamin E'])
      expect((await read(table(`Name;${each}`, 'Eins;Zwei'))).translations, each).toBe(undefined);
  });
});

describe('a table in four languages, as Switzerland has one,', () => {
  const swiss = table(
    'ID;name D;synonyms D;name F;synonyms F;name I;synonyms I;name E;synonyms E',
    '1;Agavensirup;Agavendicksaft;Sirop d’agave;; Sciroppo di agave;-;Agave syrup;Nectar',
    '2;Agar Agar;;Agar agar;Gélose;Agar Agar;;n/a;Kanten',
  );

  test('keeps them all, and other names in each', async () => {
    const { foods, translations } = await read(swiss);
    expect(foods[0]).toMatchObject({ description: 'Agavensirup', names: ['Agavendicksaft'] });
    expect(translations).toEqual(['fr Sirop d’agave', 'it Sciroppo di agave', 'en Agave syrup; Nectar']);
    expect(foods[1]?.translations).toEqual([{ language: 'fr', names: ['Agar agar', 'Gélose'] }]);
    const data = Array.from(swiss.matchAll(/.+/g), ([line]) => rowOf(...line.split(';'))).join('');
    const book = await read(await workbookOf({ sheets: [{ name: 'V 5.3', data }] }));
    expect(book.translations).toEqual(translations);
  });

  test('is in the language that is named, or of the column that is chosen', async () => {
    const food = await read(swiss, { language: 'fr-CH' });
    expect(food).toMatchObject({ description: 'Sirop d’agave', language: 'fr-CH' });
    expect(food.says).toContain('names          de: column 2, "name D", and column 3, "synonyms D"\n');
    expect(food.says).toContain('\n  translations   de 1, it 1, en 1');
    const columns = new Map([['description', 'name E']] as const);
    const chosen = await read(swiss, { columns, language: 'de' });
    expect(chosen).toMatchObject({ description: 'Agave syrup', language: 'de' });
  });

  test('is served in them, and so is its index', async () => {
    const [csv, index] = [await folder.write('swiss.csv', swiss), folder.path('swiss.idx')];
    expect(await run(['import', csv, '--to', index])).toMatchObject({ code: 0 });
    for (const file of [csv, index]) {
      const catalog = await openCatalog(file);
      expect(catalog.dataSet).toMatchObject({ language: 'de', languages: ['fr', 'it', 'en'] });
      const { body } = await catalog.searchWords('nectar', NO_OTHER_NAMES, 'en');
      expect(JSON.parse(Buffer.from(body).toString())).toMatchObject([{ description: 'Agave syrup' }]);
    }
  });
});

describe('Open Food Facts', () => {
  const figures = { 'energy-kcal_100g': 64, fat_100g: 3.6, carbohydrates_100g: 4.8, proteins_100g: 3.2 };
  const names = { product_name: 'Lait', product_name_fr: 'Lait', product_name_xx: 'x' };
  const more = { product_name_id: 'Susu', product_name_en: 'Milk &amp; more' };
  const product = { code: 'a', brands: 'Alp', ...names, ...more, ...figures };
  const lines = (by: string) => `${Object.keys(product).join(by)}\n${Object.values(product).join(by)}\n`;

  test('has names in other languages, with the brand', async () => {
    for (const text of [JSON.stringify(product), JSON.stringify([product]), lines(','), lines('\t')])
      expect(await read(text), text).toMatchObject({ translations: ['id Susu, Alp', 'en Milk & more, Alp'] });
  });

  test('has no names in languages that are rare among many products', async () => {
    const others = Array.from({ length: 10_000 }, (_, code) => ({ ...figures, code, product_name_en: 'E' }));
    const all = [product, ...others.map((each) => ({ ...each, product_name: `P ${each.code}` }))];
    const { translations, says } = await read(all.map((each) => JSON.stringify(each)).join('\n'));
    expect(translations).toEqual(['en Milk & more, Alp']);
    expect(says).toContain('name left out  1 name in a language in which few products have one: id');
  });
});

describeWithShared('the Swiss tables', () => {
  test('are one in three languages', async () => {
    const files = ['de', 'fr', 'it'].map((each) => `${SHARED}/data/languages/swiss-${each}.csv`);
    const [de = [], fr, it] = await Promise.all(files.map(rowsOfCsv));
    const rows = de.map((row, i) => ({ ...row, name_fr: fr?.[i]?.name, name_it: it?.[i]?.name }));
    const { says } = await read(JSON.stringify(rows), { language: 'de' });
    expect(says).toContain('999 foods kept\n  translations   fr 957, it 971');
  });
});
