/**
 * Takes pictures of the page. `npm run screenshots` takes those of the documentation, and the other states on a phone.
 *
 * With a folder in SCREENSHOTS it takes every state at five widths in both colour schemes, for inspection.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { openCatalog } from '#service';
import { launchBrowser } from '../test/support/browser.ts';
import { type Addresses, PAGE_STATES } from '../test/support/page-states.ts';
import { startService } from '../test/support/service.ts';

type Scheme = 'light' | 'dark';

const WIDTHS = [320, 375, 768, 1024, 1440] as const;
const HEIGHT = { 320: 640, 375: 812, 768: 1024, 1024: 768, 1440: 900 } as const;

/** The pictures named in the documents, such as found-1440-light.webp. */
const PAGES = [
  'README.md',
  ...(await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const DOCUMENTED = (await Promise.all(PAGES.map((page) => readFile(page, 'utf8')))).flatMap((page) =>
  Array.from(
    page.matchAll(/images\/([a-z-]+)-(\d+)-(light|dark)\.webp/g),
    ([, state = '', width, scheme]) => ({
      state,
      width: Number(width) as (typeof WIDTHS)[number],
      scheme: scheme as Scheme,
    }),
  ),
);

const EVERY = PAGE_STATES.flatMap(({ name: state }) =>
  WIDTHS.flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ state, width, scheme }))),
);

/** Each state once. */
const PICTURES = [
  ...DOCUMENTED,
  ...PAGE_STATES.filter(({ name }) => !DOCUMENTED.some(({ state }) => state === name)).map(
    ({ name: state }) => ({ state, width: 375, scheme: 'light' }) as const,
  ),
];

const folder = process.env.SCREENSHOTS ?? 'docs/images';
await mkdir(folder, { recursive: true });
const catalog = await openCatalog(process.env.FOOD_DATA);
const services = await Promise.all([startService(catalog, { nodeEnv: 'production' }), startService(catalog)]);
const addresses: Addresses = { page: services[0].url, stranger: services[1].url };
const browser = await launchBrowser();
for (const { state, width, scheme } of process.env.SCREENSHOTS === undefined ? PICTURES : EVERY) {
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

/** Saves a WebP, a third the size of a PNG, because every clone and release contains the pictures. */
async function savePicture(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await writeFile(path, Buffer.from(data, 'base64'));
  await session.detach();
}
