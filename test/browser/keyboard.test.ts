/** The page by keyboard alone, and its announcements to screen readers. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { box, energy, foods, portions } from '../support/page-parts.ts';
import { everyFood, found, namesFrom, press, put, search, stopClock } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

/** The label or the text of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? (element?.textContent || element?.id);
  });
/** Presses the keys, which move the focus there. */
async function movesTo(page: Page, label: string | undefined, ...keys: string[]): Promise<void> {
  await press(page, ...keys);
  await expect.poll(() => focused(page)).toBe(label);
}
const announcement = (page: Page) => page.locator('#page > output');

describeWithChromium('by keyboard and screen reader', () => {
  test('/ jumps to the box, except from a field or if it is turned off', async ({ page }) => {
    // The box has the focus at first, so that no letter is lost.
    await expect.poll(() => focused(page)).toBe('box');
    await movesTo(page, 'box', 'Tab', '/');
    await expectValue(box(page)).toBe('');
    await page.keyboard.press('/');
    await expectValue(box(page)).toBe('/');
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByRole('checkbox', { name: 'The / key jumps to the search box' }).uncheck();
    await page.keyboard.press('/');
    await expect.poll(() => focused(page)).not.toBe('box');
    await page.reload();
    await page.getByRole('button', { name: 'Keys' }).click();
    await expect.poll(() => page.getByRole('checkbox').isChecked()).toBe(false);
  });

  test('arrows move through the foods, Enter adds, letters go to the box', async ({ page, pages }) => {
    await search(page, 'milk');
    const names = await namesFrom(pages.service.url, 'milk');
    await everyFood(page);
    await movesTo(page, names[0], 'ArrowDown');
    await movesTo(page, names[1], 'ArrowDown', 'Enter');
    await expectTexts(portions(page).getByRole('rowheader')).toEqual([names[1]]);
    await movesTo(page, `Favourite: ${names[1]}`, 'ArrowRight');
    await page.keyboard.press('Space');
    await page.getByRole('button', { pressed: true, name: `Favourite: ${names[1]}` }).waitFor();
    await movesTo(page, names.at(-1), 'ArrowLeft', 'End');
    await movesTo(page, 'box', 'ArrowDown', 'Home', 'ArrowUp');
    // A click beside the button focuses it as well.
    await page.locator('.foods .figure').nth(8).click();
    await expect.poll(() => focused(page)).toBe(names[2]);
    await page.keyboard.type(', w');
    await expect.poll(() => focused(page)).toBe('box');
    await expectValue(box(page)).toBe('milk, w');
  });

  test.for([375, 1280])('Tab leads from the box past foods to the plate, %i px', async (width, { pages }) => {
    const page = await pages.open({ viewport: { width, height: 700 } });
    await put(page, 'banana, raw');
    await search(page, 'raw');
    await foods(page).nth(99).waitFor();
    const isOn = (place: string) => expectCount(page.locator(`${place} :focus`));
    await page.keyboard.press('Tab');
    await isOn('.foods thead').toBe(1);
    await movesTo(page, 'Protein g', 'ArrowRight');
    await page.keyboard.press('Tab');
    await isOn('.foods tbody').toBe(1);
    await page.keyboard.press('ArrowDown');
    const second = await focused(page);
    await page.keyboard.press('Tab');
    await isOn(width < 1024 ? '.plate-bar' : '.plate').toBe(1);
    // The way back is to where the focus was.
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe(second);
    await search(page, '2 eggs, a slice of bread');
    await box(page).focus();
    await press(page, 'Tab', 'Tab', 'Tab');
    await isOn(width < 1024 ? '.plate-bar' : '.plate').toBe(1);
  });

  test('keys pressed during the composition of a word belong to it', async ({ page }) => {
    await box(page).focus();
    await page.keyboard.type('tama');
    await box(page).evaluate((element) => {
      for (const key of ['Escape', 'ArrowDown'])
        element.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }));
    });
    await expectValue(box(page)).toBe('tama');
    await expect.poll(() => focused(page)).toBe('box');
  });

  test('Escape returns to the box, then empties it', async ({ page }) => {
    await search(page, 'milk');
    await page.keyboard.press('ArrowDown');
    for (const text of ['milk', '']) {
      await movesTo(page, 'box', 'Escape');
      await expectValue(box(page)).toBe(text);
    }
  });

  test('a plate is made, changed and cleared without a mouse', async ({ page }) => {
    await page.keyboard.press('/');
    await page.keyboard.type('banana, raw');
    await page.locator('.results.found[aria-busy="false"]').waitFor();
    await page.keyboard.press('Enter');
    const reach = async (name: string) => {
      for (let steps = 0; (await focused(page)) !== name; steps++) {
        expect(steps, `steps to ${name}`).toBeLessThan(60);
        await page.keyboard.press('Tab');
      }
    };
    await movesTo(page, 'Amount of Banana, raw', 'Control+Enter');
    await page.keyboard.type('50');
    await expect.poll(() => energy(page)).toBe('44.5 kcal');
    await movesTo(page, 'box', 'Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('combobox', { name: 'Unit of Banana, raw' }).waitFor();
    await movesTo(page, 'Unit of Banana, raw', 'Tab');
    await movesTo(page, 'Remove Banana, raw', 'Tab');
    await reach('Share');
    await reach('Clear');
    await page.keyboard.press('Enter');
    await expectCount(portions(page)).toBe(0);
  });

  test('counts, additions and failures are announced, politely or at once', async ({ page, pages }) => {
    pages.expectFaults();
    await search(page, 'yogurt');
    await everyFood(page);
    await expectText(announcement(page)).toBe(`${await foods(page).count()} foods`);
    await page.keyboard.press('Enter');
    await expectText(announcement(page)).toMatch(/^Yogurt, plain, whole milk: 100 g added\.$/);
    await search(page, 'zzzz');
    await expectText(announcement(page)).toBe('No matches for “zzzz”');
    await search(page, 'a');
    await expectText(announcement(page)).toContain('The first 100 foods:');
    await page.route('**/api/food?*', (route) => route.abort());
    await search(page, 'milk');
    await expectCount(page.getByRole('alert')).toBe(1);
  });

  test('counts are announced after a pause in typing, not at every letter', async ({ pages }) => {
    const page = await pages.blank();
    await page.goto(pages.service.url);
    await stopClock(page);
    await page.evaluate(() => {
      const said: (string | null)[] = [];
      Object.assign(window, { said });
      const region = document.querySelector('#page > output') ?? document;
      const changes = { childList: true, characterData: true, subtree: true };
      new MutationObserver(() => said.push(region.textContent)).observe(region, changes);
    });
    for (const text of ['e', 'eg', 'egg']) {
      const answered = page.waitForResponse((response) => response.url().includes(`?q=${text}&`));
      await box(page).fill(text);
      await page.clock.runFor(100);
      await answered;
      await found(page);
    }
    expect(await page.evaluate('said')).toEqual([]);
    await page.clock.resume();
    await expectText(announcement(page)).toMatch(/foods/);
    expect(await page.evaluate('said.length')).toBe(1);
  });
});
