/** The page at `/docs` in Chromium: by mouse and keyboard, on a phone, light and dark. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectNoFaults } from '../support/axe.ts';
import { clientPages } from '../support/client-page.ts';
import { describeWithChromium } from '../support/requirements.ts';

const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true } as const;

describeWithChromium('the page at /docs', () => {
  const pages = clientPages();

  const open = (options?: Parameters<typeof pages.open>[0]) =>
    pages.open(options, `${pages.service.url}/docs`);
  const answer = (page: Page) => page.locator('.live-responses-table tbody .response-col_status').first();
  const query = (page: Page) => page.getByPlaceholder('q');
  /** The example of a query, without which there is nothing to search for. */
  const shownExample = async (page: Page): Promise<string> => {
    await expect.poll(() => query(page).inputValue()).not.toBe('');
    return query(page).inputValue();
  };
  const tryIt = async (page: Page): Promise<void> => {
    await page.locator('.opblock-summary-control').first().click();
    await shownExample(page);
    await page.getByRole('button', { name: 'Execute' }).click();
    await answer(page).waitFor();
  };

  test('queries the service by keyboard or mouse and shows its answer, accessibly and without requests to other sites', async () => {
    const page = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const pressOn = async (target: Locator): Promise<void> => {
      for (let i = 0; i < 30; i++) {
        await page.keyboard.press('Tab');
        if (await target.evaluate((element) => element === document.activeElement)) {
          await page.keyboard.press('Enter');
          return;
        }
      }
      throw new Error(`no Tab leads to ${target}`);
    };
    await pressOn(page.locator('.opblock-summary-control').first());
    const execute = page.getByRole('button', { name: 'Execute' });
    await execute.waitFor();
    const example = await shownExample(page);
    await pressOn(execute);
    await answer(page).waitFor();
    expect(await answer(page).textContent()).toContain('200');
    await query(page).fill('quail');
    await execute.click();
    await page
      .locator('.live-responses-table .highlight-code')
      .filter({ hasText: 'Quail egg, whole, raw' })
      .first()
      .waitFor();
    expect(await answer(page).textContent()).toContain('200');
    expect(asked).toEqual(
      [example, 'quail'].map((q) => `${pages.service.url}/api/food?q=${encodeURIComponent(q)}`),
    );
    await expectNoFaults(page, 'with an answer');
  });

  test('fits a phone, and follows the colour scheme of the system', async () => {
    const page = await open({ ...PHONE, colorScheme: 'dark' });
    const lightness = () =>
      page.evaluate(() => {
        const { backgroundColor } = getComputedStyle(
          document.documentElement.matches('.dark-mode') ? document.documentElement : document.body,
        );
        return Math.max(...(backgroundColor.match(/\d+/g) ?? []).slice(0, 3).map(Number));
      });
    expect(await lightness()).toBeLessThan(60);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(lightness).toBeGreaterThan(200);
    await tryIt(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    expect(await page.evaluate(() => window.innerWidth)).toBe(375);
  });
});
