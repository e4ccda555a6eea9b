/** Amounts of a food, in grams and in portions: by mouse, keyboard, thumb and screen reader, and in links, tables and print. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { plateLink } from '../../client/plate/plate-link.ts';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { box, EGG, energy, foods, portions as items, PHONE } from '../support/page-parts.ts';
import { hold, inGrams, manyFoods, press, put, search, showPlate } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { food, memoryCatalogOf } from '../support/service.ts';

const ENTRY = { kcal: '143', protein: '12.56', fat: '8.70', carbohydrate: '0.72' };
const LARGE = { portion: '1 large', grams: '50' };
const unit = (page: Page, name = EGG) => page.getByRole('combobox', { name: `Unit of ${name}` });
const field = (page: Page) => items(page).getByRole('textbox');
const amount = async (page: Page) =>
  [await field(page).inputValue(), ...(await items(page).locator('.weight').allTextContents())].join(' · ');

/** Collects the foods whose portions the page requests from now on. */
function requestedFoods(page: Page): string[] {
  const result: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/portions')) result.push(searchParams.get('description') ?? '');
  });
  return result;
}

describeWithChromium('portions', () => {
  test('are said in the language of the page, and stay the same portions in another', async ({ pages }) => {
    const page = await pages.open({ locale: 'de' });
    const list = items(page);
    await search(page, '2 große Eier');
    await expectText(foods(page).first()).toContain('2 × Stück, groß');
    await box(page).press('Enter');
    await expect.poll(() => amount(page)).toBe('2 × Stück, groß · 100 g');
    await expect.poll(() => list.locator('option').allTextContents()).toContain('1 Stück, mittelgroß (44 g)');
    await field(page).fill('3 × Stück, groß');
    await page.keyboard.press('Tab');
    await expect.poll(() => amount(page)).toBe('3 × Stück, groß · 150 g');
    await field(page).fill('4 kleine');
    await page.keyboard.press('Tab');
    await expect.poll(() => amount(page)).toBe('4 × Stück, klein · 152 g');
    await page.locator('.footer select').selectOption('English');
    await page.getByRole('heading', { name: 'Plate', exact: true }).waitFor();
    await expect.poll(() => amount(page)).toBe('4 small · 152 g');
  });

  test('are chosen on the plate, weighed exactly, and remembered for the next time', async ({ page }) => {
    await put(page, EGG);
    await unit(page).waitFor();
    const options = unit(page).locator('option');
    const larger = ['1 large (50 g)', '1 extra large (56 g)', '1 jumbo (63 g)'];
    const others = ['1 cup (4.86 large eggs) (243 g)', '1 medium (44 g)', '1 small (38 g)'];
    await expectTexts(options).toEqual(['g', ...larger, ...others]);
    await unit(page).selectOption('1 large (50 g)');
    await expect.poll(() => amount(page)).toBe('1 large · 50 g');
    await field(page).click();
    await page.keyboard.type('2');
    await expect.poll(() => amount(page)).toBe('2 · 100 g');
    await page.keyboard.press('Tab');
    await expect.poll(() => amount(page)).toBe('2 large · 100 g');
    await expect.poll(() => energy(page)).toBe('143 kcal');
    await expectText(page.locator('.foods .amount')).toBe(', on the plate: 100 g');
    await unit(page).selectOption('1 extra large (56 g)');
    await expect.poll(() => amount(page)).toBe('2 extra large · 112 g');
    await expect.poll(() => energy(page)).toBe('160.16 kcal');
    await page.reload();
    await expect.poll(() => amount(page)).toBe('2 extra large · 112 g');
    await page.getByRole('button', { name: `Remove ${EGG}` }).click();
    await put(page, EGG);
    await expect.poll(() => amount(page)).toBe('2 extra large · 112 g');
    // Adding the food again adds a portion.
    await put(page, EGG);
    await expect.poll(() => amount(page)).toBe('3 extra large · 168 g');
    await expectText(page.locator('#page > output')).toContain(`${EGG}: 1 extra large (56 g) added.`);
    await unit(page).selectOption('g');
    await expect.poll(() => amount(page)).toBe('168 g');
    await page.getByRole('button', { name: `Remove ${EGG}` }).click();
    await put(page, EGG);
    await expect.poll(() => amount(page)).toBe('100 g');
  });

  test('are chosen by keyboard alone, and have names for a screen reader', async ({ page }) => {
    await put(page, EGG);
    await unit(page).waitFor();
    await press(page, 'Control+Enter', 'Tab', 'ArrowDown', 'Shift+Tab');
    await page.keyboard.type('3');
    await expect.poll(() => amount(page)).toBe('3 · 150 g');
    await page.keyboard.press('Tab');
    await expect.poll(() => amount(page)).toBe('3 large · 150 g');
    await page.keyboard.press('Shift+Tab');
    for (const part of [
      `textbox "Amount of ${EGG}": 3 large`,
      `combobox "Unit of ${EGG}"`,
      'option "1 large (50 g)" [selected]',
      '150 g',
    ])
      await expect.poll(() => items(page).ariaSnapshot()).toContain(part);
    await page.keyboard.press('Enter');
    await expect.poll(() => box(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test.for([320, 375])('are requested and chosen in a sheet, %i px wide', async (width, { pages }) => {
    const page = await pages.open({ ...PHONE, viewport: { width, height: 700 } });
    const requests = requestedFoods(page);
    await put(page, EGG);
    await page.locator('.plate-bar').waitFor();
    expect(requests).toEqual([]);
    await showPlate(page);
    const place = await unit(page).boundingBox();
    expect(Math.min(place?.width ?? 0, place?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await unit(page).selectOption('1 extra large (56 g)');
    await expect.poll(() => amount(page)).toBe('1 extra large · 56 g');
    await expect.poll(() => requests).toEqual([EGG]);
    const weight = items(page).locator('.weight');
    const right = () => weight.evaluate((element) => element.getBoundingClientRect().right);
    await expect.poll(right).toBeLessThan(width);
    await field(page).fill('a few');
    await page.getByText('Not an amount of this food.').waitFor();
  });

  test('are requested once for each added food, never for foods in the results', async ({ page }) => {
    const requests = requestedFoods(page);
    await search(page, 'egg');
    await expectCount(foods(page)).toBeGreaterThan(10);
    await put(page, 'olive oil');
    await unit(page, 'Olive oil').waitFor();
    await put(page, EGG);
    await unit(page).waitFor();
    await page.getByRole('button', { name: 'Clear' }).last().click();
    await put(page, EGG);
    await unit(page).waitFor();
    await expect.poll(() => requests).toEqual(['Olive oil', EGG]);
  });

  test('of a long plate are requested when their foods become visible', async ({ page, pages }) => {
    const requests = requestedFoods(page);
    await page.goto(plateLink(manyFoods(200), pages.service.url));
    await expect.poll(() => requests).toContain('Food 0');
    await items(page).last().scrollIntoViewIfNeeded();
    await expect.poll(() => requests).toContain('Food 199');
    expect(requests.length).toBeLessThan(40);
  });

  test('are those of a link even if the service knows none, in print too', async ({ page, pages }) => {
    pages.expectFaults();
    await page.route('**/portions?*', (route) => route.fulfill({ status: 404, json: { error: 'none' } }));
    const plate = [{ food: { ...ENTRY, description: EGG }, count: '2', unit: LARGE }];
    await page.goto(plateLink(plate, pages.service.url));
    await expect.poll(() => amount(page)).toBe('2 large · 100 g');
    await expect.poll(() => energy(page)).toBe('143 kcal');
    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => items(page).locator('.weight').isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    await unit(page).selectOption('g');
    await expect.poll(() => amount(page)).toBe('100 g');
    await expectCount(unit(page)).toBe(0);
  });

  test('that are slow, fail or make no sense leave the grams unchanged', async ({ page, pages }) => {
    pages.expectFaults();
    const answers = [
      () => new Promise<never>(() => {}),
      () => ({ status: 500, body: 'oh' }),
      () => ({ status: 200, body: 'no JSON' }),
      () => ({ json: { portion: '1 cup', grams: 1 } }),
      () => ({ json: [null, 7, {}] }),
      () => ({ json: ['0', -1, '9'.repeat(40), 1e300].map((grams) => ({ portion: 'a', grams })) }),
      () => ({ json: ['', 'x'.repeat(10_000), []].map((portion) => ({ portion, grams: 1 })) }),
    ];
    for (const [index, answer] of answers.entries()) {
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.route('**/portions?*', async (route) => route.fulfill(await answer()));
      const tried = page.waitForRequest('**/portions?*');
      const item = { food: { ...ENTRY, description: `Egg ${index}` }, ...inGrams('1') };
      await page.goto(plateLink([item], pages.service.url));
      await tried;
      await field(page).fill('200');
      await field(page).blur();
      await expect.poll(() => amount(page)).toBe('200 g');
      await expect.poll(() => energy(page)).toBe('286 kcal');
      await expectCount(page.locator('.plate select')).toBe(0);
    }
  });

  test('that arrive after a typed amount are found in it', async ({ page }) => {
    const arrive = await hold(page, '**/portions?*');
    await put(page, 'butter');
    await field(page).fill('2 tbsp');
    await page.getByText('Not an amount of this food.').waitFor();
    arrive();
    await expect.poll(() => amount(page)).toBe('2 tbsp · 28.4 g');
    await expectCount(page.locator('.refusal')).toBe(0);
    await field(page).fill('0.25 kg');
    await expect.poll(() => energy(page)).toBe('1,792.5 kcal');
  });

  test('are not requested from another origin, where the page cannot read them', async ({ pages }) => {
    const other = await startForTest(pages.catalog, { allowedOrigin: pages.service.url });
    const page = await pages.open({}, `${pages.service.url}/?api=${encodeURIComponent(other.url)}`);
    const requests = requestedFoods(page);
    await put(page, EGG);
    await field(page).fill('50');
    await expect.poll(() => energy(page)).toBe('71.5 kcal');
    expect(requests).toEqual([]);
  });

  test('are those of the new data set after a replacement, while the plate stays', async ({ pages }) => {
    const portionsOf = (portion: string) => ({ ...food('Egg'), portions: [{ portion, grams: '50' }] });
    const first = await memoryCatalogOf([portionsOf('1 large')]);
    let own = await startForTest(first, { nodeEnv: 'production' });
    const page = await pages.open({}, own.url);
    await put(page, 'egg');
    await unit(page, 'Egg').selectOption('1 large (50 g)');
    await own.close();
    const second = await memoryCatalogOf([portionsOf('1 small'), food('Eggplant')]);
    own = await startForTest(second, { nodeEnv: 'production', port: own.port });
    await search(page, 'eggplant');
    const options = unit(page, 'Egg').locator('option');
    await expectTexts(options).toEqual(['g', '1 small (50 g)', `${LARGE.portion} (50 g)`]);
  });
});

describeWithChromium('an amount', () => {
  test('is selected by a click into its field, but not by a second one', async ({ page }) => {
    await put(page, 'banana, raw');
    await field(page).click();
    await page.keyboard.type('50');
    await expectValue(field(page)).toBe('50');
    await expect.poll(() => energy(page)).toBe('44.5 kcal');
    await field(page).click({ position: { x: 60, y: 15 } });
    await page.keyboard.type('5');
    await expectValue(field(page)).toBe('505');
  });

  test('is selected by a tap', async ({ pages }) => {
    const page = await pages.open(PHONE);
    await put(page, 'banana, raw');
    await showPlate(page);
    await field(page).tap();
    await page.keyboard.type('50');
    await expectValue(field(page)).toBe('50');
  });

  test('that cannot be read is refused beside the field, and counts as unknown', async ({ page }) => {
    await put(page, 'banana, raw');
    await field(page).click();
    await page.keyboard.type('3 bottles');
    const refusal = items(page).getByRole('alert');
    const examples = 'Type for example ½, 12.5 g, or 2 medium, up to 100 kg.';
    await expectText(refusal).toBe(`Not an amount of this food. ${examples}`);
    await page.keyboard.press('Tab');
    await expectValue(field(page)).toBe('3 bottles');
    await expect.poll(() => field(page).getAttribute('aria-invalid')).toBe('true');
    await expectText(page.locator('.total-energy strong')).toBe('0*');
    await field(page).fill('75');
    await expectCount(refusal).toBe(0);
    await expect.poll(() => energy(page)).toBe('66.75 kcal');
  });
});
