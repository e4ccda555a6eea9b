/** The plate: its amounts and totals, and how it is stored, shared and printed. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { plateLink } from '../../client/plate/plate-link.ts';
import { pairsOf } from '../support/cases.ts';
import { expectCount, expectText, expectTexts, expectValue, test } from '../support/client-page.ts';
import { box, copyOf, EGG, energy, grams, PHONE, portions, totals } from '../support/page-parts.ts';
import { inGrams, MEAL, manyFoods, plateOf, put, search, UNKNOWN_PLATE } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

const plateTable = (page: Page) => page.getByRole('table', { name: /^Foods on the plate/ });

/** The figures in a row of the plate: kcal, protein, fat, carbohydrate. */
async function figures(page: Page, row: RegExp): Promise<string[]> {
  const cells = plateTable(page).getByRole('row', { name: row }).locator('.figure');
  await cells.first().waitFor();
  return cells.allTextContents();
}

/** That of the bar or that of the panel. */
const notStored = (page: Page) =>
  page.locator('.notice:visible', { hasText: 'This browser cannot store the plate.' });

/** Keeps animations from ending, however long it takes until they are counted. */
const holdAnimations = (page: Page) =>
  page.evaluate(() => {
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...given) {
      const animation = animate.apply(this, given);
      animation.pause();
      return animation;
    };
  });

describeWithChromium('the plate', () => {
  test('gets foods by click and by Enter: 100 g, and 100 g more each time', async ({ page }) => {
    await holdAnimations(page);
    await search(page, EGG);
    await page.getByRole('button', { name: EGG, exact: true }).click();
    await expectValue(grams(page, EGG)).toBe('100 g');
    // The first food is highlighted like the next ones.
    const added = portions(page).first();
    await expect.poll(() => added.evaluate((row) => row.getAnimations().length)).toBe(1);
    await expect.poll(() => figures(page, /^Egg, whole, raw/)).toEqual(['143', '12.6', '8.7', '0.7']);
    await put(page, EGG);
    await expectValue(grams(page, EGG)).toBe('200 g');
  });

  test('follows every change of the grams, even fractions; an empty field is not zero', async ({ page }) => {
    await plateOf(page, { [EGG]: '33.3' });
    await expect.poll(() => figures(page, /^Egg/)).toEqual(['48', '4.2', '2.9', '0.2']);
    await grams(page, EGG).press('ArrowUp');
    await expectValue(grams(page, EGG)).toBe('34.3 g');
    await grams(page, EGG).fill('');
    await expect.poll(() => figures(page, /^Egg/)).toEqual(Array(4).fill('–not known'));
    const excluded = 'Energy without 1 of 1 food; Protein without 1 of 1 food; ';
    await page.getByText(`The totals exclude unknown figures: ${excluded}`).waitFor();
    await grams(page, EGG).fill('0');
    await expect.poll(() => figures(page, /^Egg/)).toEqual(['0', '0.0', '0.0', '0.0']);
  });

  test('shows an unknown figure as a dash, and says what the total excludes', async ({ pages }) => {
    // A link opens the sheet of a phone, too.
    const page = await pages.open(PHONE, plateLink(UNKNOWN_PLATE, pages.service.url));
    await page.getByRole('dialog', { name: 'Plate' }).waitFor();
    await expect.poll(() => figures(page, /^Soup/)).toEqual(['–not known', '–not known', '3.6', '19.5']);
    await expect.poll(() => totals(page)).toEqual(['202*', '10.0*', '6.4', '53.7']);
    await expectText(page.locator('.note')).toBe(
      '* The totals exclude unknown figures: Energy without 1 of 2 foods; Protein without 1 of 2 foods.',
    );
    expect(await page.locator('main').textContent()).not.toContain('NaN');
  });

  test('shows the sources of its energy, alcohol included, and the share of each food', async ({ pages }) => {
    const food = { description: 'A', kcal: '75', protein: '10', fat: '5', carbohydrate: '10' };
    const wine = { description: 'Wine, red', kcal: '85', protein: '0.07', fat: '0.00', carbohydrate: '2.61' };
    const tea = { description: 'Tea', kcal: '0.1', protein: '0', fat: '0.00', carbohydrate: '0' };
    const plate = [food, wine, tea].map((each) => ({ food: each, ...inGrams('100') }));
    const page = await pages.open({}, plateLink(plate, pages.service.url));
    const macros = page.locator('.macros > div');
    // 40.28, 45 and 50.44 kcal, and 74.28 of alcohol.
    await expectTexts(macros).toEqual([
      'Protein10.1 g 19 % of kcal',
      'Fat5.0 g 22 % of kcal',
      'Carbohydrate12.6 g 24 % of kcal',
      'Other35 % of kcal',
    ]);
    await expectCount(page.locator('.ring circle:not(.track)')).toBe(4);
    for (const { description } of [food, tea])
      await page.getByRole('button', { name: `Remove ${description}` }).click();
    await expect.poll(async () => (await macros.allTextContents()).at(-1)).toBe('Other87 % of kcal');
    const vodka = { description: 'Vodka', kcal: '231', protein: '0', fat: '0.00', carbohydrate: '0' };
    await page.goto(plateLink([{ food: vodka, ...inGrams('40') }], pages.service.url));
    await grams(page, 'Vodka').waitFor();
    await expect.poll(async () => (await macros.allTextContents()).at(-1)).toBe('Other100 % of kcal');
  });

  test('keeps the foods of two tabs that are entered in the same instant', async ({ page, pages }) => {
    const tab = await page.context().newPage();
    await tab.goto(pages.service.url);
    const stored = () => page.evaluate(() => localStorage.getItem('food-lookup.plate'));
    const pairs = pairsOf('banana → butter | carrot → rice | apple → bread | milk → tofu');
    for (const [i, [one, other]] of pairs.entries()) {
      await Promise.all([search(page, one), search(tab, other)]);
      await Promise.all([box(page).press('Enter'), box(tab).press('Enter')]);
      for (const each of [page, tab]) await expectCount(portions(each)).toBe(2 * i + 2);
      expect(JSON.parse((await stored()) ?? '')).toHaveLength(2 * i + 2);
    }
  });

  test('is shared as a link, which can be undone in another browser', async ({ pages }) => {
    const page = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await plateOf(page, MEAL);
    const before = await totals(page);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('Link copied.').first().waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const reader = await pages.open();
    await put(reader, 'banana');
    await reader.goto(link);
    await reader.getByText('This plate came from a link.').first().waitFor();
    await expect.poll(() => totals(reader)).toEqual(before);
    await reader.waitForURL(({ hash }) => hash === '');
    await reader.getByRole('button', { name: 'Undo' }).click();
    await expectCount(portions(reader)).toBe(1);
    await reader.goto(`${pages.service.url}/#plate=broken`);
    await reader.getByText('The link contains no readable plate.').first().waitFor();
    await expectCount(portions(reader)).toBe(1);
  });

  test('divides its totals by the portions it makes: on screen, in link and table', async ({ page }) => {
    await plateOf(page, { [EGG]: '100' });
    const makes = page.getByRole('spinbutton', { name: /^Makes/ });
    await expectText(page.locator('.makes label')).toBe('Makes  portion');
    await makes.fill('4');
    await expectText(page.locator('.makes label')).toBe('Makes  portions');
    await expect.poll(() => totals(page)).toEqual(['36', '3.1', '2.2', '0.2']);
    await expectText(page.locator('.total-energy')).toBe('36 kcal per portion');
    // Nothing else is a number of portions.
    for (const text of ['0', '100', '-2', '1.5', '']) {
      await makes.fill(text);
      await expect.poll(() => energy(page)).toBe('35.75 kcal');
    }
    await makes.press('Tab');
    await expectValue(makes).toBe('4');
    const copied = await copyOf(page);
    expect(copied.slice(-2).map((row) => row.split('\t').slice(0, 3))).toEqual([
      ['Total', '', '143'],
      ['per portion (4)', '', '35.75'],
    ]);
    await page.getByRole('button', { name: 'Share' }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.evaluate(() => localStorage.clear());
    await page.goto(link);
    await expect.poll(() => energy(page)).toBe('35.75 kcal');
    await page.getByRole('button', { name: 'Clear' }).last().click();
    await plateOf(page, { [EGG]: '100' });
    await expect.poll(() => energy(page)).toBe('143 kcal');
  });

  test('makes as many portions as before when it is back, after a link too', async ({ page, pages }) => {
    const undo = () => page.getByRole('button', { name: 'Undo' }).click();
    await plateOf(page, { [EGG]: '100' });
    await page.getByRole('spinbutton', { name: /^Makes/ }).fill('4');
    await page.getByRole('button', { name: 'Clear' }).last().click();
    await undo();
    await expect.poll(() => energy(page)).toBe('35.75 kcal');
    for (const makes of [1, 6]) {
      const link = plateLink(UNKNOWN_PLATE, pages.service.url, makes);
      await page.evaluate((hash) => location.assign(hash), new URL(link).hash);
      await expectCount(portions(page)).toBe(2);
      await page.reload();
      await undo();
      await expect.poll(() => energy(page)).toBe('35.75 kcal');
    }
  });

  test.for([true, false])('is copied as a table of exact figures, https: %s', async (isSecure, { pages }) => {
    const page = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'], locale: 'sv-SE' });
    await page.evaluate((has) => {
      if (!has) Object.defineProperty(navigator.clipboard, 'writeText', { value: undefined });
    }, isSecure);
    await plateOf(page, { [EGG]: '133' });
    await page.getByRole('button', { name: 'Copy table' }).click();
    await page.getByText('Table copied.').first().waitFor();
    const copied = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read();
      const read = async (type: string) => (await item?.getType(type))?.text();
      return { text: await read('text/plain'), html: await read('text/html') };
    });
    // A cell each, with the decimal mark of the language.
    const row = [EGG, '133', '190,19', '16,7048', '11,571', '0,9576'];
    expect(copied.text?.split('\r\n')[1]?.split('\t').slice(0, 6)).toEqual(row);
    expect(copied.html).toContain(row.map((cell) => `<td>${cell}</td>`).join(''));
  });

  test.for([1, 40])('prints %i foods on one page, with title and date alone', async (count, { pages }) => {
    const nameOf = (index: number) => `Food number ${index}, whole, raw, with a name of usual length`;
    const plate = manyFoods(count, '100', nameOf);
    const page = await pages.open({}, plateLink(plate, pages.service.url));
    await plateTable(page).waitFor();
    await page.evaluate(() => {
      window.print = () => {
        window.dispatchEvent(new Event('beforeprint'));
        document.body.className = 'printed';
      };
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await page.locator('.printed').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const today = new Date().toLocaleDateString('en-GB', { dateStyle: 'long' });
    await expect.poll(() => page.getByText(today, { exact: true }).isVisible()).toBe(true);
    for (const name of ['food lookup', 'Plate'])
      await expect.poll(() => page.getByRole('heading', { name }).isVisible()).toBe(true);
    await expect.poll(() => box(page).isVisible()).toBe(false);
    await expect.poll(() => page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.locator('.makes label').isVisible()).toBe(false);
    const paper = await page.pdf({ format: 'A4' });
    expect(paper.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  });

  test('gets removed and cleared foods back with Undo', async ({ page }) => {
    await plateOf(page, MEAL);
    // Each has portions, which arrive later.
    for (const name of Object.keys(MEAL))
      await page.getByRole('combobox', { name: `Unit of ${name}` }).waitFor();
    const before = await plateTable(page).textContent();
    await page.getByRole('button', { name: 'Clear' }).last().click();
    await page.getByText('Nothing on it yet.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectText(plateTable(page)).toBe(before);
    await page.getByRole('button', { name: `Remove ${EGG}` }).click();
    await expectCount(portions(page)).toBe(2);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Plate');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectText(plateTable(page)).toBe(before);
  });

  test('recent and favourite foods are below the empty box, even after a reload', async ({ page, pages }) => {
    await plateOf(page, { 'Banana, raw': '100', [EGG]: '100' });
    await page.getByRole('button', { name: `Favourite: ${EGG}` }).click();
    await page.goto(pages.service.url);
    const recent = page.getByRole('table', { name: /^Recent/ });
    const favourites = page.getByRole('table', { name: /^Favourites/ });
    await expectTexts(favourites.locator('.description')).toEqual([EGG]);
    await expectCount(recent.getByRole('rowheader')).toBe(2);
    await favourites.getByRole('button', { name: EGG, exact: true }).click();
    await expectCount(grams(page, EGG)).toBe(0);
    await page.getByRole('button', { name: 'Forget recent foods' }).click();
    await page.getByRole('button', { name: `Favourite: ${EGG}` }).click();
    await page.getByRole('heading', { name: 'Know what is on your plate.' }).waitFor();
  });

  test('kept by release 1.0.0 opens unchanged', async ({ page }) => {
    const food = { description: EGG, kcal: '143', protein: '12.56', fat: '8.70', carbohydrate: '0.72' };
    const large = { portion: '1 large', grams: '50' };
    const plate = [
      { food, count: '1.5', unit: large },
      { food: { ...food, description: 'Soup', protein: null }, count: null, unit: inGrams('1').unit },
    ];
    const kept = {
      plate,
      changes: [{ text: 'Soup: 100 g added.', before: plate.slice(0, 1) }],
      recent: [food],
      favourites: [food],
      shortcut: false,
      choices: [{ food, count: '1.5', unit: large }],
    };
    await page.evaluate((values) => {
      for (const [name, value] of Object.entries(values))
        localStorage.setItem(`food-lookup.${name}`, JSON.stringify(value));
    }, kept);
    await page.reload();
    await expect.poll(() => energy(page)).toBe('107.25 kcal');
    await expectValue(grams(page, EGG)).toBe('1½ large');
    await expectValue(grams(page, 'Soup')).toBe('');
    const stored = () => page.evaluate(() => localStorage.getItem('food-lookup.plate'));
    expect(await stored()).toBe(JSON.stringify(plate));
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectCount(portions(page)).toBe(1);
  });

  test('says that a full storage keeps nothing more, and loses nothing that was kept', async ({ page }) => {
    await put(page, EGG);
    await page.evaluate(() => {
      let size = 5_000_000;
      while (size > 0)
        try {
          const stored = localStorage.getItem('another page') ?? '';
          localStorage.setItem('another page', stored + 'x'.repeat(size));
        } catch {
          size = Math.floor(size / 2);
        }
    });
    await put(page, 'banana, raw');
    await notStored(page).waitFor();
    await expectCount(portions(page)).toBe(2);
    await page.reload();
    await expectTexts(portions(page).getByRole('rowheader')).toEqual([EGG]);
  });

  test.for([360, 1280])('works without storage until it is closed, %i px wide', async (width, { pages }) => {
    const page = await pages.blank({ viewport: { width, height: 700 } });
    await page.addInitScript(() => {
      Storage.prototype.getItem = () => {
        throw new DOMException('denied', 'SecurityError');
      };
      Storage.prototype.setItem = Storage.prototype.getItem;
    });
    await page.goto(pages.service.url);
    await put(page, 'banana');
    await expectCount(portions(page)).toBe(1);
    await notStored(page).waitFor();
  });

  test('is full at 200 foods, and says so', async ({ pages }) => {
    const page = await pages.open({}, plateLink(manyFoods(200), pages.service.url));
    await put(page, 'banana, raw');
    const full = page.getByText('The plate is full: it holds 200 foods. Remove one to add another.');
    await full.first().waitFor();
    await expectCount(portions(page)).toBe(200);
    await expectText(portions(page).first().getByRole('rowheader')).toBe('Food 0');
    await expectText(portions(page).last().getByRole('rowheader')).toBe('Food 199');
  });

  test('highlights an added food, and marks it in the results with its amount', async ({ pages }) => {
    const page = await pages.open({}, plateLink(manyFoods(30), pages.service.url));
    await holdAnimations(page);
    await search(page, EGG);
    await search(page, `30 g ${EGG}`);
    await page.getByRole('button', { name: EGG, exact: true }).click();
    await expectCount(portions(page)).toBe(31);
    const added = portions(page).last();
    await expectValue(added.getByRole('textbox')).toBe('30 g');
    await expect.poll(() => added.evaluate((row) => row.getAnimations().length)).toBe(1);
    const isInSight = () =>
      added.evaluate((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        const list = row.closest('.plate-list')?.getBoundingClientRect();
        return list !== undefined && top >= list.top && bottom <= list.bottom + 1;
      });
    await expect.poll(isInSight).toBe(true);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    const marked = page.locator('.foods tr.on-plate');
    await expectText(marked.locator('.amount')).toBe(', on the plate: 30 g');
  });
});
