/** Every state of the page, and how users reach it, for accessibility tests and screenshots. */
import type { Page } from 'playwright-core';
import { type Amount, GRAMS } from '../../client/foods/amount.ts';
import type { Item, Plate } from '../../client/foods/plate.ts';
import { plateLink } from '../../client/plate/plate-link.ts';
import { box, EGG, foods, grams } from './page-parts.ts';
import { BUILT_IN_FOODS } from './starter-foods.ts';
import { waitFor } from './wait.ts';

export interface Addresses {
  /** The page, on the origin of its service. */
  readonly page: string;
  /** The page of a service that lets browsers keep it. */
  readonly kept: string;
  /** A service on another origin whose answers no page may read. */
  readonly stranger: string;
}

export interface PageState {
  readonly name: string;
  reach(page: Page, addresses: Addresses): Promise<void>;
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** From now on, time passes only as the test says, however slow the machine is. */
export async function stopClock({ clock }: Page): Promise<void> {
  await clock.install();
  await clock.pauseAt(Date.now() + 60_000);
}

/** Waits for foods with a stopped clock: the page shows them after timers of no duration. */
export async function found(page: Page): Promise<void> {
  do await page.clock.runFor(1);
  while (!(await page.locator('.results.found[aria-busy="false"]').isVisible()));
}

/** Holds requests until the returned function is called. */
export async function hold(page: Page, address: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Types a text and waits for its foods or for a message. */
export async function search(page: Page, text: string): Promise<void> {
  await box(page).fill(text);
  await page.locator('.results[aria-busy="false"]:is(.found, .failed)').waitFor();
}

/** The names of the foods for a text, in the order of the service, as the page shows them. */
export async function namesFrom(service: string, text: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ q: text, match: 'words' });
  const answer = (await (await fetch(`${service}/api/food?${query}`)).json()) as { description: string }[];
  return answer.map(({ description }) => description.replace(' (yoghurt)', ''));
}

/** Waits until no row in view lacks the portions that its amount needs. */
async function everyAmount(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Array.from(document.querySelectorAll('.foods tbody tr'))
      .filter((row) => row.getBoundingClientRect().top < innerHeight)
      .every((row) => row.querySelector('.figure[data-letter]') !== null),
  );
}

/** Waits until all foods of the text are shown, of which most appear after a pause in typing. */
export async function everyFood(page: Page): Promise<void> {
  const summary = await page.locator('.summary').textContent();
  await foods(page)
    .nth(Number(/\d+/.exec(summary ?? '')?.[0]) - 1)
    .waitFor();
}

/** The amounts and the notice, but not the portions, which arrive later. */
const stateOfPlate = (page: Page) =>
  page.evaluate(() =>
    Array.from(
      document.querySelectorAll<HTMLInputElement>('.plate :is(.amount-input, .notice span)'),
      ({ value, textContent }) => value ?? textContent,
    ).join('\n'),
  );

/** Puts the first match of a text on the plate. */
export async function put(page: Page, text: string): Promise<void> {
  await search(page, text);
  const before = await stateOfPlate(page);
  const isTouched = await page.evaluate(() => matchMedia('(hover: none)').matches);
  if (isTouched) await page.locator('.add').first().tap();
  else await box(page).press('Enter');
  await waitFor(async () => (await stateOfPlate(page)) !== before);
}

const LUNCH = ['egg, whole, raw', 'rice, brown', 'broccoli', 'oil, olive'];

async function lunch(page: Page): Promise<void> {
  for (const text of LUNCH) await put(page, text);
  await showPlate(page);
  for (const [place, amount] of ['133', '180', '250', '12.5'].entries())
    await amounts(page).nth(place).fill(amount);
  await amounts(page).last().press('Tab');
  await closePlate(page);
}

/** Puts foods on the plate by click, with these amounts. */
export async function plateOf(page: Page, amounts: Readonly<Record<string, string>>): Promise<void> {
  for (const [food, amount] of Object.entries(amounts)) {
    await search(page, food);
    await page.getByRole('button', { name: food, exact: true }).click();
    await grams(page, food).fill(amount);
    await grams(page, food).press('Tab');
  }
}

export const MEAL = { [EGG]: '133', 'Rice, brown, long-grain, cooked': '181', 'Olive oil': '12.5' };

/** Opens the plate if it is a sheet, and waits until it no longer moves. */
export async function showPlate(page: Page): Promise<void> {
  await page.locator('.plate-bar:visible, .plate[open]').first().waitFor();
  const bar = page.getByRole('button', { name: /^Show the plate/ });
  if (!(await bar.isVisible())) return;
  await bar.click();
  await page
    .getByRole('dialog', { name: 'Plate' })
    .evaluate((sheet) => Promise.all(sheet.getAnimations().map(({ finished }) => finished)).then(() => {}));
}

export async function closePlate(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Close the plate' });
  if (await close.isVisible()) await close.click();
}

/** Changes the width of a page with foods on the plate, which is in a sheet on narrow screens. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 700 });
  await page.waitForFunction((wanted) => innerWidth === wanted, width);
  await page.locator(width < 1024 ? '.plate-bar' : '.plate[open]').waitFor();
}

export const inGrams = (count: string): Amount => ({ count, unit: GRAMS });

type Figure = string | null;

function item(
  description: string,
  [kcal, protein, fat, carbohydrate]: [Figure, Figure, Figure, Figure],
  grams: string,
): Item {
  return { food: { description, kcal, protein, fat, carbohydrate }, ...inGrams(grams) };
}

/** A plate with unknown figures. */
export const UNKNOWN_PLATE: Plate = [
  item('Bread, whole wheat', ['252', '12.45', '3.50', '42.71'], '80'),
  item('Soup of the day', [null, null, '1.20', '6.5'], '300'),
];

/** Foods named "Food 0", "Food 1" and so on, or by another pattern. */
export const manyFoods = (count: number, amount = '1', nameOf = (index: number) => `Food ${index}`): Plate =>
  Array.from({ length: count }, (_, index) => item(nameOf(index), ['143', '12.56', '8.70', '0.72'], amount));

/** A plate with the widest figures and long names. */
export const FULL_PLATE = Array.from({ length: 15 }, (_, index) => {
  const name = `${index}: Beans, baked, canned, with franks, low sodium, prepared with equal volume of water`;
  return item(name, ['884.123', '85.182', '99.99', '91.1234567'], '1284.5');
});

/** Loads the page at an address. If it is there already, only removes what another state has left, which is faster. */
async function open(page: Page, address: string): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const present = new URL(page.url());
  // As if another tab cleared the storage. While a label is open, nothing else takes keys.
  if (present.protocol !== 'about:')
    await page.evaluate(() => {
      document.querySelector<HTMLDialogElement>('.label[open]')?.close();
      localStorage.clear();
      window.dispatchEvent(new StorageEvent('storage'));
    });
  present.searchParams.delete('q');
  if (present.href !== new URL(address).href) await page.goto(address);
  await box(page).fill('');
}

/** A state that is reached from the page as it opens at an address. */
const opened = (
  name: string,
  reach: (page: Page) => Promise<unknown>,
  addressIn = ({ page }: Addresses): string => page,
): PageState => ({
  name,
  reach: async (page, addresses) => {
    await open(page, addressIn(addresses));
    await reach(page);
  },
});

const afterSearch = (name: string, text: string): PageState =>
  opened(name, async (page) => {
    await search(page, text);
    await everyAmount(page);
  });

const onPlate = (name: string, plate: Plate): PageState =>
  opened(name, async (page) => {
    await page.evaluate((link) => location.assign(new URL(link).hash), plateLink(plate, page.url()));
    await showPlate(page);
    await page.getByRole('table', { name: /^Foods on the plate/ }).waitFor();
  });

const favourites = (page: Page) => page.getByRole('button', { name: /^Favourite:/ });
const amounts = (page: Page) => page.getByRole('textbox', { name: /^Amount of/ });

export const PAGE_STATES: readonly PageState[] = [
  opened('empty', async (page) => {
    await page.getByRole('heading', { name: 'Know what is on your plate.' }).waitFor();
    await page.getByText(BUILT_IN_FOODS).waitFor();
  }),
  opened('loading', async (page) => {
    await page.route('**/api/food?*', () => {});
    await box(page).fill('egg');
    await page.locator('.results.late').waitFor();
  }),
  opened('found', async (page) => {
    await lunch(page);
    await put(page, 'yogurt');
    await favourites(page).nth(2).click();
    await search(page, 'yogurt');
  }),
  opened('too-many', async (page) => {
    await search(page, 'raw');
    await foods(page).nth(99).waitFor();
  }),
  afterSearch('no-match', 'zzzz'),
  afterSearch('words', 'raw egg'),
  afterSearch('amount', '200 g rice'),
  afterSearch('pieces', '2 eggs'),
  afterSearch('list', '2 eggs; a slice of bread; 5 g butter; a glass of milk'),
  afterSearch('corrected', 'brocoli soup'),
  opened('unreachable', async (page) => {
    await page.route('**/api/food?*', (route) => route.abort());
    await search(page, 'egg');
  }),
  opened(
    'offline',
    async (page) => {
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
      for (const asked of ['**/api/food?*', '**/data-set']) await page.route(asked, (route) => route.abort());
      // So long the page answers from its index without a look at the service.
      await page.waitForTimeout(2000);
      await search(page, 'egg');
      await page.getByText(/^Offline · /).waitFor();
    },
    ({ kept }) => kept,
  ),
  opened(
    'blocked',
    (page) => search(page, 'egg'),
    ({ page, stranger }) => `${page}/?api=${encodeURIComponent(stranger)}`,
  ),
  afterSearch('error', 'a'.repeat(17_000)),
  opened('saved', async (page) => {
    for (const text of LUNCH) await put(page, text);
    await favourites(page).first().click();
    await box(page).fill('');
    await page.getByRole('table', { name: /^Favourites/ }).waitFor();
  }),
  opened('plate', async (page) => {
    await lunch(page);
    await showPlate(page);
    await page
      .getByRole('button', { name: /^Remove/ })
      .nth(1)
      .click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  }),
  opened('portions', async (page) => {
    await lunch(page);
    await showPlate(page);
    const units = page.getByRole('combobox', { name: /^Unit of/ });
    for (const [place, count] of ['2', '1.5', '1'].entries()) {
      await units.nth(place).selectOption({ index: 1 });
      await amounts(page).nth(place).fill(count);
    }
    await amounts(page).nth(2).press('Tab');
  }),
  opened('label', async (page) => {
    await search(page, '2 eggs');
    await everyAmount(page);
    await box(page).press('Alt+Enter');
    await page.locator('.label [aria-busy="false"]').waitFor();
  }),
  onPlate('unknown-figures', UNKNOWN_PLATE),
  onPlate('full-plate', FULL_PLATE),
  opened('refused-amount', async (page) => {
    await put(page, 'wine, red');
    await put(page, 'egg');
    await showPlate(page);
    await amounts(page).first().fill('3 slices');
    await page.getByText('Not an amount of this food.').waitFor();
  }),
  opened('sorted', async (page) => {
    await put(page, 'cheese, cheddar');
    await search(page, 'cheese');
    await page.getByRole('button', { name: /^Protein/ }).press('Enter');
    await page.mouse.move(0, 0);
  }),
  opened(
    'address',
    (page) => page.getByRole('alert').waitFor(),
    ({ page }) => `${page}/?api=javascript:alert(1)`,
  ),
];
