/** The examples and the typed client, on another origin than the service. */
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join, normalize } from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../support/browser.ts';
import { clientPages } from '../support/client-page.ts';
import { temporaryFolder } from '../support/files.ts';
import { startForTest } from '../support/lifetime.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { catalogOf, food, type Service, startService } from '../support/service.ts';

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript' };

const EXAMPLES = ['plain', 'react', 'phone'];

/** Serves folders, each under its prefix. */
function serveFolders(folders: Readonly<Record<string, string>>): RequestListener {
  return (request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://site').pathname);
    const prefix = Object.keys(folders).find((start) => path.startsWith(start));
    const file = join(
      folders[prefix ?? ''] ?? '',
      path.slice(prefix?.length),
      path.endsWith('/') ? 'index.html' : '',
    );
    readFile(file).then(
      (content) =>
        response.setHeader('content-type', TYPES[file.split('.').at(-1) ?? ''] ?? 'text/plain').end(content),
      () => response.writeHead(404).end(),
    );
  };
}

describeWithChromium('from another origin', () => {
  const pages = clientPages();
  const folder = temporaryFolder();
  let site: Awaited<ReturnType<typeof startSite>>;
  let service: Service;
  let closed: Service;

  beforeAll(async () => {
    const built = folder.path('react');
    await build({
      root: 'examples/react',
      configFile: false,
      base: './',
      logLevel: 'silent',
      build: { outDir: built, emptyOutDir: true },
    });
    site = await startSite(
      serveFolders({
        '/plain': 'examples/plain',
        '/phone': 'examples/phone',
        '/react': built,
        '/node_modules/food-lookup': '.',
      }),
    );
    service = await startService(pages.catalog, { allowedOrigin: site.origin });
    closed = await startService(pages.catalog);
  });
  afterAll(async () => {
    site.close();
    await Promise.all([service.close(), closed.close()]);
  });

  test.each(EXAMPLES)(
    'the %s example finds foods, none for an empty box, and reports a blocked response',
    async (example) => {
      const page = await pages.open({}, `${site.origin}/${example}/?api=${service.url}`);
      const box = page.getByRole('searchbox', { name: 'Food' });
      await box.fill('egg, whole, raw');
      await page.getByText('Egg, whole, raw: 143 kcal per 100 g', { exact: true }).waitFor();
      await page.getByText('3 foods').waitFor();
      await box.fill('');
      await expect.poll(() => page.getByRole('listitem').count()).toBe(0);
      expect(await page.getByRole('status').textContent()).toMatch(/^(0 foods)?$/);
      await box.fill('zzzz');
      await page.getByText('0 foods').waitFor();
      pages.expectFaults();
      await page.goto(`${site.origin}/${example}/?api=${closed.url}`);
      await box.fill('egg');
      await page.getByText(/^(There is n|N)o (readable )?response from/).waitFor();
      expect(await page.getByRole('listitem').count()).toBe(0);
      await page.goto(`${site.origin}/${example}/?api=localhost:3001`);
      await box.fill('egg');
      await expect.poll(() => page.getByRole('status').textContent()).toMatch(/localhost:3001|URL/);
    },
  );

  test.each(EXAMPLES)(
    'the %s example shows foods with the same name, and the foods after them',
    async (example) => {
      const twins = ['1', '2', '2'].map((kcal) => food('Egg, raw', { kcal }));
      const own = await startForTest(await catalogOf([...twins, food('Egg, raw, frozen')]), {
        allowedOrigin: site.origin,
      });
      const page = await pages.open({}, `${site.origin}/${example}/?api=${own.url}`);
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
    },
  );

  test('the phone example fits the smallest phone and has targets for fingers', async () => {
    const viewport = { width: 320, height: 480 };
    const page = await pages.open({ viewport }, `${site.origin}/phone/?api=${service.url}`);
    const box = page.getByRole('searchbox', { name: 'Food' });
    await box.fill('e');
    await page.getByText('100 foods').waitFor();
    const { y = 0, height = 0 } = (await box.boundingBox()) ?? {};
    expect(height).toBeGreaterThanOrEqual(44);
    expect(y + height).toBeLessThanOrEqual(480);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  /** The outcome of `searchFoods` in the page. */
  const outcomeIn = async (
    page: Page,
    base: string,
    text: string,
    abort: 'before' | 'during' | 'never' = 'never',
  ) => {
    if (abort === 'during') await page.route('**/api/food?*', () => {}, { times: 1 });
    return page.evaluate(
      async ([service, sought, when]) => {
        const client = Reflect.get(window, 'client');
        const running = new AbortController();
        if (when === 'before') running.abort();
        if (when === 'during') setTimeout(() => running.abort(), 50);
        try {
          return { foods: (await client.searchFoods(service, sought, { signal: running.signal })).length };
        } catch (error) {
          const { kind, status, message, retryAfter } = error as Readonly<Record<string, unknown>>;
          return { isSearchError: client.isSearchError(error), kind, status, message, retryAfter };
        }
      },
      [base, text, abort] as const,
    );
  };

  test('the client distinguishes all outcomes', async () => {
    const page = await pages.open({}, `${site.origin}/plain/`);
    const address = '/node_modules/food-lookup/dist/browser/search-foods.js';
    await page.addScriptTag({
      type: 'module',
      content: `import * as client from '${address}'; window.client = client;`,
    });
    await page.waitForFunction('window.client !== undefined');
    const outcome = outcomeIn.bind(undefined, page);
    expect(await outcome(service.url, 'egg, whole, raw')).toEqual({ foods: 3 });
    const byWords = await page.evaluate(async (base) => {
      const foods = await Reflect.get(window, 'client').searchFoods(base, 'raw whole chiken', {
        match: 'words',
      });
      return { first: foods[0].description, matchedWords: foods.matchedWords, tag: foods.tag };
    }, service.url);
    expect(byWords).toEqual({
      first: expect.stringMatching(/chicken/i),
      matchedWords: [{ typed: 'chiken', searched: 'chicken' }],
      tag: null,
    });
    pages.expectFaults();
    expect(await outcome(closed.url, 'egg')).toMatchObject({
      isSearchError: true,
      kind: 'blocked-or-unreachable',
      message: `There is no readable response from ${closed.url}: nothing answers there, or its ALLOWED_ORIGIN is not ${site.origin}.`,
    });
    expect(await outcome('http://127.0.0.1:9', 'egg')).toMatchObject({ kind: 'blocked-or-unreachable' });
    expect(await outcome(service.url, 'egg', 'before')).toMatchObject({
      isSearchError: true,
      kind: 'aborted',
    });
    expect(await outcome(service.url, 'egg', 'during')).toMatchObject({ kind: 'aborted' });
    expect(await outcome(service.url, '')).toMatchObject({
      isSearchError: true,
      kind: 'answered-with-error',
      status: 200,
      message: 'Missing required parameter `q`',
    });
    expect(await outcome(`${service.url}/`, 'a'.repeat(17_000))).toMatchObject({
      kind: 'answered-with-error',
      status: 414,
      message: expect.stringContaining('too long'),
    });
    expect(await outcome(`${site.origin}/nowhere`, 'egg')).toMatchObject({
      kind: 'answered-with-error',
      status: 404,
      message: 'The response (status 404) is not from a food search.',
    });
    for (const address of ['', 'localhost:3001', 'food.example', 'ftp://food.example']) {
      expect(await outcome(address, 'egg')).toMatchObject({
        isSearchError: true,
        kind: 'unusable-address',
        message: `"${address}" is not the address of a service. Write it with its scheme, such as http://localhost:3001.`,
      });
    }
    const limited = await startForTest(pages.catalog, {
      allowedOrigin: site.origin,
      corsRoutes: 'search,portions',
      rateLimit: { requests: 1, seconds: 60 },
    });
    await outcome(limited.url, 'egg');
    expect(await outcome(limited.url, 'egg')).toMatchObject({ status: 429, retryAfter: 60 });
    const portionsFrom = (base: string) =>
      page.evaluate(
        (url) =>
          Reflect.get(window, 'client')
            .portions(url, 'Egg, whole, raw')
            .catch(({ status, message }: { status?: number; message: string }) => status ?? message),
        base,
      );
    expect(await portionsFrom(limited.url)).toBe(429);
    expect(await portionsFrom(service.url)).toContain('CORS_ROUTES are not search,portions');
  });
});
