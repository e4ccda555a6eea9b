/** What everyone does with the page: enter what was eaten, and see what it adds up to. `.ci/run` has the rest. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectCount, expectText, expectValue, test } from '../support/client-page.ts';
import { box, EGG, foods, grams, PHONE, plated, portions, totals } from '../support/page-parts.ts';
import { closePlate, MEAL, plateOf, search } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

describeWithChromium('a text with an amount', () => {
  test('shows the figures for that amount, and Enter adds it', async ({ page }) => {
    await search(page, '200 g rice, brown, cooked');
    await expectText(page.locator('.summary')).toMatch(/^(?:\d+ foods?|First 100) for .* · 200 g$/);
    const row = foods(page).first();
    await expectText(row.locator('.figure').first()).toBe('246');
    await box(page).press('Enter');
    await expect.poll(() => plated(page)).toEqual(['200 g Rice, brown, long-grain, cooked']);
    await expectValue(box(page)).toBe('');
  });
});

describeWithChromium('2 eggs, a slice of toast with butter and a glass of milk', () => {
  const listWith = (toast: string) => `2 eggs, a slice of ${toast} with butter and a glass of milk`;
  const EXPECTED = [
    `2 large ${EGG}`,
    '1 slice Bread, white, toasted',
    // How much of it was not said, so that the cursor is in its field.
    ' Butter, salted',
    '1 glass Milk, whole, 3.25% fat',
  ];
  const toast = (page: Page) => foods(page).nth(1).locator('.description');

  // Toast alone is bread that somebody toasted, which the list shows before anything is added.
  test('take four steps by keys: text, Escape, text, Enter', async ({ page }) => {
    await page.keyboard.type(listWith('toast'));
    await expectText(toast(page)).toMatch(/^Bread, .*toasted/);
    await page.keyboard.press('Escape');
    await page.keyboard.type(listWith('toasted white bread'));
    await page.keyboard.press('Enter');
    await expect.poll(() => plated(page)).toEqual(EXPECTED);
    await expectCount(grams(page, 'Butter, salted').and(page.locator(':focus'))).toBe(1);
    await page.keyboard.type('5 g');
    await expect.poll(() => plated(page)).toContain('5 g Butter, salted');
  });

  test('take five steps by thumb: tap, text, tap, text, tap; the Search key is none', async ({ pages }) => {
    const page = await pages.open(PHONE);
    await box(page).tap();
    await page.keyboard.type(listWith('toast'));
    await expectText(toast(page)).toMatch(/^Bread, .*toasted/);
    await page.getByRole('button', { name: 'Clear the search box' }).tap();
    await page.keyboard.type(listWith('toasted white bread'));
    await expectText(toast(page)).toMatch(/^Bread, white, toasted/);
    // It only hides the keyboard, whose keys have no code.
    const session = await page.context().newCDPSession(page);
    const search = { key: 'Enter', code: '', windowsVirtualKeyCode: 13, text: '\r' };
    await session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...search });
    await session.detach();
    await expectCount(portions(page)).toBe(0);
    await expectCount(page.locator('#box:focus')).toBe(0);
    await page.getByRole('button', { name: 'Add 4' }).tap();
    await expect.poll(() => plated(page)).toEqual(EXPECTED);
    const notice = page.locator('.notice span:visible');
    await expectText(notice).toBe('3 foods added. Butter, salted: There is no amount.');
    // The whole list is one change.
    await page.getByRole('button', { name: 'Undo' }).tap();
    await expectCount(portions(page)).toBe(0);
    // A keyboard at the tablet adds.
    await closePlate(page);
    await box(page).fill('banana');
    await page.keyboard.press('Enter');
    await expectCount(portions(page)).toBe(1);
  });
});

describeWithChromium('the plate', () => {
  test('adds up exactly, and rounds the sum once', async ({ page }) => {
    await plateOf(page, MEAL);
    const titled = page.locator('.totals [title]');
    const exact = () => titled.evaluateAll((all) => all.map((each) => each.getAttribute('title')));
    // Rounded parts of fat, 11.6, 1.8 and 12.2 g, would add up to 25.6 g.
    await expect.poll(exact).toEqual(['523.32 kcal', '21.6642 g', '25.54225 g', '47.2574 g']);
    await expect.poll(() => totals(page)).toEqual(['523', '21.7', '25.5', '47.3']);
  });
});
