/** The layout: nothing touches or is cut off, and what matters is visible. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { plateLink } from '../../client/plate/plate-link.ts';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { box, foods, PHONE, portions } from '../support/page-parts.ts';
import { closePlate, everyFood, FULL_PLATE, put, resize, search, showPlate } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

const WIDTHS = [320, 360, 375, 768, 1024, 1440, 2560];
/** Neighbours in a row that are less than 3 px apart, and cells wider than the screen. */
const collisions = (page: Page, rows: string) =>
  page.locator(rows).evaluateAll((found) =>
    found.flatMap((row) => {
      const boxes = [...row.querySelectorAll('.figure')].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const own = cell.getBoundingClientRect();
        return { text: cell.textContent, own, ...range.getBoundingClientRect().toJSON() };
      });
      return boxes.flatMap(({ text, own, right, top }, index) => {
        const next = boxes[index + 1];
        const isNear = next !== undefined && Math.abs(next.top - top) < 3 && next.left - right < 3;
        return isNear || right > innerWidth || own.width > innerWidth ? [`${text} ${next?.text}`] : [];
      });
    }),
  );

const topOf = async (part: Locator) => (await part.boundingBox())?.y;
const overflow = (part: Locator) => part.evaluate((element) => element.scrollWidth - element.clientWidth);

describeWithChromium('in the layout,', () => {
  test('figures do not touch, and nothing needs sideways scrolling, at any width', async ({ pages }) => {
    const page = await pages.open({}, plateLink(FULL_PLATE, pages.service.url));
    await search(page, 'chicken');
    await everyFood(page);
    for (const width of WIDTHS) {
      await resize(page, width);
      await expect.poll(() => overflow(page.locator('html')), { message: `${width}` }).toBe(0);
      await expect.poll(() => collisions(page, '.foods tbody tr'), { message: `${width}` }).toEqual([]);
      await showPlate(page);
      await expectCount(portions(page)).toBe(15);
      await expect.poll(() => collisions(page, '.portions tbody tr'), { message: `${width}` }).toEqual([]);
      await expect.poll(() => overflow(page.locator('.plate-list')), { message: `${width}` }).toBe(0);
      await closePlate(page);
    }
  });

  test('a figure of seven decimals is rounded and aligned like the others', async ({ page }) => {
    const entry = { protein_g: 0.5, fat_g: '0.10', kcal: 7 };
    const figures = Object.entries({ A: 1.2345678, B: 12 });
    const json = figures.map(([description, carbohydrate_g]) => ({ ...entry, carbohydrate_g, description }));
    await page.route('**/api/food?*', (route) => route.fulfill({ json }));
    await search(page, 'a');
    const cells = page.locator('.foods tbody td:nth-child(5)');
    await expectTexts(cells).toEqual(['1.2', '12.0']);
    await expect.poll(() => cells.first().getAttribute('title')).toBe('1.2345678 g');
    const [upper = 0, lower = 1] = await cells.evaluateAll((all) =>
      all.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect().right;
      }),
    );
    expect(upper).toBeCloseTo(lower, 1);
  });

  test('a figure is a single text to a screen reader', async ({ page }) => {
    await put(page, 'egg, whole, raw');
    const session = await page.context().newCDPSession(page);
    const { nodes } = await session.send('Accessibility.getFullAXTree');
    const texts = nodes.filter(({ role }) => role?.value === 'StaticText').map(({ name }) => name?.value);
    // In the results, on the plate, and in the total.
    expect(texts.filter((text) => text === '12.6')).toHaveLength(3);
    expect(texts.filter((text) => text === '143')).toHaveLength(3);
    expect(texts.filter((text) => /^[.,]\d/.test(String(text)))).toEqual([]);
    await session.detach();
  });

  test.for([375, 1280])('headings and totals stay visible in scrolling, %i px', async (width, { pages }) => {
    const page = await pages.open({ viewport: { width, height: 700 } });
    await put(page, 'banana, raw');
    await search(page, 'a');
    await expectCount(foods(page)).toBe(100);
    await foods(page).nth(60).scrollIntoViewIfNeeded();
    const form = page.locator('.search-form');
    await expect.poll(() => topOf(form)).toBe(0);
    if (width >= 1024) {
      const head = page.locator('.foods').getByRole('columnheader', { name: 'Protein' });
      await expect.poll(() => topOf(head)).toBeGreaterThanOrEqual((await form.boundingBox())?.height ?? 0);
      await expect.poll(() => topOf(head)).toBeLessThan(100);
    }
    const total = page.locator(width < 1024 ? '.bar-figure' : '.total-energy');
    await expect.poll(() => topOf(total)).toBeGreaterThan(0);
    await expect.poll(() => topOf(total)).toBeLessThan(700);
    // A new text scrolls back to its best foods.
    await box(page).fill('milk');
    await page.locator('.results[aria-busy="false"]').waitFor();
    await expect.poll(() => topOf(foods(page).first())).toBeGreaterThan(50);
    await expect.poll(() => topOf(foods(page).first())).toBeLessThan(350);
  });

  test('forced colours keep the ring and its legend', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await put(page, 'egg, whole, raw');
    await page.locator('.macros').waitFor();
    const styles = (selector: string, property: string, part?: string) =>
      page.locator(selector).evaluateAll(
        (all, [name = '', pseudo]) => {
          return all.map((each) => getComputedStyle(each, pseudo).getPropertyValue(name));
        },
        [property, part] as const,
      );
    const colours = await styles('.macros > div', 'background-color', '::before');
    expect(new Set(colours).size).toBe(3);
    expect(await styles('.ring circle:not(.track)', 'stroke')).toEqual(colours);
    const texts = await styles('.macros dt, .macros strong, .macros small, h2', 'color');
    expect(new Set(texts).size).toBe(1);
  });

  test('on a phone the plate is a sheet that can be closed, with targets of 44 px', async ({ pages }) => {
    const page = await pages.open(PHONE);
    await put(page, 'banana, raw');
    await put(page, 'egg, whole, raw');
    const small = () =>
      page.locator('button:visible, input:visible, select:visible, a:visible').evaluateAll((all) =>
        all
          .filter((each) => each.closest('.foods thead') === null)
          .map((each) => ({
            name: each.getAttribute('aria-label') ?? each.textContent,
            ...each.getBoundingClientRect().toJSON(),
          }))
          .filter(({ width, height }) => Math.min(width, height) < 43.5)
          .map(({ name, width, height }) => `${name} ${width} x ${height}`),
      );
    await expect.poll(small).toEqual([]);
    const plate = page.getByRole('dialog', { name: 'Plate' });
    const bottom = () => plate.evaluate((sheet) => Math.round(sheet.getBoundingClientRect().bottom));
    for (const close of [
      () => page.getByRole('button', { name: 'Close the plate' }).tap(),
      () => page.touchscreen.tap(180, 10),
      () => page.keyboard.press('Escape'),
    ]) {
      await page.getByRole('button', { name: /^Show the plate: 2 foods/ }).tap();
      await expect.poll(bottom).toBe(700);
      await expect.poll(small).toEqual([]);
      await close();
      await expectCount(plate).toBe(0);
    }
  });

  test('a tap sorts a column: most first, then least first, then best first', async ({ page }) => {
    await search(page, 'cheese');
    await everyFood(page);
    const protein = async () => (await foods(page).locator('td:nth-child(3)').allTextContents()).map(Number);
    const best = await protein();
    const head = page.locator('.foods').getByRole('button', { name: 'Protein' });
    const column = page.locator('.foods').getByRole('columnheader', { name: 'Protein' });
    const mostFirst = best.toSorted((a, b) => b - a);
    for (const [figures, order] of [
      [mostFirst, 'descending'],
      [best.toSorted((a, b) => a - b), 'ascending'],
      [best, null],
      [mostFirst, 'descending'],
    ] as const) {
      await head.click();
      await expect.poll(protein).toEqual(figures);
      await expect.poll(() => column.getAttribute('aria-sort')).toBe(order);
    }
    const most = await foods(page).first().locator('.description').textContent();
    await box(page).press('Enter');
    await expectText(portions(page).getByRole('rowheader')).toBe(most);
  });

  test('the empty page suggests a food, an amount and a list; a tap searches for it', async ({ page }) => {
    const suggestions = page.locator('.start').getByRole('button');
    await expectCount(suggestions).toBe(3);
    for (const text of await suggestions.allTextContents()) {
      await page.getByRole('button', { name: text, exact: true }).click();
      await foods(page).first().waitFor();
      await expectValue(box(page)).toBe(text);
      await page.keyboard.press('Escape');
    }
  });
});
