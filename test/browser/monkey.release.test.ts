/** Random input must neither cause errors on the console nor lose a plate. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { expectCount, test } from '../support/client-page.ts';
import { foods, portions, put, search } from '../support/page-states.ts';
import { type Random, seeded } from '../support/random.ts';
import { describeWithChromium } from '../support/requirements.ts';

/** Half of them keep every food on the plate, the others may remove them, too. */
const STEPS = process.env.FOOD_LOOKUP_TESTS === 'all' ? 5000 : 600;

const LETTERS = [...'aeiourstlnmgk,eggmilkbread 0123456789%&"\'<>\\/.-+#*(_)?=;:'];
const TEXTS = ['milk', 'egg', 'cheese, ', 'brocoli'];
const KEYS = [
  ...['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape', 'Backspace', 'Delete', 'Tab'],
  ...['Shift+Tab', 'Home', 'End', 'Space', 'PageDown', 'Control+A'],
];

/** Disables printing and links and, until `window.mayRemove` is set, the buttons that remove foods. */
function stayHere(): void {
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
      if (isRemoval && !('mayRemove' in window)) event.stopImmediatePropagation();
    },
    true,
  );
}

const storedIn = (page: Page) =>
  page.evaluate(() => {
    const stored: unknown = JSON.parse(localStorage.getItem('food-lookup.plate') ?? '[]');
    return Array.isArray(stored) ? stored.length : 0;
  });

type Action = (page: Page, random: Random) => Promise<unknown>;
const press = async (page: Page, key = 'Tab') => page.keyboard.press(key);
const reload = (page: Page) =>
  page
    .context()
    .setOffline(false)
    .then(() => page.reload());

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
  [1, (page, random) => slowDown(page, random(3) * 300)],
  [1, reload],
];

function somewhere(page: Page, random: Random): [number, number] {
  const { width, height } = page.viewportSize() ?? { width: 320, height: 700 };
  return [random(width), random(height)];
}

async function slowDown(page: Page, ms: number): Promise<void> {
  const context = page.context();
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.route('**/api/food?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await route.continue().catch(() => {});
  });
}

describeWithChromium('the page', () => {
  test(`loses no plate over ${STEPS.toLocaleString('en')} steps in two tabs, by mouse, touch and keys, online and offline`, {
    timeout: 900_000,
  }, async ({ pages }) => {
    pages.expectFaults();
    const first = await pages.blank({ viewport: { width: 375, height: 700 }, hasTouch: true });
    await first.context().addInitScript(stayHere);
    const second = await first.context().newPage();
    const faults: string[] = [];
    second.on('pageerror', (error) => faults.push(String(error)));
    const tabs = [first, second];
    for (const each of tabs) await each.goto(pages.service.url);
    const random = seeded(20_261_122);
    const wheel = ACTIONS.flatMap(([share, act]) => Array<Action>(share).fill(act));
    let tab = first;
    let kept = 1;
    await put(first, 'egg');
    await expect.poll(() => storedIn(first)).toBe(kept);
    for (let step = 0; step < STEPS; step++) {
      if (step === STEPS / 2) {
        await first.context().addInitScript('window.mayRemove = true');
        for (const each of tabs) await reload(each);
      }
      if (random(50) === 0) {
        tab = tab === first ? second : first;
        await tab.bringToFront();
      }
      await wheel[random(wheel.length)]?.(tab, random);
      if (step >= STEPS / 2) continue;
      const now = await storedIn(tab);
      expect(now, `foods after ${step} steps`).toBeGreaterThanOrEqual(kept);
      kept = now;
    }
    await slowDown(first, 0);
    for (const each of tabs) {
      await each.setViewportSize({ width: 1280, height: 700 });
      await reload(each);
      await search(each, 'banana');
      await expectCount(foods(each)).toBeGreaterThan(0);
    }
    // Neither adds any more what it was still searching for.
    for (const each of tabs) {
      await expectCount(portions(each)).toBe(await storedIn(first));
      expect(await each.locator('body').innerText()).not.toMatch(/NaN|undefined|\[object/);
    }
    expect(faults).toEqual([]);
  });
});
