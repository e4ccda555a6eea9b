/** The page at `/`, as a person uses it. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import { launchBrowser } from '../support/browser.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { type Service, startService } from '../support/service.ts';

describeWithChromium('the page', () => {
  let browser: Browser;
  let service: Service;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    service = await startService(await openCatalog(undefined), { nodeEnv: 'production' });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });
  beforeEach(async () => {
    faults.length = 0;
    page = await browser.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    await page.goto(service.url);
    return () => page.close();
  });

  const status = () => page.getByRole('status');
  const box = () => page.getByRole('searchbox', { name: 'Food' });

  test('shows foods while one types', async () => {
    await box().pressSequentially('egg, whole, r');
    const row = page.getByRole('row', { name: /^Egg, whole, raw/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['143', '12.56', '0.72', '8.7']);
    await page.getByRole('table', { name: 'Figures per 100 g' }).waitFor();
    expect(await status().textContent()).toMatch(/^\d foods?$/);
    expect(faults).toEqual([]);
  });

  test('searches at once on Enter', async () => {
    await box().fill('banana');
    await box().press('Enter');
    await page
      .getByRole('rowheader', { name: /^Banana/ })
      .first()
      .waitFor();
  });

  test('says where nothing matches, and where there may be more', async () => {
    await box().fill('zzzz');
    await page.getByText("No food's description contains “zzzz”.").waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await box().fill('a');
    await page.getByText('The first 100 foods.').waitFor();
    expect(await page.getByRole('row').count()).toBe(101);
    await box().fill('');
    await page.getByText("Type part of a food's name.").waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });

  test('shows an unknown figure as a dash and special characters as they are', async () => {
    await page.route('**/api/food?*', (route) =>
      route.fulfill({
        json: [
          {
            carbohydrate_g: null,
            protein_g: 0,
            fat_g: '0.00',
            kcal: null,
            description: '<b>50% & "more"</b>',
          },
        ],
      }),
    );
    await box().fill('x');
    const row = page.getByRole('row', { name: '<b>50% & "more"</b>' });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(['–', '0', '–', '0']);
  });

  test('never shows an older answer over a newer one', async () => {
    await page.route(/q=milk$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue().catch(() => {});
    });
    await box().fill('milk');
    await box().press('Enter');
    await box().fill('banana');
    await box().press('Enter');
    await page
      .getByRole('rowheader', { name: /^Banana/ })
      .first()
      .waitFor();
    await page.waitForTimeout(700);
    expect(await page.getByRole('rowheader').allTextContents()).not.toContainEqual(
      expect.stringMatching(/^Milk/),
    );
  });

  test('says when the service does not answer', async () => {
    await page.route('**/api/food?*', (route) => route.abort());
    await box().fill('egg');
    await page.getByText('The service did not answer').waitFor();
  });
});
