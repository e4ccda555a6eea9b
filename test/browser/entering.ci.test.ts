/** What people ate, typed as they say it: amounts, lists, fast keyboards, and undo. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { startSite } from '../support/browser.ts';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { box, EGG, foods, PHONE, plated, portions } from '../support/page-parts.ts';
import { put, search, showPlate } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { ask } from '../support/service.ts';

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await box(page).press('Control+V');
}

const notice = (page: Page) => page.locator('.notice span:visible');
/** What is understood of the lines "2 eggs" and "a slice of bread". */
const [EGGS, SLICE] = ['2 eggs · 2 large · 100 g', 'a slice of bread · 1 slice · 29 g'];

describeWithChromium('a list', () => {
  test('pasted as lines become rows that say what was understood', async ({ page }) => {
    await paste(page, '2 eggs\n\n- zzzz\r\na slice of bread');
    await page.getByText('No matches for “zzzz” ·').waitFor();
    await expectTexts(page.locator('.understood')).toEqual([EGGS, SLICE]);
    await expectText(foods(page).nth(1)).toBe('No matches for “zzzz”');
    await expect.poll(() => page.getByRole('button', { name: 'Add 2' }).isDisabled()).toBe(true);
    // Arrows get past it.
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await expectText(page.locator(':focus .understood')).toContain('a slice of bread');
    await box(page).press('Enter');
    await notice(page).filter({ hasText: '“2 eggs …” was not added. No matches for “zzzz”.' }).waitFor();
  });

  test('names every line without a food, even on a phone', async ({ pages }) => {
    const page = await pages.open(PHONE);
    await box(page).fill('2 eggs\nzzzz yyyy xxxx\nxxxx yyyy zzzz\nyyyy xxxx zzzz');
    const line = page.locator('.summary').filter({ hasText: 'yyyy xxxx zzzz' });
    await expect.poll(() => line.evaluate((all) => all.scrollWidth - all.clientWidth)).toBe(0);
  });
});

describeWithChromium('a list in the box', () => {
  test.for([375, 1280])('grows up to a third of the window, at a width of %i', async (width, { pages }) => {
    const page = await pages.open({ viewport: { width, height: 700 } });
    const size = () => box(page).evaluate((field: HTMLElement) => [field.offsetHeight, field.scrollTop]);
    const [one = 0] = await size();
    const top = async () => (await box(page).boundingBox())?.y;
    const before = await top();
    await paste(page, '2 eggs\na slice of bread\nbutter');
    await expect.poll(size).toEqual([one + 2 * 28, 0]);
    // Its first line stays beside its icon.
    expect(await top()).toBe(before);
    const understood = page.locator('.understood');
    await expectTexts(understood).toEqual([EGGS, SLICE, 'butter · There is no amount.']);
    // A line is changed where it stands.
    await page.keyboard.type(', 5 g');
    await expectText(understood.last()).toBe('butter, 5 g · 5 g');
    await page.keyboard.press('Control+A');
    await paste(page, Array.from({ length: 40 }, (_, i) => `${i + 1} eggs`).join('\n'));
    // It begins with its first line.
    await expect.poll(size).toEqual([231, 0]);
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('1 banana');
    await expectValue(box(page)).toMatch(/40 eggs\n1 banana$/);
    await expectCount(portions(page)).toBe(0);
  });

  test.for(['\n', ', '])('scrolls away on a phone, its lines separated by %j', async (mark, { pages }) => {
    const page = await pages.open(PHONE);
    await search(page, Array.from({ length: 12 }, (_, i) => `${i + 1} eggs`).join(mark));
    await foods(page).nth(11).scrollIntoViewIfNeeded();
    const bottom = () => box(page).evaluate((field) => field.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBeLessThan(0);
  });
});

describeWithChromium('foods entered one after another', () => {
  test.for([
    [0, 0],
    [0, 800],
    [80, 200],
    [200, 800],
  ] as const)('a key each %i ms, answers after %i ms: in their order', async ([delay, wait], { page }) => {
    let answers = 0;
    await page.route(/\/(api\/food|portions)\?/, async (route) => {
      // The first answers are the slowest.
      await pause(answers++ < 3 ? wait * 1.5 : wait);
      await route.continue().catch(() => {});
    });
    await page.keyboard.type('2 eggs\n100 g milk\noats\n', { delay });
    const expected = [`2 large ${EGG}`, '100 g Milk, whole, 3.25% fat', expect.stringMatching(/^100 g Oats/)];
    await expect.poll(() => plated(page)).toEqual(expected);
    await expectValue(box(page)).toBe('');
  });

  test('are given back if nothing is found, or the service does not answer', async ({ page, pages }) => {
    pages.expectFaults();
    await box(page).fill('zzzz');
    await page.keyboard.press('Enter');
    await notice(page).filter({ hasText: '“zzzz” was not added. No matches for “zzzz”.' }).waitFor();
    await expectValue(box(page)).toBe('zzzz');
    await page.route('**/api/food?*', (route) => route.abort());
    await box(page).fill('banana');
    await page.keyboard.press('Enter');
    await notice(page).filter({ hasText: '“banana” was not added.' }).waitFor();
    await expectValue(box(page)).toBe('banana');
  });
});

describeWithChromium('each change', () => {
  test('can be undone, the last one first, by button and by Ctrl+Z', async ({ page }) => {
    await put(page, EGG);
    await put(page, 'banana, raw');
    await page.getByRole('button', { name: `Remove ${EGG}` }).click();
    await put(page, 'oats');
    await expectCount(portions(page)).toBe(2);
    // A later addition does not take the removal's Undo away.
    await page.getByRole('button', { name: 'Undo' }).click();
    const removed = notice(page).filter({ hasText: `${EGG}: removed` });
    await removed.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => plated(page)).toEqual([`100 g ${EGG}`, '100 g Banana, raw']);
    await box(page).focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => plated(page)).toEqual([`100 g ${EGG}`]);
  });

  test('by a double click is one, and the mark of a food switches', async ({ page }) => {
    await search(page, EGG);
    const row = page.getByRole('button', { name: EGG, exact: true });
    await row.dblclick();
    await expect.poll(() => plated(page)).toEqual([`100 g ${EGG}`]);
    await expect.poll(() => row.getAttribute('aria-pressed')).toBe('true');
    await row.click();
    await expectCount(portions(page)).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  });
});

describeWithChromium('the page', () => {
  test('is painted before its script arrives, keeps what was typed, and has the focus', async ({ pages }) => {
    const page = await pages.blank();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const site = await startSite(async ({ url = '' }, response) => {
      const { status, headers, bytes } = await ask(pages.service, url);
      response.writeHead(status, headers);
      if (url === '/') {
        response.write(bytes.subarray(0, bytes.indexOf('<script')));
        await released;
      }
      response.end(url === '/' ? bytes.subarray(bytes.indexOf('<script')) : bytes);
    });
    onTestFinished(() => site.close());
    const loaded = page.goto(site.origin);
    await page.locator('#box').fill('banana');
    // A function to wait for would be evaluated as a string, which the page forbids.
    const paints = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length);
    await expect.poll(paints).toBe(1);
    release();
    await loaded;
    await foods(page).first().waitFor();
    await expectValue(box(page)).toBe('banana');
    await expectCount(page.locator('#box:focus')).toBe(1);
  });

  test('goes back to the text before, and has it in its title', async ({ page }) => {
    await search(page, 'banana');
    await page.waitForURL(/q=banana/);
    await expect.poll(() => page.title()).toBe('banana – Food lookup');
    const session = await page.context().newCDPSession(page);
    const { entries } = await session.send('Page.getNavigationHistory');
    expect(entries.slice(-2).map(({ title }) => title)).toEqual(['Food lookup', 'banana – Food lookup']);
    await session.detach();
    await page.goBack();
    await expectValue(box(page)).toBe('');
    await expect.poll(() => page.title()).toBe('Food lookup');
  });

  test('prints no highlight of the food added last', async ({ page }) => {
    await page.evaluate(() => {
      const { animate } = Element.prototype;
      let lit = 0;
      Element.prototype.animate = function (...given) {
        Object.assign(window, { lit: ++lit });
        return animate.apply(this, given);
      };
    });
    await put(page, EGG);
    await page.waitForFunction('window.lit > 0');
    const lit = await page.evaluate('lit');
    await page.emulateMedia({ media: 'print' });
    // Paper is narrower than the window.
    await page.setViewportSize({ width: 794, height: 1123 });
    // A page that draws the plate anew for printing does so within two frames.
    await page.evaluate(async () => {
      for (const _ of 'ab') await new Promise((drawn) => requestAnimationFrame(drawn));
    });
    expect(await page.evaluate('lit')).toBe(lit);
  });

  test.for([
    [375, 700],
    [740, 360],
    [320, 256],
  ] as const)('keeps its icons in the box, at %i x %i', async ([width, height], { pages }) => {
    const page = await pages.open({ viewport: { width, height } });
    await put(page, EGG);
    await search(page, 'milk');
    const icons = page.locator('.search-form > :is(.icon, .clear-box)');
    const outside = await icons.evaluateAll((all) => {
      const field = document.querySelector('#box')?.getBoundingClientRect() ?? new DOMRect();
      return all.filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < field.left || right > field.right || top < field.top - 1 || bottom > field.bottom + 1;
      }).length;
    });
    expect(await icons.count()).toBe(2);
    expect(outside).toBe(0);
  });

  test('on a phone, the first food begins above 130 px, and amounts have 16 px', async ({ pages }) => {
    const page = await pages.open(PHONE);
    await search(page, 'milk');
    await expect.poll(async () => (await foods(page).first().boundingBox())?.y).toBeLessThanOrEqual(130);
    await put(page, 'milk');
    await showPlate(page);
    const field = portions(page).getByRole('textbox');
    await expect.poll(() => field.evaluate((input) => getComputedStyle(input).fontSize)).toBe('16px');
  });

  test('leaves nothing inert while it waits, but adds no food of an earlier text', async ({ page }) => {
    await search(page, 'milk');
    await page.route(/q=milkx/, () => {});
    await box(page).fill('milkx');
    await page.locator('.results[aria-busy="true"]').waitFor();
    expect(await page.locator('[inert]').count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    await expectCount(page.locator('#box:focus')).toBe(1);
    // They can be seen, but not added.
    await foods(page).first().getByRole('button').first().click();
    await expectCount(portions(page)).toBe(0);
  });
});
