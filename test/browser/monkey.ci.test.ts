/** Random input must neither cause errors on the console, nor lose a plate, nor show a wrong total. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openCatalog } from '#service';
import { expectCount, test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { foods, portions } from '../support/page-parts.ts';
import { put, search } from '../support/page-states.ts';
import { type Random, seeded } from '../support/random.ts';
import { describeWithChromium } from '../support/requirements.ts';

/** Half of them keep every food on the plate, the others may remove them, too. MONKEY_STEPS=10000 takes more of them. */
const STEPS = Number(process.env.MONKEY_STEPS ?? 300);
/** Another one takes other steps. */
const SEED = Number(process.env.MONKEY_SEED ?? 20_261_122);

const LETTERS = [...'aeiourstlnmgk,eggmilkbread 0123456789%&"\'<>\\/.-+#*(_)?=;:'];
const TEXTS = ['milk', 'egg', 'cheese, ', 'brocoli'];
const KEYS = [
  ...['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Enter', 'Escape', 'Backspace', 'Delete', 'Tab'],
  ...['Shift+Tab', 'Home', 'End', 'Space', 'PageDown', 'Control+A'],
];

/** Disables printing, links, other languages and, until `window.mayRemove` is set, the buttons that remove foods. */
function stayHere(): void {
  window.print = () => {};
  document.addEventListener(
    'change',
    (event) => {
      if (event.target instanceof Element && event.target.matches('.footer *'))
        event.stopImmediatePropagation();
    },
    true,
  );
  document.addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof Element)) return;
      if (event.target.closest('a') !== null) event.preventDefault();
      const button = event.target.closest('button');
      // A click on the row of a food on the plate takes it off.
      const isMark = event.target.closest('.on-plate') !== null && !button?.matches('.favourite');
      const isRemoval = button?.matches('.remove *, .notice .quiet-button, .tool:last-child') || isMark;
      if (isRemoval && !('mayRemove' in window)) event.stopImmediatePropagation();
    },
    true,
  );
}

interface Stored {
  readonly food: Readonly<Record<'kcal' | 'protein' | 'fat' | 'carbohydrate', string | null>>;
  readonly count: string | null;
  readonly unit: { readonly grams: string };
}

/** The plate that the browser keeps, and the exact figures that the page shows of it. */
const plateIn = (page: Page) =>
  page.evaluate(() => {
    const kept = (name: string): unknown => JSON.parse(localStorage.getItem(`food-lookup.${name}`) ?? 'null');
    const exact = (place: Element) =>
      Number(place.getAttribute('title')?.replace(/,| .*/g, '') || Number.NaN);
    const all = (places: string, within: ParentNode = document) => [...within.querySelectorAll(places)];
    return {
      stored: (kept('plate') ?? []) as Stored[],
      makes: Number(kept('makes') ?? 1),
      rows: all('.portions tbody tr').map((row) => all('.figure', row).map(exact)),
      totals: all('.total-energy, .macros [title]').map((total) => ({
        sum: exact(total),
        shown: total.querySelector('strong')?.textContent ?? '',
      })),
    };
  });

const storedIn = async (page: Page) => (await plateIn(page)).stored.length;

/** Foods that are kept but not shown, and figures that differ from what was added up here. */
async function faultsIn(page: Page): Promise<readonly string[]> {
  const { stored, makes, rows, totals } = await plateIn(page);
  // A count of six digits is a third within a millionth of it.
  const isSame = (a = 0, b = 0) => Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b)) + 1e-9;
  const figures = stored.map(({ food, count, unit }) =>
    [food.kcal, food.protein, food.fat, food.carbohydrate].map((figure) =>
      figure === null || count === null
        ? Number.NaN
        : (Number(figure) * Number(count) * Number(unit.grams)) / 100,
    ),
  );
  const faults = figures.flatMap((wanted, i) =>
    wanted.every((figure, k) => Object.is(figure, rows[i]?.[k]) || isSame(figure, rows[i]?.[k]))
      ? []
      : [`${JSON.stringify(stored[i])} is shown as ${rows[i]}`],
  );
  if (rows.length !== stored.length) faults.push(`${stored.length} foods, ${rows.length} shown`);
  for (const [k, { sum, shown }] of totals.entries()) {
    const column = figures.map((row) => row[k] ?? Number.NaN);
    const known = column.filter((figure) => !Number.isNaN(figure));
    const wanted = known.reduce((all, figure) => all + figure, 0) / makes;
    const rounded = Number(shown.replace(/[,*]/g, ''));
    const isMarked = shown.endsWith('*');
    if (!isSame(sum, wanted) || Math.abs(rounded - sum) > 0.5 || isMarked !== known.length < column.length)
      faults.push(`total ${k}: ${shown}, ${sum} instead of ${wanted}`);
  }
  return faults;
}

type Action = (page: Page, random: Random) => Promise<unknown>;
const press = async (page: Page, key = 'Tab') => page.keyboard.press(key);
const reload = async (page: Page) => {
  await page.context().setOffline(false);
  await page.reload();
};

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
  [2, (page, random) => page.context().setOffline(random(2) === 0)],
  // Another amount of a food, or another number of portions.
  [
    3,
    async (page, random) => {
      const fields = await page.locator('.amount-input, .makes input').all();
      const filled = fields[random(fields.length)]?.fill(`${random(7)}`, { force: true, timeout: 100 });
      await filled?.catch(() => {});
    },
  ],
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
    await pause(ms);
    await route.continue().catch(() => {});
  });
}

describeWithChromium('the page', () => {
  test(`loses no plate and shows no wrong total over ${STEPS.toLocaleString('en')} steps in two tabs, by mouse, touch and keys, online and offline`, {
    timeout: 3_600_000,
  }, async ({ pages }) => {
    pages.expectFaults();
    const first = await pages.blank({ viewport: { width: 375, height: 700 }, hasTouch: true });
    await first.context().addInitScript(stayHere);
    const second = await first.context().newPage();
    const faults: string[] = [];
    second.on('pageerror', (error) => faults.push(String(error)));
    const tabs = [first, second];
    const settings = { nodeEnv: 'production', offline: true };
    const { url } = await startForTest(await openCatalog(undefined), settings);
    for (const each of tabs) await each.goto(url);
    const random = seeded(SEED);
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
      await expect.poll(() => faultsIn(tab), { message: `after ${step} steps` }).toEqual([]);
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
