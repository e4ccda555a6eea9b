/** The page in each of its languages, and in one that is written from right to left. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openCatalog } from '#service';
import { plateLink } from '../../client/plate/plate-link.ts';
import { EN } from '../../client/texts/en.ts';
import { CODES, LANGUAGES } from '../../client/texts/languages.ts';
import { expectCount, expectText, expectValue, test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { box, foods } from '../support/page-parts.ts';
import { hold, search, UNKNOWN_PLATE } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1440, height: 900 };

const languageOf = (page: Page) => page.locator('html').getAttribute('lang');
const languageList = (page: Page) => page.locator('.footer select');

/** What shows most of the texts, and how it is reached whatever the language. */
const STATES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  start: (page) => page.locator('.start').waitFor(),
  amounts: (page) => search(page, '2 eggs'),
  corrected: (page) => search(page, 'brocoli soup'),
  list: (page) => search(page, '2 eggs; a bunch of rice; zzzz'),
  none: (page) => search(page, 'zzzz'),
  plate: async (page) => {
    await box(page).fill('');
    // Until then, another address brings its text back.
    await page.waitForURL(({ searchParams }) => !searchParams.has('q'));
    const link = plateLink(UNKNOWN_PLATE, page.url());
    await page.evaluate((hash) => location.assign(hash), new URL(link).hash);
    await page.locator('.portions').waitFor();
    await page.locator('.amount-input').first().fill('3 x');
    await page.locator('.refusal').waitFor();
    await page
      .locator('.plate')
      .evaluate((sheet) => Promise.allSettled(sheet.getAnimations().map((each) => each.finished)));
  },
  removed: async (page) => {
    await page.locator('.remove button').last().click();
    await page.locator('.plate .notice').waitFor();
  },
};

/** Elements that are cut off, or reach out of the window. */
const misplaced = (page: Page) =>
  page.evaluate(() => {
    const isCut = (each: Element) =>
      each.matches('.tool, .button, .quiet-button, .suggestion, .line, .plate, .plate-list, html') &&
      each.scrollWidth > each.clientWidth;
    const isOutside = (each: Element) => {
      const { left, right, width } = each.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1);
    };
    return Array.from(document.querySelectorAll('html, body *'))
      .filter((each) => each.checkVisibility() && each.closest('.progress, .unseen, .skip, svg') === null)
      .filter((each) => isCut(each) || isOutside(each))
      .map((each) => `${each.tagName}.${each.className}: ${each.textContent}`);
  });

/** The text of the page that is neither of the data nor in an example. */
const words = (page: Page) =>
  page.evaluate(() => {
    const ofData =
      '.description, .portions th, .data-set, [lang], .brand, b, kbd, .line, .understood, code, .notice';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode;
      if (parent?.closest(`${ofData}, script, style, noscript, select`) === null)
        found.push(textContent ?? '');
    }
    const labels = Array.from(
      document.querySelectorAll('[aria-label]'),
      (each) => each.getAttribute('aria-label') ?? '',
    );
    return [...found, ...labels.map((label) => label.replace(/(?<=: ).*|(?:Bread|Soup).*/, ''))];
  });

/** In Hebrew letters, so that browsers write it from right to left; a quarter longer, as translations are. */
const mirrored = (direction: 'ltr' | 'rtl') => {
  const formOf = (text: string) =>
    text
      .split(/(\{\w+\}|\[.+?\])/)
      .map((part, i) => {
        if (i % 2 === 1) return part;
        const letters = part.replaceAll(/[a-z]/gi, (letter) =>
          String.fromCharCode(0x5d0 + (letter.charCodeAt(0) % 27)),
        );
        return letters.replaceAll(/([א-ת]{4})(?=[א-ת])/g, '$1ו');
      })
      .join('');
  const texts = Object.entries(EN).map(([key, text]) => [
    key,
    typeof text === 'string' ? formOf(text) : { one: formOf(text.one), other: formOf(text.other) },
  ]);
  return { ...Object.fromEntries(texts), direction };
};

/** Those whose place does not depend on the width of a text. */
const PLACED = [
  ...['input:not(#makes)', '.add', '.favourite', '.icon-button', '.unit', '.tool', 'tr', '.foods td'],
  ...['.ring', '.search-form > .icon', '.add .icon', '.plate-head h2', '.macros > div', '.notice'],
].join();

/** How far each kind of element is from the side of the window where lines begin. */
const startsOf = (page: Page, direction: 'ltr' | 'rtl') =>
  page.locator(`main :is(${PLACED})`).evaluateAll((all, isMirrored) => {
    const starts = all
      .filter((each) => each.checkVisibility())
      .map((each) => {
        const { left, right } = each.getBoundingClientRect();
        return `${each.tagName}.${each.getAttribute('class')} ${Math.round(isMirrored ? innerWidth - right : left)}`;
      });
    return [...new Set(starts)].toSorted();
  }, direction === 'rtl');

async function openMirrored(page: Page, address: string, direction: 'ltr' | 'rtl'): Promise<void> {
  await page.route('**/texts/de.json', (route) => route.fulfill({ json: mirrored(direction) }));
  await page.goto(address);
  await page.locator('.footer').waitFor();
}

describeWithChromium('the page', () => {
  test.for(CODES)(
    'in %s has texts of that language alone, which fit on a narrow screen',
    async (code, { pages }) => {
      const page = await pages.open({ locale: code, viewport: NARROW });
      await expect.poll(() => languageOf(page)).toBe(code);
      for (const [state, reach] of Object.entries(STATES)) {
        await reach(page);
        await expect.poll(() => misplaced(page), { message: state }).toEqual([]);
        expect((await words(page)).join(' '), state).not.toMatch(/[{}]/);
      }
    },
  );

  test('says the language of the foods, and its own where it says something about them', async ({
    pages,
  }) => {
    const page = await pages.open({ locale: 'de' });
    await search(page, '2 eggs');
    const description = page.locator('.foods .description').first();
    const understood = description.locator('.understood');
    await expect.poll(() => description.getAttribute('lang')).toBe('de');
    await expect.poll(() => understood.getAttribute('lang')).toBe('de');
    await page.locator('.foods .favourite').first().click();
    await page.getByRole('textbox', { name: 'Lebensmittel', exact: true }).press('Enter');
    await page.locator('.plate tbody th').waitFor();
    await page.goto(page.url().replace(/[?#].*/, ''));
    // Kept with the foods, which may be of another data set than that of today.
    await expect.poll(() => page.locator('.plate tbody th').getAttribute('lang')).toBe('de');
    await expect.poll(() => description.getAttribute('lang')).toBe('de');
  });

  test('has no text of its own outside the files of languages', async ({ pages }) => {
    const page = await pages.blank({ locale: 'de', viewport: NARROW });
    await openMirrored(page, pages.service.url, 'rtl');
    const allowed = /^(?:kcal|g|kg|API|[^a-z]|x)*$/i;
    for (const [state, reach] of Object.entries(STATES)) {
      await reach(page);
      expect(
        (await words(page)).filter((text) => !allowed.test(text)),
        state,
      ).toEqual([]);
    }
  });

  test.for([NARROW, WIDE])(
    'is mirrored from right to left, at a width of $width',
    async (viewport, { pages }) => {
      const places = async (direction: 'ltr' | 'rtl') => {
        const page = await pages.blank({ locale: 'de', viewport });
        await openMirrored(page, pages.service.url, direction);
        const all = new Map<string, readonly string[]>();
        for (const [state, reach] of Object.entries(STATES)) {
          await reach(page);
          await expect.poll(() => misplaced(page), { message: state }).toEqual([]);
          all.set(state, await startsOf(page, direction));
        }
        return all;
      };
      expect(await places('rtl')).toEqual(await places('ltr'));
    },
  );

  test('writes amounts from left to right even where all else is mirrored', async ({ pages }) => {
    const service = await startForTest(await openCatalog(undefined), { nodeEnv: 'production' });
    const page = await pages.blank({ locale: 'de' });
    await openMirrored(page, service.url, 'rtl');
    await search(page, '2 eggs');
    await box(page).press('Alt+Enter');
    await page.locator('.label [aria-busy="false"]').waitFor();
    const english = await page.locator('.label dt[lang="en"]').allTextContents();
    expect(english).toContain('Iron');
    expect(english.join()).not.toMatch(/Sodium|[א-ת]/);
    /** Where each part of the text begins. */
    const lefts = (place: string) =>
      page.locator(place).evaluateAll(([element]) => {
        const texts = document.createTreeWalker(element as Element, NodeFilter.SHOW_TEXT);
        const all: number[] = [];
        while (texts.nextNode()) {
          const range = document.createRange();
          range.setStart(texts.currentNode, 0);
          range.setEnd(texts.currentNode, 1);
          all.push(range.getBoundingClientRect().left);
        }
        return all;
      });
    // "598 kJ / 143 kcal"
    const energy = await lefts('.label dd');
    expect(energy.length).toBeGreaterThan(1);
    expect(energy).toEqual(energy.toSorted((a, b) => a - b));
  });

  test('changes its language in the footer, and keeps it with the plate', async ({ pages }) => {
    const page = await pages.open({}, plateLink(UNKNOWN_PLATE, pages.service.url));
    expect([await languageOf(page), await languageList(page).inputValue()]).toEqual(['en', 'en']);
    expect(await languageList(page).locator('option').allTextContents()).toEqual(Object.values(LANGUAGES));
    await languageList(page).selectOption('日本語');
    await page.getByRole('heading', { name: 'プレート' }).waitFor();
    expect([await languageOf(page), await languageList(page).inputValue()]).toEqual(['ja', 'ja']);
    await expectCount(page.locator('.portions tbody tr')).toBe(2);
    await page.reload();
    await page.getByRole('heading', { name: 'プレート' }).waitFor();
    await languageList(page).selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Teller', exact: true }).waitFor();
    await expectText(page.locator('.total-energy strong')).toBe('202*');
    await expectText(page.locator('.macros strong').first()).toBe('10,0*');
    await languageList(page).selectOption('English');
    await page.getByRole('heading', { name: 'Plate', exact: true }).waitFor();
    await expectText(page.locator('.macros strong').first()).toBe('10.0*');
  });

  test('reads what it shows in a chosen language, and copies for programs in that of the browser', async ({
    pages,
  }) => {
    const page = await pages.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await languageList(page).selectOption('Deutsch');
    await page.getByRole('heading', { name: 'Teller', exact: true }).waitFor();
    await search(page, '1.234 g banana');
    await page.locator('.add').first().click();
    const field = page.locator('.amount-input');
    await expect.poll(() => field.inputValue()).toBe('1234 g');
    await field.fill('1,234');
    await field.press('Tab');
    await expect.poll(() => field.inputValue()).toBe('1,234 g');
    await page.getByRole('button', { name: 'Kopieren' }).click();
    await page.getByText('Tabelle kopiert.').first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied.split('\r\n')[1]?.split('\t')[1]).toBe('1.234');
  });

  test('is English where its texts cannot be had, and says so of a chosen language', async ({ pages }) => {
    pages.expectFaults();
    const page = await pages.blank({ locale: 'de' });
    await page.route('**/texts/*.json', (route) => route.abort());
    await page.goto(pages.service.url);
    await page.getByRole('heading', { name: 'Know what is on your plate.' }).waitFor();
    expect(await languageOf(page)).toBe('en');
    await languageList(page).selectOption('Italiano');
    await page.getByText('The food service does not answer').first().waitFor();
    expect(await page.evaluate(() => localStorage.getItem('food-lookup.language'))).toBe(null);
    await expectValue(languageList(page)).toBe('de');
  });

  test('keeps what is typed before its texts arrive', async ({ pages }) => {
    const page = await pages.blank({ locale: 'fr' });
    const arrive = await hold(page, '**/texts/fr.json');
    await page.goto(pages.service.url);
    await page.locator('#box').pressSequentially('banana');
    arrive();
    await page.locator('.summary').waitFor();
    await page.keyboard.type(', raw');
    await expectText(foods(page).first().locator('.description')).toContain('Banana, raw');
  });

  test('has all its languages without a network', async ({ pages }) => {
    pages.expectFaults();
    const service = await startForTest(await openCatalog(undefined), {
      nodeEnv: 'production',
      offline: true,
    });
    const page = await pages.blank({ locale: 'nl' });
    await page.goto(service.url);
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    await service.close();
    await page.reload();
    await page.getByRole('heading', { name: 'Bord', exact: true }).waitFor();
    await languageList(page).selectOption('Français');
    await page.getByRole('heading', { name: 'Assiette', exact: true }).waitFor();
  });
});
