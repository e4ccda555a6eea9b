import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { box, foods } from '../support/page-parts.ts';
import { everyFood, found, namesFrom, search, stopClock } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

const isSearch = (request: Request) => request.url().includes('/api/food?');
const textOf = (request: Request) => new URL(request.url()).searchParams.get('q') ?? '';
const names = (page: Page) => page.locator('.foods .description').allTextContents();
const summary = (page: Page) => page.locator('.summary');

/** Collects the searches that the page requests from now on. */
function searchesOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => isSearch(request) && asked.push(new URL(request.url()).search));
  return asked;
}

/** The names of all foods of a text, the first of which are shown before the others. */
async function allNames(page: Page, text: string): Promise<string[]> {
  await search(page, text);
  await everyFood(page);
  return names(page);
}

describeWithChromium('the search', () => {
  test('shows foods with their figures during typing', async ({ page }) => {
    await box(page).pressSequentially('egg, whole, r');
    const row = page.getByRole('row', { name: /^Egg, whole, raw/ });
    await row.waitFor();
    await expectTexts(row.getByRole('cell')).toEqual(['143', '12.6', '8.7', '0.7', '']);
    await expectText(summary(page)).toMatch(/^(\d+ foods?|First 100) · per 100 g$/);
    const heads = page.locator('.foods').getByRole('columnheader');
    await expectTexts(heads).toEqual(['Food', 'Energy kcal', 'Protein g', 'Fat g', 'Carbs g', 'Favourite']);
  });

  test('makes one request for the first key, and one for all that quickly follow', async ({ pages }) => {
    const page = await pages.blank();
    await page.goto(pages.service.url);
    const asked = searchesOf(page);
    await stopClock(page);
    await box(page).pressSequentially('banana');
    await page.clock.resume();
    await foods(page).first().waitFor();
    // The first key starts a search at once, which the next one cancels.
    await expect.poll(() => asked).toEqual(['?q=b&match=words&lang=en', '?q=banana&match=words&lang=en']);
  });

  test('never replaces an answer by an older one, whatever the order of arrival', async ({ page }) => {
    const held: (() => void)[] = [];
    await page.route('**/api/food?*', async (route) => {
      if (textOf(route.request()).startsWith('mil')) await new Promise<void>((resolve) => held.push(resolve));
      // Fails for a request that the page has aborted.
      await route.continue().catch(() => {});
    });
    for (const text of ['milk', 'mil', 'milks']) {
      const asked = page.waitForRequest((request) => isSearch(request) && textOf(request) === text);
      await box(page).fill(text);
      await asked;
    }
    const shown = await allNames(page, 'banana');
    expect(shown.length).toBeGreaterThan(0);
    for (const release of held.reverse()) release();
    await search(page, 'banan');
    expect(await allNames(page, 'banana')).toEqual(shown);
    expect(shown.every((name) => /banana/i.test(name))).toBe(true);
  });

  test('cancels the request for a text that is no longer typed', async ({ page }) => {
    await page.route(/q=milk&/, () => {});
    const cancelled = page.waitForEvent('requestfailed', { predicate: isSearch });
    const asked = page.waitForRequest((request) => isSearch(request) && textOf(request) === 'milk');
    await box(page).fill('milk');
    await asked;
    await search(page, 'banana');
    expect((await cancelled).failure()?.errorText).toBe('net::ERR_ABORTED');
  });

  test('requests texts as typed, whatever their characters', async ({ page }) => {
    for (const text of ['50% & "more" + #1?', 'crème brûlée', '日本 🍎', 'a=b&q=c', '\\ %41 %zz']) {
      const asked = page.waitForRequest((request) => isSearch(request) && textOf(request) === text);
      await search(page, text);
      await asked;
    }
  });

  test('shows descriptions as text, and unknown figures as dashes', async ({ page }) => {
    const description = '<b>50% & "more"</b>';
    const unknown = { carbohydrate_g: null, protein_g: 0, fat_g: '0.00', kcal: null, description };
    await page.route('**/api/food?*', (route) => route.fulfill({ json: [unknown, unknown] }));
    await search(page, '50%');
    await expect.poll(() => names(page)).toEqual([description, description]);
    const cells = foods(page).first().getByRole('cell');
    await expectTexts(cells).toEqual(['–not known', '0.0', '0.0', '–not known', '']);
  });

  test.for([
    ['hemp milk', /^\d+ foods, none with all words: the first lacks hemp · per 100 g$/, /^Milk/],
    ['coca cola', /^\d+ foods, none with all words: the first lacks coca · per 100 g$/, /^Cola$/],
    [
      'hemp chedder cheese',
      /^\d+ foods for “hemp cheddar cheese”, none with all words: the first lacks hemp · per 100 g$/,
      /^Cheddar/,
    ],
    ['half an avocado', /^\d+ foods for “avocado”$/, /^Avocado, raw/],
    ['corn bread', /^\d+ foods for “cornbread” · per 100 g$/, /^Cornbread/],
    ['green onion', /^\d+ foods · per 100 g$/, /^Green onion/],
  ] as const)(
    'says of %j what was searched for, and which words the first food lacks',
    async ([text, line, first], { page, pages }) => {
      const inOrder = await namesFrom(pages.service.url, text === 'half an avocado' ? 'avocado' : text);
      await search(page, text);
      await expectText(summary(page)).toMatch(line);
      await everyFood(page);
      const shown = page.locator('.foods .description');
      const namesShown = () => shown.evaluateAll((all) => all.map((each) => each.firstChild?.textContent));
      await expect.poll(namesShown).toEqual(inOrder);
      expect(inOrder[0]).toMatch(first);
    },
  );

  test('corrects a misspelt text, and searches for the text itself on request', async ({ page }) => {
    await search(page, 'brocoli');
    const line = /^\d+ foods? for “broccoli” · per 100 gsearch “brocoli”$/;
    await expectText(page.locator('.line')).toMatch(line);
    for (const name of await names(page)) expect(name).toMatch(/broccoli/i);
    await page.getByRole('button', { name: 'search “brocoli”' }).click();
    await page.getByRole('heading', { name: 'No matches for “brocoli”' }).waitFor();
    await search(page, 'brocolis');
    await summary(page).filter({ hasText: 'for “broccoli”' }).waitFor();
  });

  test.for(['reduce', 'no-preference'] as const)(
    'respects the wish for motion: %s',
    async (wish, { page }) => {
      await page.emulateMedia({ reducedMotion: wish });
      await page.route('**/api/food?*', () => {});
      await box(page).fill('egg');
      await page.locator('.results.late[aria-busy="true"]').waitFor();
      const endless = () =>
        page.evaluate(() => {
          const all = document.getAnimations();
          return all.filter((each) => each.effect?.getTiming().iterations === Infinity).length;
        });
      await expect.poll(endless).toBe(wish === 'reduce' ? 0 : 1);
    },
  );

  test('draws the foods below the screen once no key is pressed, a blank neither', async ({ pages }) => {
    const page = await pages.blank();
    await page.goto(pages.service.url);
    await stopClock(page);
    await box(page).fill('a');
    await found(page);
    const seen = await foods(page).count();
    expect(seen).toBeLessThan(30);
    for (let keys = 0; keys < 5; keys++) {
      await page.clock.runFor(160);
      await box(page).press('Space');
    }
    expect(await foods(page).count()).toBe(seen);
    await page.clock.resume();
    await expectCount(foods(page)).toBe(100);
  });

  test('treats blanks around a text as if they were not there', async ({ page }) => {
    const shown = await allNames(page, 'Eggs');
    expect(shown.length).toBeGreaterThan(0);
    for (const text of ['Eggs ', ' Eggs', 'Eggs  ']) {
      await box(page).fill('');
      expect(await allNames(page, text), JSON.stringify(text)).toEqual(shown);
    }
  });

  test('searches for the text in the address, as a bookmark and after a reload', async ({ page }) => {
    // Right after the last key.
    await box(page).pressSequentially('olive & oil');
    await page.reload();
    await expectValue(box(page)).toBe('olive & oil');
    await page.waitForURL((url) => url.searchParams.get('q') === 'olive & oil');
    const bookmark = page.url();
    await page.goto('about:blank');
    await page.goto(bookmark);
    await expectValue(box(page)).toBe('olive & oil');
  });
});
