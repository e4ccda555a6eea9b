/** How the page reaches the browser: headers, paths, languages, layout, and the facts in its footer. */
import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { plateLink } from '../../client/plate/plate-link.ts';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { answering } from '../support/listen.ts';
import { energy, foods } from '../support/page-parts.ts';
import { hold, inGrams, put, search } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { ask } from '../support/service.ts';
import { BUILT_IN_COUNT, BUILT_IN_FOODS } from '../support/starter-foods.ts';

/**
 * Records every layout shift once fonts are loaded and the changes so far are painted, including those within 500 ms after a key
 * press, which browsers do not count.
 */
const watchShifts = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    // The second frame comes after the paint of the first.
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(JSON.stringify(entry));
    }).observe({ type: 'layout-shift' });
  });

/** Runs in the page: plays all finite animations ten times as fast, waits for their end, then for the next frame. */
async function settled(): Promise<void> {
  const all = document.getAnimations();
  const finite = all.filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  for (const each of finite) each.playbackRate = 10;
  await Promise.allSettled(finite.map(({ finished }) => finished));
  await new Promise((resolve) => requestAnimationFrame(resolve));
}

describeWithChromium('the page', () => {
  test('is revalidated, its files are kept for a month, and no other code is run', async ({ pages }) => {
    const index = await ask(pages.service, '/');
    expect(index.headers['cache-control']).toBe('no-cache');
    const policy = String(index.headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none';script-src 'sha256-[^']+';style-src 'sha256-[^']+';font-src/);
    expect(policy).not.toMatch(/unsafe|data:|nonce/);
    const files = Array.from(index.body.matchAll(/(?:href="|url\()\.(\/[\w.-]+)/g), ([, file = '']) => file);
    const types = files.map((file) => file.replace(/.*\./, ''));
    expect(types).toEqual(['svg', 'webmanifest', 'png', 'woff2', 'woff2', 'woff2']);
    for (const file of files.filter((name) => !name.endsWith('.webmanifest'))) {
      const { status, headers } = await ask(pages.service, file);
      expect(status, file).toBe(200);
      expect(headers['cache-control'], file).toBe('public, max-age=2592000');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    expect(index.body).not.toMatch(/style=|<script[^>]*src|rel="stylesheet"|<[^>]*\son\w+=/);
  });

  test('links to the licences of the software in it', async ({ page }) => {
    const link = page.getByRole('link', { name: 'Licences' });
    const address = await link.evaluate((found) => (found as HTMLAnchorElement).href);
    const notices = await fetch(address);
    expect(notices.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await notices.text()).toContain('## preact - ');
  });

  test('at /docs copies commands that name its own service, and leads to the search', async ({ pages }) => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    const page = await pages.open(options, `${pages.service.url}/docs`);
    const copy = page.getByRole('button', { name: 'Copy' });
    await copy.first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = `curl "${pages.service.url}/api/food?q=quail%20egg"`;
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    await expectCount(copy).toBe((await page.locator('pre', { hasText: 'curl' }).count()) - 1);
    await page.getByRole('link', { name: 'Errors' }).click();
    await expect.poll(() => page.url()).toMatch(/\/docs#errors$/);
    await page.getByRole('link', { name: 'food lookup' }).click();
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('heading', { name: 'HTTP API' }).waitFor();
  });

  test('works under a path behind a proxy', async ({ pages }) => {
    const proxy = await answering((incoming, response) => {
      const { method, headers, url = '' } = incoming;
      const address = `${pages.service.url}${url.replace(/^\/under\//, '/')}`;
      if (!url.startsWith('/under/')) response.writeHead(404).end();
      else
        incoming.pipe(
          request(address, { method, headers }, (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          }),
        );
    });
    const page = await pages.blank();
    await page.goto(`${proxy}/under/`);
    await put(page, 'banana, raw');
    await page.getByText(BUILT_IN_FOODS).waitFor();
    await page.reload();
    await page.getByRole('textbox', { name: 'Amount of Banana, raw' }).waitFor();
  });

  test('names its data set if it may read it', async ({ page, pages }) => {
    const facts = page.locator('.data-set');
    await facts.waitFor();
    const { name, date, source, licence, language, identity } = pages.catalog.dataSet;
    await expectText(facts).toBe(`${BUILT_IN_FOODS} · ${name}`);
    const title = `${date} · ${source} · ${licence}`;
    await expect.poll(() => facts.getAttribute('title')).toBe(title);
    const other = await startForTest(pages.catalog, { allowedOrigin: pages.service.url });
    const route = await ask(other, '/data-set', { headers: { origin: pages.service.url } });
    expect(JSON.parse(route.body)).toEqual({
      name,
      date,
      source,
      licence,
      language,
      languages: ['de', 'es', 'fr', 'it', 'ja', 'nl', 'pt', 'zh-Hans'],
      foods: BUILT_IN_COUNT,
      identity,
      codes: 0,
      hasNutrients: false,
      offline: false,
    });
    expect(Object.keys(route.headers).filter((header) => header.startsWith('access-control'))).toEqual([]);
    await page.goto(`${pages.service.url}/?api=${other.url}`);
    await search(page, 'egg');
    await expectCount(foods(page)).toBeGreaterThan(0);
    await expectCount(facts).toBe(0);
  });

  test('falls back to its own service if `?api=` is unusable, and says so', async ({ page, pages }) => {
    for (const api of ['', 'javascript:alert(1)', 'http://[', 'ftp://a.example']) {
      await page.goto(`${pages.service.url}/?${new URLSearchParams({ api })}`);
      await search(page, 'egg');
      await expect.poll(() => foods(page).count(), { message: api }).toBeGreaterThan(0);
      const alerts = await page.getByRole('alert').allTextContents();
      expect(alerts, api).toHaveLength(api === '' ? 0 : 1);
      if (api !== '') expect(alerts[0]).toContain(`“${api}” in ?api= is not a web address.`);
    }
  });

  test('accepts `?api=` as people write it: without a scheme, or with the path', async ({ page, pages }) => {
    const other = await startForTest(pages.catalog, { allowedOrigin: pages.service.url });
    const host = `127.0.0.1:${other.port}`;
    for (const api of [host, `${other.url}/api/food`, `${host}/api/food/`]) {
      await page.goto(`${pages.service.url}/?${new URLSearchParams({ api })}`);
      const asked = page.waitForRequest((request) => request.url().startsWith(`${other.url}/api/food?`));
      await search(page, 'egg');
      await asked;
      await expect.poll(() => foods(page).count(), { message: api }).toBeGreaterThan(0);
    }
  });

  test('writes numbers and reads grams in the format of the browser', async ({ pages }) => {
    const food = { description: 'Öl', kcal: '884.5', protein: '0', fat: '97.29', carbohydrate: null };
    const link = plateLink([{ food, ...inGrams('1234.5') }], pages.service.url);
    const page = await pages.open({ locale: 'de-DE' }, link);
    const grams = page.getByRole('textbox', { name: 'Menge: Öl' });
    await expectValue(grams).toBe('1234,5 g');
    await expectTexts(page.locator('.totals strong')).toEqual(['10.919', '0,0', '1.201,0', '0,0*']);
    await grams.fill('12,5');
    await grams.press('Tab');
    await expect.poll(() => energy(page)).toBe('110,5625 kcal');
    await search(page, 'egg, whole, raw');
    const egg = page.getByRole('row', { name: /^Ei, ganz, roh/ });
    await expectTexts(egg.locator('.figure')).toEqual(['143', '12,6', '8,7', '0,7']);
  });

  test('reads numbers before the words of amounts arrive, and other amounts then', async ({ pages }) => {
    const page = await pages.blank();
    const arrive = await hold(page, '**/amounts.txt');
    const oil = { description: 'Oil', kcal: '884', protein: '0', fat: '100', carbohydrate: '0' };
    await page.goto(plateLink([{ food: oil, ...inGrams('100') }], pages.service.url));
    const amount = page.getByRole('textbox', { name: 'Amount of Oil' });
    await amount.fill('12.5');
    await expect.poll(() => energy(page)).toBe('110.5 kcal');
    await amount.fill('1/2 kg');
    await page.locator('.refusal').waitFor();
    arrive();
    await expect.poll(() => energy(page)).toBe('4,420 kcal');
    await expectCount(page.locator('.refusal')).toBe(0);
  });

  test.for([320, 768, 1440])('shifts nothing during typing, at a width of %i', async (width, { pages }) => {
    const page = await pages.open({ viewport: { width, height: 800 } });
    await put(page, 'banana');
    await search(page, 'e');
    await watchShifts(page);
    await page.route('**/api/food?*', async (route) => {
      await page.locator('.results.late').evaluate(settled);
      await route.continue().catch(() => {});
    });
    for (const text of ['eg', 'egg', 'raw egg', 'zzzz', 'a', 'milk, w']) await search(page, text);
    expect(await page.evaluate('shifts')).toEqual([]);
  });
});
