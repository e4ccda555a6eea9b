/** The examples, the page in the README and the typed client, on another origin than the service. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import fastifyStatic from '@fastify/static';
import { fastify } from 'fastify';
import { build } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import { expectCount, expectText, shared, test } from '../support/client-page.ts';
import { temporaryFolder } from '../support/files.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { food, memoryCatalogOf, startService } from '../support/service.ts';

const README = await readFile('README.md', 'utf8');
const CLIENT = '/node_modules/food-lookup/dist/browser/search-foods.js';
const LONG = 'a'.repeat(17_000);
const EXAMPLES = ['plain', 'react', 'phone'];

describeWithChromium('from another origin', () => {
  const folder = temporaryFolder();
  const site = fastify();
  let origin: string;

  beforeAll(async () => {
    const built = folder.path('react');
    const options = { configFile: false, base: './', logLevel: 'silent' } as const;
    await build({ ...options, root: 'examples/react', build: { outDir: built, emptyOutDir: true } });
    const folders = {
      '/plain/': 'examples/plain',
      '/phone/': 'examples/phone',
      '/recipe/': 'examples/recipe',
      '/react/': built,
      '/node_modules/food-lookup/': '.',
    };
    for (const [prefix, root] of Object.entries(folders))
      site.register(fastifyStatic, { root: resolve(root), prefix, decorateReply: false });
    site.get('/readme/', (request, reply) => {
      const [, html = ''] = /```html\n([\s\S]*?)```/.exec(README) ?? [];
      const { api = '' } = request.query as { api?: string };
      return reply.type('text/html').send(html.replace('http://localhost:3001', api));
    });
    site.setNotFoundHandler((_, reply) => reply.code(404).send('nothing here'));
    origin = await site.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => site.close());
  const start = async (settings = {}) => startService((await shared()).catalog, settings);
  const service = serviceForAll(() => start({ allowedOrigin: origin }));
  const closed = serviceForAll(start);

  test.for(EXAMPLES)(
    'the %s example finds foods, none for an empty box, and reports a blocked response',
    async (example, { pages }) => {
      const page = await pages.open({}, `${origin}/${example}/?api=${service.url}`);
      const box = page.getByRole('searchbox', { name: 'Food' });
      await box.fill('egg, whole, raw');
      await page.getByText('Egg, whole, raw: 143 kcal per 100 g', { exact: true }).waitFor();
      await page.getByText('3 foods').waitFor();
      await box.fill('');
      await expectCount(page.getByRole('listitem')).toBe(0);
      expect(await page.getByRole('status').textContent()).toMatch(/^(0 foods)?$/);
      await box.fill('zzzz');
      await page.getByText('0 foods').waitFor();
      pages.expectFaults();
      await page.goto(`${origin}/${example}/?api=${closed.url}`);
      await box.fill('egg');
      await page.getByText(/^(There is n|N)o (readable )?response from/).waitFor();
      expect(await page.getByRole('listitem').count()).toBe(0);
      await page.goto(`${origin}/${example}/?api=localhost:3001`);
      await box.fill('egg');
      await expectText(page.getByRole('status')).toMatch(/localhost:3001|URL/);
    },
  );

  test.for(EXAMPLES)('the %s example shows equal names, and foods after them', async (example, { pages }) => {
    const twins = ['1', '2', '2'].map((kcal) => food('Egg, raw', { kcal }));
    const catalog = await memoryCatalogOf([...twins, food('Egg, raw, frozen')]);
    const own = await startForTest(catalog, { allowedOrigin: origin });
    const page = await pages.open({}, `${origin}/${example}/?api=${own.url}`);
    const box = page.getByRole('searchbox', { name: 'Food' });
    const texts = async () => (await page.getByRole('listitem').allTextContents()).toSorted();
    const frozen = 'Egg, raw, frozen: 100 kcal per 100 g';
    const all = [...['1', '2', '2'].map((kcal) => `Egg, raw: ${kcal} kcal per 100 g`), frozen].toSorted();
    for (const [text, shown] of [
      ['egg', all],
      ['frozen', [frozen]],
      ['egg, raw', all],
    ] as const) {
      await box.fill(text);
      await page.getByText(`${shown.length} foods`).waitFor();
      await expect.poll(texts, { message: text }).toEqual(shown);
    }
  });

  test('the phone example fits the smallest phone and has targets for fingers', async ({ pages }) => {
    const viewport = { width: 320, height: 480 };
    const page = await pages.open({ viewport }, `${origin}/phone/?api=${service.url}`);
    const box = page.getByRole('searchbox', { name: 'Food' });
    await box.fill('e');
    await page.getByText('100 foods').waitFor();
    const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(44);
    expect(y + height).toBeLessThanOrEqual(480);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  test('the recipe example reads lines and pages, and has the nutrition of a portion', async ({ pages }) => {
    const own = await startForTest(pages.catalog, { allowedOrigin: origin, corsRoutes: 'search,amounts' });
    const page = await pages.open({}, `${origin}/recipe/?api=${own.url}`);
    const box = page.getByRole('textbox', { name: /^Recipe/ });
    const nutrition = async () => JSON.parse((await page.locator('pre').textContent()) || '{}').nutrition;
    await box.fill('4 eggs\na knob of butter');
    await page.getByRole('row', { name: 'a portion of 4 50.0 71.5 0.4 6.3 4.3' }).waitFor();
    const description = 'Without a knob of butter';
    expect(await nutrition()).toMatchObject({ calories: '71.5 kcal', description });
    await page.getByRole('spinbutton', { name: 'Portions' }).fill('2');
    await expect.poll(nutrition).toMatchObject({ servingSize: '100.0 g', calories: '143.0 kcal' });
    const recipe = { '@graph': [{ '@type': ['Recipe'], recipeIngredient: ['2 eggs', '100 g butter'] }] };
    await box.fill(`<html><script type="application/ld+json">${JSON.stringify(recipe)}</script></html>`);
    await page.getByRole('row', { name: /^100 g butter/ }).waitFor();
    await box.fill('');
    await expectCount(page.getByRole('row')).toBe(0);
  });

  test('the page in the README finds foods, and is blocked as docs/cross-origin says', async ({ pages }) => {
    const page = await pages.open({}, `${origin}/readme/?api=${service.url}`);
    const box = page.getByRole('textbox', { name: 'Food' });
    await box.pressSequentially('avocado, raw');
    await page.getByText('Avocado, raw: 160 kcal', { exact: true }).waitFor();
    await box.fill('');
    await expectCount(page.getByRole('listitem')).toBe(0);

    pages.expectFaults(/Failed to fetch|blocked by CORS policy|ERR_FAILED/);
    await page.goto(`${origin}/readme/?api=${closed.url}`);
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    await box.fill('egg');
    const [, shown = ''] =
      /```text\n(Access to fetch .*)\n```/.exec(await readFile('docs/cross-origin.md', 'utf8')) ?? [];
    const expected = shown
      .replace('http://localhost:3001/api/food?q=egg', `${closed.url}/api/food?match=words&q=egg`)
      .replace('http://localhost:8000', origin);
    await expect.poll(() => messages).toContain(expected);
    await expectCount(page.getByRole('listitem')).toBe(0);
  });

  test('the client distinguishes all outcomes', async ({ pages }) => {
    const page = await pages.open({}, `${origin}/plain/`);
    /** @param how the function to call, and when the search is aborted */
    const outcome = (base: string, text: string, { call = 'searchFoods', abort = 'never' } = {}) =>
      page.evaluate(
        async ([name, service, sought, when, address]) => {
          const client = await import(address);
          const running = new AbortController();
          if (when === 'before') running.abort();
          if (when === 'during') setTimeout(() => running.abort(), 50);
          try {
            return { foods: (await client[name](service, sought, { signal: running.signal })).length };
          } catch (error) {
            const { kind, status, message, retryAfter } = error as Readonly<Record<string, unknown>>;
            return { isSearchError: client.isSearchError(error), kind, status, message, retryAfter };
          }
        },
        [call, base, text, abort, CLIENT] as const,
      );
    expect(await outcome(service.url, 'egg, whole, raw')).toEqual({ foods: 3 });
    const byWords = await page.evaluate(
      async ([base, address]) => {
        const { searchFoods } = await import(address);
        const foods = await searchFoods(base, 'raw whole chiken', { match: 'words' });
        return { first: foods[0].description, matchedWords: foods.matchedWords, tag: foods.tag };
      },
      [service.url, CLIENT] as const,
    );
    expect(byWords).toEqual({
      first: expect.stringMatching(/chicken/i),
      matchedWords: [{ typed: 'chiken', searched: 'chicken' }],
      tag: null,
    });
    pages.expectFaults();
    const unreadable = { kind: 'blocked-or-unreachable' };
    const error = { kind: 'answered-with-error' };
    const closedTo = `There is no readable response from ${closed.url}: nothing answers there, or its ALLOWED_ORIGIN is not ${origin}.`;
    const strange = 'The response (status 404) is not from a food search.';
    for (const [base, text, expected, how] of [
      [closed.url, 'egg', { ...unreadable, message: closedTo }],
      ['http://127.0.0.1:9', 'egg', unreadable],
      [service.url, 'egg', { kind: 'aborted' }, { abort: 'before' }],
      [service.url, '', { ...error, status: 200, message: 'Missing required parameter `q`' }],
      [`${service.url}/`, LONG, { ...error, status: 414, message: expect.stringContaining('too long') }],
      [`${origin}/nowhere`, 'egg', { ...error, status: 404, message: strange }],
      ...['', 'localhost:3001', 'food.example', 'ftp://food.example'].map((address) => {
        const message = `"${address}" is not the address of a service. Write it with its scheme, such as http://localhost:3001.`;
        return [address, 'egg', { kind: 'unusable-address', message }] as const;
      }),
    ] as const)
      expect(await outcome(base, text, how)).toMatchObject({ isSearchError: true, ...expected });
    await page.route('**/api/food?*', () => {}, { times: 1 });
    expect(await outcome(service.url, 'egg', { abort: 'during' })).toMatchObject({ kind: 'aborted' });
    const allowed = { allowedOrigin: origin, corsRoutes: 'search,portions' };
    const limited = await startForTest(pages.catalog, {
      ...allowed,
      rateLimit: { requests: 1, seconds: 60 },
    });
    await outcome(limited.url, 'egg');
    expect(await outcome(limited.url, 'egg')).toMatchObject({ status: 429, retryAfter: 60 });
    const EGG = 'Egg, whole, raw';
    expect(await outcome(limited.url, EGG, { call: 'portions' })).toMatchObject({ status: 429 });
    expect(await outcome(service.url, EGG, { call: 'portions' })).toMatchObject({
      message: expect.stringContaining('CORS_ROUTES do not name portions'),
    });
  });
});
