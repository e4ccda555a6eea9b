/** What tests find on the page. */
import type { Locator, Page } from 'playwright-core';

export const EGG = 'Egg, whole, raw';
export const PHONE = { hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } };

export const box = (page: Page) => page.locator('#box');
export const foods = (page: Page) => page.locator('.foods tbody tr');
export const portions = (page: Page) => page.locator('.portions tbody tr');
/** The exact energy of the plate: "44.5 kcal". */
export const energy = (page: Page) => page.locator('.total-energy').getAttribute('title');
export const totals = (page: Page) => page.locator('.totals strong').allTextContents();
export const grams = (page: Page, food: string) => page.getByRole('textbox', { name: `Amount of ${food}` });

/** "2 large Egg, whole, raw", for each food on the plate. */
export const plated = (page: Page) =>
  portions(page).evaluateAll((rows) =>
    rows.map((row) => `${row.querySelector('input')?.value} ${row.querySelector('th')?.textContent}`),
  );

/** The lines of the table that a button copies. */
export async function copyOf(place: Locator | Page): Promise<readonly string[]> {
  const page = 'page' in place ? place.page() : place;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await place.getByRole('button', { name: 'Copy table' }).click();
  return (await page.evaluate(() => navigator.clipboard.readText())).split(/\r?\n/);
}
