/**
 * Takes pictures of the page. `npm run screenshots` takes those of the documentation: one of each state, and more of the main ones.
 * With a folder in SCREENSHOTS it takes every state at five widths in both colour schemes, for inspection; some of them with
 * `SCREENSHOTS=folder node scripts/run.mjs scripts/screenshots.ts found plate`.
 */
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { openCatalog } from '../src/cli/open-catalog.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { type Addresses, PAGE_STATES } from '../test/support/page-states.ts';
import { startService } from '../test/support/service.ts';
import { savePicture } from './save-picture.ts';

type Scheme = 'light' | 'dark';

const WIDTHS = [320, 375, 768, 1024, 1440] as const;
const HEIGHT = { 320: 640, 375: 812, 768: 1024, 1024: 768, 1440: 900 } as const;

const MAIN: readonly { state: string; width: (typeof WIDTHS)[number]; scheme: Scheme }[] = [
  { state: 'found', width: 1440, scheme: 'light' },
  { state: 'found', width: 375, scheme: 'light' },
  { state: 'pieces', width: 375, scheme: 'light' },
  { state: 'amount', width: 768, scheme: 'light' },
  { state: 'list', width: 375, scheme: 'light' },
  { state: 'sorted', width: 1440, scheme: 'dark' },
  { state: 'plate', width: 375, scheme: 'dark' },
  { state: 'empty', width: 1024, scheme: 'light' },
  { state: 'empty', width: 375, scheme: 'dark' },
  { state: 'corrected', width: 375, scheme: 'light' },
  { state: 'blocked', width: 1024, scheme: 'light' },
  { state: 'saved', width: 768, scheme: 'light' },
  { state: 'loading', width: 320, scheme: 'light' },
  { state: 'too-many', width: 1024, scheme: 'dark' },
  { state: 'words', width: 320, scheme: 'dark' },
  { state: 'no-match', width: 375, scheme: 'light' },
  { state: 'unreachable', width: 375, scheme: 'dark' },
  { state: 'error', width: 768, scheme: 'dark' },
  { state: 'portions', width: 1440, scheme: 'dark' },
  { state: 'portions', width: 375, scheme: 'light' },
  { state: 'unknown-figures', width: 375, scheme: 'light' },
  { state: 'full-plate', width: 320, scheme: 'light' },
  { state: 'refused-amount', width: 375, scheme: 'light' },
  { state: 'address', width: 375, scheme: 'light' },
];

// The arguments after the name of this script.
const wanted = process.argv.slice(3);
const EVERY = PAGE_STATES.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).flatMap(
  ({ name: state }) =>
    WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ state, width, scheme }))),
);

const folder = process.env.SCREENSHOTS ?? 'docs/images';
await mkdir(folder, { recursive: true });
const catalog = await openCatalog(process.env.FOOD_DATA);
const services = await Promise.all([startService(catalog, { nodeEnv: 'production' }), startService(catalog)]);
const addresses: Addresses = { page: services[0].url, stranger: services[1].url };
const browser = await launchBrowser();
for (const { state, width, scheme } of process.env.SCREENSHOTS === undefined ? MAIN : EVERY) {
  const page = await browser.newPage({
    viewport: { width, height: HEIGHT[width] },
    colorScheme: scheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    // Narrow screens are touch screens.
    hasTouch: width < 1024,
    isMobile: width < 1024,
  });
  await take(page, state, `${folder}/${state}-${width}-${scheme}.webp`);
  await page.close();
}
await browser.close();
await Promise.all(services.map((service) => service.close()));

async function take(page: Page, state: string, path: string): Promise<void> {
  await PAGE_STATES.find(({ name }) => name === state)?.reach(page, addresses);
  await page.mouse.move(0, 0);
  // Waits until nothing is half drawn, and the newest food is no longer highlighted.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)));
  await page.waitForTimeout(200);
  await savePicture(page, path);
}
