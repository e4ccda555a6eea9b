/** The page at `/docs` in Chromium: its commands, on a phone, light and dark. */
import { expect, test } from 'vitest';
import { expectNoFaults } from '../support/axe.ts';
import { clientPages } from '../support/client-page.ts';
import { describeWithChromium } from '../support/requirements.ts';

const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true } as const;

describeWithChromium('the page at /docs', () => {
  const pages = clientPages();
  const open = (options?: Parameters<typeof pages.open>[0]) =>
    pages.open(options, `${pages.service.url}/docs`);

  test('copies commands that name its own service, and leads to the page and back', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const copy = page.getByRole('button', { name: 'Copy' });
    await copy.first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = `curl "${pages.service.url}/api/food?q=quail"`;
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    await expect.poll(() => copy.count()).toBe((await page.locator('pre', { hasText: 'curl' }).count()) - 1);
    await page.getByRole('link', { name: 'Errors' }).click();
    await expect.poll(() => page.url()).toMatch(/\/docs#errors$/);
    await page.getByRole('link', { name: 'food lookup' }).click();
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('heading', { name: 'HTTP API' }).waitFor();
  });

  test('fits a phone, follows the colour scheme of the system, and is accessible in both', async () => {
    const page = await open({ ...PHONE, colorScheme: 'dark' });
    const lightness = () =>
      page.evaluate(() =>
        Math.max(...(getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number)),
      );
    await expect.poll(lightness).toBeLessThan(60);
    await expectNoFaults(page, 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(lightness).toBeGreaterThan(200);
    await expectNoFaults(page, 'light');
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  });
});
