/** A look-up of the page that failed is made again when the food is next shown, once: portions, names, nutrients. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { MemoryCatalog } from '#service';
import { expectCount, expectText, expectTexts, test } from '../support/client-page.ts';
import { box, foods, PHONE, portions } from '../support/page-parts.ts';
import { put, search, showPlate } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { food, memoryCatalogOf, TEST_LABEL } from '../support/service.ts';

const MUESLI = food('Muesli', {
  names: ['Zwiebelkorn'],
  portions: [{ portion: '1 bowl', grams: '40' }],
  nutrients: [{ nutrient: 'Fibre', amount: '8', unit: 'g' }],
});
const catalog = memoryCatalogOf([MUESLI, food('Water')]);

const FAILURES = ['429', 'no network'] as const;

/** Fails the first request to a path. Returns how many there have been once any further ones would have followed. */
async function failOnce(page: Page, path: string, how: (typeof FAILURES)[number] = '429') {
  let count = 0;
  await page.route(`**/${path}?*`, (route) => {
    count += 1;
    if (count > 1) return route.continue();
    const refusal = { status: 429, headers: { 'retry-after': '60' }, json: { error: 'Too many searches' } };
    return how === '429' ? route.fulfill(refusal) : route.abort();
  });
  return async () => {
    await page.waitForTimeout(300);
    return count;
  };
}

describeWithChromium('a look-up that failed', () => {
  test.for(FAILURES)('(%s) of portions is made again by the next search', async (how, { pages }) => {
    pages.expectFaults();
    const page = await pages.openWith(await catalog);
    const requests = await failOnce(page, 'portions', how);
    const understood = foods(page).locator('.understood');
    await search(page, '2 bowls muesli');
    await expectText(understood).not.toContain('…');
    expect(await requests()).toBe(1);
    await search(page, '3 bowls muesli');
    await expectText(understood).toBe('3 bowls · 120 g');
    await search(page, '4 bowls muesli');
    await expectText(understood).toBe('4 bowls · 160 g');
    expect(await requests()).toBe(2);
  });

  test('of portions and nutrients is made again when the plate is opened again', async ({ pages }) => {
    pages.expectFaults();
    const page = await pages.openWith(await catalog, PHONE);
    const ofPortions = await failOnce(page, 'portions');
    const ofNutrients = await failOnce(page, 'nutrients');
    await put(page, 'muesli');
    await showPlate(page);
    expect([await ofPortions(), await ofNutrients()]).toEqual([1, 1]);
    await expectCount(page.locator('.plate select, .further')).toBe(0);
    await page.getByRole('button', { name: 'Close the plate' }).tap();
    expect([await ofPortions(), await ofNutrients()]).toEqual([1, 1]);
    await showPlate(page);
    await expectTexts(portions(page).locator('option')).toEqual(['g', '1 bowl (40 g)']);
    await expectTexts(page.locator('.further > div')).toEqual(['Fibre8.0 g']);
    expect([await ofPortions(), await ofNutrients()]).toEqual([2, 2]);
  });

  test('of nutrients is made again when the label is opened again', async ({ pages }) => {
    pages.expectFaults();
    const page = await pages.openWith(await catalog);
    const requests = await failOnce(page, 'nutrients');
    const label = page.getByRole('dialog', { name: 'Muesli' });
    await search(page, 'muesli');
    await box(page).press('Alt+Enter');
    await label.locator('[aria-busy="false"]').waitFor();
    // Nobody knows that.
    await expectCount(label.getByText('Nothing else is known')).toBe(0);
    expect(await requests()).toBe(1);
    await page.keyboard.press('Escape');
    await box(page).press('Alt+Enter');
    await label.getByText('Fibre').waitFor();
    expect(await requests()).toBe(2);
  });

  test('of names is made again by the next search', async ({ pages }) => {
    pages.expectFaults();
    const page = await pages.openWith(await catalog);
    const requests = await failOnce(page, 'names');
    await search(page, 'zwiebelk');
    expect(await requests()).toBe(1);
    await expectCount(foods(page).locator('.understood')).toBe(0);
    await search(page, 'zwiebelkorn');
    await expectText(foods(page).locator('.understood')).toBe('also called Zwiebelkorn');
    expect(await requests()).toBe(2);
  });

  test('of the names of kept foods is made again by the next search', async ({ pages }) => {
    pages.expectFaults();
    const translations = [{ language: 'de', names: ['Ei'] }] as const;
    const label = { ...TEST_LABEL, language: 'en' };
    const translated = await MemoryCatalog.from([food('Egg', { translations }), food('Water')], label);
    const page = await pages.openWith(translated);
    await put(page, 'egg');
    const requests = await failOnce(page, 'names');
    await page.locator('.footer select').selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Teller', exact: true }).waitFor();
    await expect.poll(requests).toBe(1);
    await expectTexts(portions(page).getByRole('rowheader')).toEqual(['Egg']);
    await search(page, 'water');
    await expectTexts(portions(page).getByRole('rowheader')).toEqual(['Ei']);
    // The third one is for the name in the data set's own language, by which pieces are weighed.
    expect(await requests()).toBe(3);
  });
});
