/** The page without a network: it opens, and answers as the service does. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openCatalog } from '#service';
import { startSite } from '../support/browser.ts';
import { expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { foods } from '../support/page-parts.ts';
import { search } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { ask, food, memoryCatalogOf, numbered } from '../support/service.ts';
import { BUILT_IN_FOODS } from '../support/starter-foods.ts';

const SETTINGS = { nodeEnv: 'production', offline: true };

/** Loads the page, and waits until the worker has kept it. */
async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

/** Without the service: what the thread of the page answers. */
const localAnswers = (page: Page, targets: readonly string[]) =>
  page.evaluate((asked) => {
    const thread = new Worker('answers.js');
    for (const [i, target] of asked.entries()) thread.postMessage([i, target]);
    return new Promise<Record<string, unknown>[]>((resolve) => {
      const answers: Record<string, unknown>[] = [];
      thread.onmessage = ({ data: [i, { body, headers }] }) => {
        answers[i] = { body, matched: headers['Matched-Words'], missing: headers['Missing-Words'] };
        if (answers.filter(Boolean).length === asked.length) resolve(answers);
      };
    });
  }, targets);

/** The searches that the page requests while it does something. */
async function searchesOf(page: Page, act: () => Promise<void>): Promise<readonly string[]> {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await act();
  return asked.filter((path) => path === '/api/food');
}

/** Waits until the page has the index open: then it requests no search. */
async function openIndex(page: Page): Promise<void> {
  let text = 'e';
  const asked = () => {
    text += 'e';
    return searchesOf(page, () => search(page, text));
  };
  await expect.poll(asked).toEqual([]);
}

const releaseOf = (page: Page) => page.locator('meta[name="release"]').getAttribute('content');

const workers = (page: Page) =>
  page.evaluate(async () => {
    const { length } = await navigator.serviceWorker.getRegistrations();
    return [length, ...(await caches.keys())];
  });

describeWithChromium('without the service', () => {
  test('the page opens, and gives the answers of the service from its index', async ({ pages }) => {
    pages.expectFaults();
    const service = await startForTest(await openCatalog(undefined), SETTINGS);
    const page = await pages.blank();
    await visit(page, service.url);
    const targets = ['egg', 'quail', 'xyz', 'brocoli&match=words', 'eggs raw&match=words']
      .map((query) => `api/food?q=${query}`)
      .concat(['portions', 'names', 'nutrients'].map((path) => `${path}?description=Egg, whole, raw`))
      .concat('data-set')
      .map((target) => encodeURI(target));
    const answers = await Promise.all(targets.map((target) => ask(service, `/${target}`)));
    await service.close();
    await page.goto(service.url);
    await search(page, '2 eggs');
    await expectText(foods(page).first()).toContain('Egg, whole, raw');
    await expectText(page.locator('.data-set')).toContain(`Offline · ${BUILT_IN_FOODS} · `);
    await page.keyboard.press('Enter');
    await expectText(page.locator('.plate tbody')).toContain('Egg, whole, raw');
    expect(await localAnswers(page, targets)).toEqual(
      answers.map(({ body, headers }) => ({
        // A copy for an English page has no further language.
        body: body.replace(/"languages":\[[^\]]*\],/, ''),
        ...{ matched: headers['matched-words'], missing: headers['missing-words'] },
      })),
    );
    await page.getByRole('link', { name: 'Licences' }).click();
    await page.getByText('preact - ').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('heading', { name: 'HTTP API', exact: true }).waitFor();
    await page.goBack();
    // A look at the service that began while it was away would be the last one.
    await expectText(page.locator('.data-set')).toContain('Offline');
    await startForTest(await openCatalog(undefined), { ...SETTINGS, port: service.port });
    await search(page, 'banana');
    await expectText(page.locator('.data-set')).not.toContain('Offline');
  });

  test('its worker is not in the way of searches, which would wait for its start', async ({ pages }) => {
    const service = await startForTest(await openCatalog(undefined), { ...SETTINGS, offlineFoods: 0 });
    const page = await pages.blank();
    await visit(page, service.url);
    await search(page, 'egg');
    const ways = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/api/food?'))
        .map((search) => (search as { workerMatchedSourceType?: string }).workerMatchedSourceType),
    );
    expect(new Set(ways)).toEqual(new Set(['network']));
  });

  test('searches of a small data set are no requests, and change with the service', async ({ pages }) => {
    pages.expectFaults();
    const catalog = await memoryCatalogOf([food('Egg'), food('Egg noodles')]);
    const service = await startForTest(catalog, SETTINGS);
    const page = await pages.blank();
    await page.goto(service.url);
    await openIndex(page);
    catalog.replace((await memoryCatalogOf([food('Egg bread')])).loaded);
    const searched = async (part: Locator) => {
      await search(page, 'egg');
      await search(page, 'eg');
      return part.allTextContents();
    };
    await expect.poll(() => searched(foods(page))).toEqual([expect.stringContaining('Egg bread')]);
    await openIndex(page);
    await service.close();
    const offline = expect.stringContaining('Offline · 1 food');
    await expect.poll(() => searched(page.locator('.data-set'))).toEqual([offline]);
    await expectTexts(foods(page)).toEqual([expect.stringContaining('Egg bread')]);
  });

  test('of a large data set, the texts found before are found again', async ({ pages }) => {
    pages.expectFaults();
    const names = Array.from({ length: 5001 }, (_, i) => `Bread ${i}`);
    const service = await startForTest(await memoryCatalogOf(numbered(names)), SETTINGS);
    const page = await pages.blank();
    await visit(page, service.url);
    await search(page, 'bread 70');
    await expectText(foods(page).first()).toContain('Bread 70');
    await service.close();
    await page.reload();
    await search(page, 'bread 70');
    await expectText(foods(page).first()).toContain('Bread 70');
    await search(page, 'bread 71');
    await page.getByRole('alert').filter({ hasText: 'The food service does not answer' }).waitFor();
  });

  test('a new release is there at the next load, and the foods of a new data set', async ({ pages }) => {
    pages.expectFaults();
    const catalog = await memoryCatalogOf([food('Egg')]);
    const service = await startForTest(catalog, SETTINGS);
    let release = 'old';
    // Another release has another page.
    const site = await startSite(async ({ url }, response) => {
      const { status, headers, bytes } = await ask(service, url ?? '');
      const isPage = String(headers['content-type']).startsWith('text/html');
      const named = `<meta name="release" content="${release}"></head>`;
      const body = isPage ? bytes.toString().replace('</head>', named) : bytes;
      const { 'content-length': _, etag: __, ...others } = headers;
      response.writeHead(status, others).end(body);
    });
    const page = await pages.blank();
    await visit(page, site.origin);
    catalog.replace((await memoryCatalogOf([food('Bread')])).loaded);
    release = 'new';
    await page.reload();
    expect(await releaseOf(page)).toBe('new');
    await openIndex(page);
    site.close();
    await service.close();
    await page.reload();
    expect(await releaseOf(page)).toBe('new');
    await search(page, 'bread');
    await expectTexts(foods(page)).toEqual([expect.stringContaining('Bread')]);
  });

  test('what was kept is removed where the operator says so', async ({ pages }) => {
    pages.expectFaults();
    const service = await startForTest(await openCatalog(undefined), SETTINGS);
    const page = await pages.blank();
    await visit(page, service.url);
    expect(await workers(page)).toEqual([1, 'food-lookup']);
    await service.close();
    const settings = { ...SETTINGS, offline: false, port: service.port };
    const off = await startForTest(await openCatalog(undefined), settings);
    await page.reload();
    await expect.poll(() => workers(page)).toEqual([0]);
    await search(page, 'egg');
    await expectValue(page.getByRole('textbox', { name: 'Food', exact: true })).toBe('egg');
    await off.close();
    await expect(page.reload()).rejects.toThrow();
  });
});
