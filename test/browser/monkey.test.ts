/** Random input must neither cause errors on the console nor lose a plate. */
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { clientPages } from '../support/client-page.ts';
import { box, foods, put, search } from '../support/page-states.ts';
import { seeded } from '../support/random.ts';
import { describeWithChromium } from '../support/requirements.ts';

/** All take three minutes. */
const [KEYSTROKES, STEPS] = process.env.FOOD_LOOKUP_TESTS === 'all' ? [10_000, 5_000] : [800, 400];

const LETTERS = [...'aeiourstlnmgk,eggmilkbread 0123456789%&"\'<>\\/.-+#*(_)?=;:'];
const TEXTS = ['milk', 'egg', 'cheese, ', 'brocoli'];
const KEYS = [
  ...['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape', 'Backspace', 'Delete', 'Tab'],
  ...['Shift+Tab', 'Home', 'End', 'Space', 'PageDown', 'Control+A'],
];

/** Disables printing and links and, if the plate must be kept, the buttons that remove foods. */
function stayHere(isPlateKept: boolean): void {
  window.print = () => {};
  document.addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof Element)) return;
      if (event.target.closest('a') !== null) event.preventDefault();
      const button = event.target.closest('button');
      const name = button?.getAttribute('aria-label') ?? button?.textContent ?? '';
      // A click on the row of a food on the plate takes it off.
      const isMark = event.target.closest('.on-plate') !== null && !button?.matches('.favourite');
      const isRemoval = /^(Remove |Clear$|Undo$)/.test(name) || isMark;
      if (isPlateKept && isRemoval) event.stopImmediatePropagation();
    },
    true,
  );
}

const portionsOf = (page: Page) =>
  page.evaluate(() => {
    const stored: unknown = JSON.parse(localStorage.getItem('food-lookup.plate') ?? '[]');
    return Array.isArray(stored) ? stored.length : 0;
  });

type Action = (page: Page, random: (below: number) => number) => Promise<unknown>;
const press = async (page: Page, key = 'Tab') => page.keyboard.press(key);

/** What users do, with relative frequencies. */
const ACTIONS: readonly (readonly [number, Action])[] = [
  [40, (page, random) => press(page, LETTERS[random(LETTERS.length)])],
  [15, (page, random) => press(page, KEYS[random(KEYS.length)])],
  [3, (page) => press(page, 'Control+Enter')],
  [15, (page, random) => page.mouse.click(...somewhere(page, random))],
  [15, (page, random) => page.touchscreen.tap(...somewhere(page, random))],
  [4, (page, random) => page.mouse.wheel(0, random(2000) - 1000)],
  [3, (page, random) => page.locator('#box').fill(TEXTS[random(TEXTS.length)] ?? '', { force: true })],
  [1, (page, random) => page.setViewportSize({ width: [320, 768, 1280][random(3)] ?? 375, height: 700 })],
  [1, (page, random) => page.context().setOffline(random(2) === 0)],
  [1, (page, random) => slowDown(page.context(), random(3) * 300)],
  [
    1,
    (page) =>
      page
        .context()
        .setOffline(false)
        .then(() => page.reload()),
  ],
];

function somewhere(page: Page, random: (below: number) => number): [number, number] {
  const { width, height } = page.viewportSize() ?? { width: 320, height: 700 };
  return [random(width), random(height)];
}

async function slowDown(context: BrowserContext, ms: number): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.route('**/api/food?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => {});
  });
}

describeWithChromium('the page', () => {
  const pages = clientPages();

  test(`loses no plate over ${STEPS.toLocaleString('en')} steps in two tabs, by mouse, touch and keys, online and offline`, {
    timeout: 900_000,
  }, async () => {
    pages.expectFaults();
    const first = await pages.blank({ viewport: { width: 375, height: 700 }, hasTouch: true });
    await first.context().addInitScript(stayHere, true);
    const second = await first.context().newPage();
    const faults: string[] = [];
    second.on('pageerror', (error) => faults.push(String(error)));
    for (const tab of [first, second]) await tab.goto(pages.service.url);
    const random = seeded(20_261_122);
    const wheel = ACTIONS.flatMap(([share, act]) => Array<Action>(share).fill(act));
    let tab = first;
    let portions = 1;
    await put(first, 'egg');
    await expect.poll(() => portionsOf(first)).toBe(portions);
    for (let step = 0; step < STEPS; step++) {
      if (random(50) === 0) {
        tab = tab === first ? second : first;
        await tab.bringToFront();
      }
      await wheel[random(wheel.length)]?.(tab, random);
      if (step % 100 !== 0) continue;
      const now = await portionsOf(tab);
      expect(now, `portions after ${step} steps`).toBeGreaterThanOrEqual(portions);
      portions = now;
    }
    await first.context().setOffline(false);
    for (const each of [first, second]) {
      await each.setViewportSize({ width: 1280, height: 700 });
      await each.reload();
    }
    // Neither adds any more what it was still searching for.
    for (const each of [first, second]) {
      await expect.poll(() => each.locator('.portions tbody tr').count()).toBe(await portionsOf(first));
      expect(await each.locator('body').textContent()).not.toMatch(/NaN|undefined|\[object/);
    }
    expect(faults).toEqual([]);
  });

  test(`survives ${KEYSTROKES.toLocaleString('en')} random keystrokes`, { timeout: 900_000 }, async () => {
    const page = await pages.blank({ viewport: { width: 1280, height: 800 } });
    await page.addInitScript(stayHere, false);
    await page.goto(pages.service.url);
    await box(page).focus();
    const random = seeded(20_261_121);
    for (let pressed = 0; pressed < KEYSTROKES; pressed++) {
      const keys = random(10) < 7 ? LETTERS : KEYS;
      await press(page, keys[random(keys.length)]);
      // A search now and then, so that keys also reach foods.
      if (pressed % 250 === 0) await box(page).fill('mil');
    }
    await search(page, 'banana');
    await expect.poll(() => foods(page).count()).toBeGreaterThan(0);
    expect(await page.locator('body').textContent()).not.toMatch(/NaN|undefined|\[object/);
  });
});
