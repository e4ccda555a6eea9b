/** An index file that is searched without a service answers as the service does. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FoodCatalog } from '#core';
import { openCatalog, readOtherNames } from '#service';
import { typedTexts } from '../../load/tools/typed-texts.ts';
import { BadIndex, LocalAnswers, openIndex } from '../../packages/browser/open-index.ts';
import { portions, searchFoods, weighFoods } from '../../packages/browser/search-foods.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { ask, food, memoryCatalogOf, numbered, startService } from '../support/service.ts';

const LANGUAGES_OF_FOODS = ['en', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'zh-Hans'];

const names = await readOtherNames(undefined);
const otherNames = JSON.parse(names.json);
const amountWords = readFileSync('data/amounts.txt', 'utf8');

describe('openIndex', () => {
  let catalog: FoodCatalog;
  beforeAll(async () => {
    catalog = await openCatalog(undefined);
  });
  afterAll(() => catalog.close());
  const service = serviceForAll(() => startService(catalog, { offline: true }, names));

  it('finds what the service finds, with the same words about it', async () => {
    expect((await ask(service, '/other-names.json')).body).toBe(names.json);
    const foods = await openIndex(`${service.url}/foods.idx`, { otherNames });
    const descriptions = Array.from(catalog.records?.() ?? [], ({ description }) => description);
    for (const text of ['aubergine', 'brocoli', 'egg spaceship', ...typedTexts(descriptions, 200, 5)])
      for (const match of [undefined, 'words'] as const) {
        const { tag: _, ...found } = await foods.searchFoods(text, { match });
        const { tag: __, ...expected } = await searchFoods(service.url, text, { match });
        expect(found, text).toEqual(expected);
      }
    for (const description of descriptions.slice(0, 100))
      expect(await foods.portions(description)).toEqual(await portions(service.url, description));
  });

  it('weighs the foods of lines, byte for byte', async () => {
    const text = '2 eggs + 1 slice toast\n2 x 400g tins tomatoes\n1 handful of rice\n2 EL Öl\nnothing of it';
    const asked = new URL(`/amounts?${new URLSearchParams({ q: text })}`, service.url);
    const file = (await ask(service, '/foods.idx')).bytes;
    const local = await new LocalAnswers(file, otherNames, amountWords).answer(asked);
    expect(local?.body).toBe((await ask(service, `${asked.pathname}${asked.search}`)).body);
    const foods = await openIndex(`${service.url}/foods.idx`, { otherNames, amountWords });
    expect(await foods.weighFoods(text)).toEqual(await weighFoods(service.url, text));
    const withoutWords = await openIndex(`${service.url}/foods.idx`);
    const weighed = withoutWords.weighFoods(text);
    await expect(weighed).rejects.toThrow(/^weighFoods: openIndex needs the option amountWords/);
  });

  it('names the address of what is no index', async () => {
    const address = `${service.url}/other-names.json`;
    const fault = new BadIndex(`${address} is not an index of food-lookup`);
    await expect(openIndex(address)).rejects.toThrow(fault);
  });

  it.each(LANGUAGES_OF_FOODS)('in %s answers as the service does, from few bytes', async (lang) => {
    const file = `/foods.idx?lang=${lang}`;
    const { headers } = await ask(service, file, { headers: { 'accept-encoding': 'br' } });
    // An index of 1,530 foods without further languages had 219,572.
    expect(Number(headers['content-length'])).toBeLessThan(219_572 + 250_000);
    const local = new LocalAnswers((await ask(service, file)).bytes, otherNames, amountWords);
    const descriptions = Array.from(catalog.records?.() ?? [], ({ description }) => description);
    for (const description of descriptions.filter((_, i) => i % 200 === 0)) {
      const found: string[] = JSON.parse(String(await catalog.lookUp('names', description, lang)));
      const [named = description, another = description] = found;
      const asked = [named, another, another.slice(0, -1), description].flatMap((q) => [
        ['api/food', { match: 'words', q }],
        ['amounts', { q: `2 ${q}` }],
      ]);
      const lookUps = ['names', 'portions', 'nutrients'].map((path) => [path, { description: named }]);
      for (const [path, query] of [...asked, ...lookUps] as [string, Record<string, string>][]) {
        const target = `/${path}?${new URLSearchParams({ ...query, lang })}`;
        const answer = await local.answer(new URL(target, service.url));
        const expected = await ask(service, target);
        expect(answer?.body, target).toBe(expected.body);
        expect(answer?.headers['Content-Language']).toBe(expected.headers['content-language']);
      }
    }
  });

  it('says why there is no index', async () => {
    await expect(openIndex(`${service.url}/nothing.idx`)).rejects.toThrow(
      `${service.url}/nothing.idx is not there (status 404).`,
    );
    await expect(openIndex(`${service.url}/openapi.json`)).rejects.toThrow('is not an index');
    await expect(openIndex('http://127.0.0.1:9/foods.idx')).rejects.toThrow(
      'There is no readable response from http://127.0.0.1:9/foods.idx.',
    );
  });
});

describe('the index of a data set', () => {
  it('is compressed, has a tag, and follows the data set', async () => {
    const catalog = await memoryCatalogOf([food('Egg')]);
    const service = await startForTest(catalog, { offline: true });
    const headers = { 'accept-encoding': 'br' };
    const first = await ask(service, '/foods.idx', { headers });
    expect(first.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache' });
    const known = { ...headers, 'if-none-match': String(first.headers.etag) };
    expect(await ask(service, '/foods.idx', { headers: known })).toMatchObject({ status: 304, body: '' });
    catalog.replace((await memoryCatalogOf([food('Bread')])).loaded);
    expect((await ask(service, '/foods.idx', { headers: known })).status).toBe(200);
    const { searchFoods: search } = await openIndex(`${service.url}/foods.idx`);
    expect(await search('bread')).toMatchObject([{ description: 'Bread' }]);
  });

  it.each(['br', 'gzip'])('is compressed again by %s if that failed', async (coding) => {
    const file = Buffer.from('an index');
    const files = [{} as Uint8Array, file, file];
    const service = await startForTest({ indexFile: () => files.shift() ?? file }, { offline: true });
    const statusOf = async () =>
      (await ask(service, '/foods.idx', { headers: { 'accept-encoding': coding } })).status;
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([500, 200, 200]);
    // What succeeded is kept.
    expect(files).toHaveLength(1);
  });

  it('is offered up to 5,000 foods, and not if the operator says no', async () => {
    const names = Array.from({ length: 5001 }, (_, i) => `Food ${i}`);
    const large = await startForTest(await memoryCatalogOf(numbered(names)), { offline: true });
    const off = await startForTest(await memoryCatalogOf([food('Egg')]), { offline: false });
    for (const service of [large, off])
      expect(await ask(service, '/foods.idx')).toMatchObject({ status: 404 });
  });
});
