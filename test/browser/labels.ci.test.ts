/** The label of a food, what the plate adds up of it, and codes that are typed, by mouse, keyboard and on paper. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Nutrient } from '#core';
import { expectCount, expectText, expectTexts, test } from '../support/client-page.ts';
import { box, copyOf, foods, PHONE, portions } from '../support/page-parts.ts';
import { put, search, showPlate } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { food, memoryCatalogOf } from '../support/service.ts';

const n = (nutrient: string, amount: string, unit: string): Nutrient => ({ nutrient, amount, unit });
const CODE = '4006381333931';
const MUESLI = food('Muesli', {
  kcal: '350',
  protein_g: '10',
  carbohydrate_g: '60',
  fa_sat_g: '8',
  codes: [CODE],
  nutrients: [
    n('Energy', '1464', 'kJ'),
    n('Vitamin C', '0.0214', 'g'),
    n('Vitamin B12', '0.0000005', 'g'),
    n('Salt', '0.50', 'g'),
    n('Sugars', '12.5', 'g'),
    n('Fibre', '8.0', 'g'),
    n('Saturated fat', '1500', 'mg'),
    n('Iron', '3.25', 'mg'),
    n('__proto__', '12', 'IU'),
  ],
});
const HONEY = food('Honey', { kcal: '304', nutrients: [n('Sugars', '82', 'g'), n('Salt', '0', 'g')] });
const catalog = memoryCatalogOf([MUESLI, HONEY, food('Water', { kcal: '0' })]);

const label = (page: Page) => page.getByRole('dialog', { name: 'Muesli' });
const lines = async (page: Page) => {
  await label(page).locator('[aria-busy="false"]').waitFor();
  const names = await label(page).locator('dt').allTextContents();
  const figures = await label(page).locator('dd').allTextContents();
  return names.map((name, i) => `${name} ${figures[i]}`);
};

describeWithChromium('a label', () => {
  test('is for the typed amount, also before its weight is known', async ({ pages }) => {
    const page = await pages.openWith(await catalog);
    await page.route('**/portions?*', async (route) => {
      await pause(1000);
      await route.fulfill({ json: [{ portion: '1 bowl', grams: 40 }] });
    });
    await search(page, '2 bowls muesli');
    await box(page).press('Alt+Enter');
    await expectText(label(page).locator('.label-head p')).toBe('2 bowls (80 g)');
  });

  test('scrolls above its buttons, which stay visible', async ({ pages }) => {
    const page = await pages.openWith(await catalog, { viewport: { width: 360, height: 500 } });
    await search(page, 'muesli');
    await box(page).press('Alt+Enter');
    await label(page).locator('[aria-busy="false"]').waitFor();
    const bottomOf = (place: string) =>
      page.locator(place).evaluate((each) => Math.round(each.getBoundingClientRect().bottom));
    await expect.poll(() => bottomOf('.label .toolbar')).toBe((await bottomOf('.label')) - 1);
  });

  test('has the figures as packets print them, for 100 g and for an amount', async ({ pages }) => {
    const page = await pages.openWith(await catalog);
    await search(page, 'muesli');
    await page.getByRole('button', { name: 'Label: Muesli' }).click();
    expect(await lines(page)).toEqual([
      ...['Energy 1,464 kJ / 350 kcal', 'Fat 8.5 g', 'of which Saturated fat 1.5 g', 'Carbohydrate 60 g'],
      ...['of which Sugars 12.5 g', 'Fibre 8 g', 'Protein 10 g', 'Salt 0.5 g', 'Vitamin C 21.4 mg'],
      ...['Vitamin B12 0.5 µg', 'Iron 3.25 mg', '__proto__ 12 IU'],
    ]);
    await page.keyboard.press('Escape');
    await expectCount(label(page)).toBe(0);
    await expectCount(portions(page)).toBe(0);
    await search(page, '30 g muesli');
    // By one key.
    await box(page).press('Alt+Enter');
    await expectText(label(page).locator('.label-head p')).toBe('30 g');
    expect(await lines(page)).toContain('Vitamin C 6.42 mg');
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => page.locator('.search').isVisible()).toBe(false);
    expect(await label(page).getByText('Iron').isVisible()).toBe(true);
    // At the top of the paper, which stays white.
    expect((await label(page).boundingBox())?.y).toBeLessThan(80);
    const ground = () => label(page).evaluate((each) => getComputedStyle(each, '::backdrop').display);
    expect(await ground()).toBe('none');
    await page.emulateMedia({ media: 'screen' });
    const copied = await copyOf(label(page));
    for (const row of ['Muesli\t30 g\t', 'Energy\t105\tkcal', 'Salt\t0.15\tg']) expect(copied).toContain(row);
    await label(page).getByRole('button', { name: 'Close' }).click();
  });

  test('is opened on the plate, which adds up what all foods know', async ({ pages }) => {
    const page = await pages.openWith(await catalog, PHONE);
    const totals = page.locator('.further > div');
    await put(page, 'muesli');
    await showPlate(page);
    await expectTexts(totals).toEqual(['Fibre8.0 g', 'Sugars12.5 g', 'Saturated fat1.5 g', 'Salt0.5 g']);
    await portions(page).getByRole('button', { name: 'Label: Muesli', exact: true }).tap();
    expect(await lines(page)).toContain('Iron 3.25 mg');
    await label(page).getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('button', { name: 'Close the plate' }).tap();
    await put(page, 'honey');
    await showPlate(page);
    const [fibre, fat] = ['Fibre8.0 gin 1 of 2 foods', 'Saturated fat1.5 gin 1 of 2 foods'];
    await expectTexts(totals).toEqual([fibre, 'Sugars94.5 g', fat, 'Salt0.5 g']);
    // The exact figures, and which foods lack one.
    const [header = '', ...rows] = (await copyOf(page)).map((row) => row.split('\t').slice(6));
    const lacking = expect.stringMatching(/Fibre without 1 of 2 foods; Saturated fat without 1/);
    expect([header, ...rows]).toEqual([
      ['fibre_g', 'sugars_g', 'saturated_fat_g', 'salt_g', 'note'],
      ['8', '12.5', '1.5', '0.5', ''],
      ['', '82', '', '0', ''],
      ['8', '94.5', '1.5', '0.5', lacking],
    ]);
  });

  test('is not offered where nothing is known', async ({ page }) => {
    await search(page, 'egg');
    await expectCount(page.getByRole('button', { name: /^Label/ })).toBe(0);
    await expectCount(page.getByRole('button', { name: /^Scan/ })).toBe(0);
  });

  test('and a food is found by its code', async ({ pages }) => {
    const page = await pages.openWith(await catalog);
    await page.locator('.data-set').waitFor();
    for (const text of [CODE, '4 006381 333931', '04006381333931']) {
      await search(page, text);
      await expectTexts(foods(page).locator('.description')).toEqual(['Muesli']);
    }
    await search(page, '4006381333932');
    await page.getByText('No matches for “4006381333932”').waitFor();
    await box(page).fill('');
  });
});
