/** Amounts as people click and type them, in several languages. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { clientPages } from '../support/client-page.ts';
import { portions, put, showPlate } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

const field = (page: Page) => portions(page).getByRole('textbox');
const energy = (page: Page) => page.locator('.total-energy').getAttribute('title');

describeWithChromium('an amount', () => {
  const pages = clientPages();

  test('is selected by a click into its field, but not by a second one', async () => {
    const page = await pages.open();
    await put(page, 'banana, raw');
    await field(page).click();
    await page.keyboard.type('50');
    expect(await field(page).inputValue()).toBe('50');
    expect(await energy(page)).toBe('44.5 kcal');
    await field(page).click({ position: { x: 60, y: 15 } });
    await page.keyboard.type('5');
    expect(await field(page).inputValue()).toBe('505');
  });

  test('is selected by a tap', async () => {
    const page = await pages.open({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });
    await put(page, 'banana, raw');
    await showPlate(page);
    await field(page).tap();
    await page.keyboard.type('50');
    expect(await field(page).inputValue()).toBe('50');
  });

  test.each([
    ['en-GB', { '12,5': '11.125 kcal', '1,234': '1,098.26 kcal', '12.5': '11.125 kcal' }],
    ['de-DE', { '12.5': '11,125 kcal', '1.234': '1.098,26 kcal', '12,5': '11,125 kcal' }],
  ])('in %s may be typed with a comma or a point', async (locale, amounts) => {
    const page = await pages.open({ locale });
    await put(page, 'banana, raw');
    for (const [typed, expected] of Object.entries(amounts)) {
      await field(page).click();
      await page.keyboard.type(typed);
      await page.keyboard.press('Tab');
      expect(await energy(page), typed).toBe(expected);
    }
  });

  test('that cannot be read is refused beside the field, and counts as unknown', async () => {
    const page = await pages.open();
    await put(page, 'banana, raw');
    await field(page).click();
    await page.keyboard.type('3 bottles');
    const refusal = portions(page).getByRole('alert');
    expect(await refusal.textContent()).toBe(
      'Not an amount of this food. Type for example ½, 12.5 g or 2 slices, up to 100 kg.',
    );
    await page.keyboard.press('Tab');
    expect(await field(page).inputValue()).toBe('3 bottles');
    expect(await field(page).getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.total-energy strong').textContent()).toBe('0*');
    await field(page).fill('75');
    expect(await refusal.count()).toBe(0);
    expect(await energy(page)).toBe('66.75 kcal');
  });
});
