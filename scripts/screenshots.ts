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

const HEIGHTS = { 320: 640, 375: 812, 768: 1024, 1024: 768, 1440: 900 };

/** The pictures named in the documents, such as found-1440-light. */
const PAGES = [
  'README.md',
  ...(await readdir('docs')).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
];
const TEXTS = await Promise.all(PAGES.map((page) => readFile(page, 'utf8')));
const DOCUMENTED = Array.from(
  TEXTS.join('').matchAll(/images\/([a-z-]+-\d+-(?:light|dark))\.webp/g),
  ([, picture = '']) => picture,
);

const STATES = PAGE_STATES.map(({ name }) => name);
const EVERY = STATES.flatMap((state) =>
  Object.keys(HEIGHTS).flatMap((width) => [`${state}-${width}-light`, `${state}-${width}-dark`]),
);

/** Each state once. */
const others = STATES.filter(
  (state) => !DOCUMENTED.some((picture) => picture.replace(/-\d.*/, '') === state),
);
const PICTURES = [...DOCUMENTED, ...others.map((state) => `${state}-375-light`)];

const folder = process.env.SCREENSHOTS ?? 'docs/images';
await mkdir(folder, { recursive: true });
const catalog = await openCatalog(process.env.FOOD_DATA);
const nodeEnv = 'production';
const services = await Promise.all([
  startService(catalog, { nodeEnv }),
  startService(catalog, { nodeEnv, offline: true }),
  startService(catalog),
]);
const [{ url: page }, { url: kept }, { url: stranger }] = services;
const addresses: Addresses = { page, kept, stranger };
const browser = await launchBrowser();
for (const picture of process.env.SCREENSHOTS === undefined ? PICTURES : EVERY) {
  const [, state = '', size, colorScheme] = /(.*)-(\d+)-(.*)/.exec(picture) ?? [];
  const width = Number(size) as keyof typeof HEIGHTS;
  const page = await browser.newPage({
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: colorScheme as 'light' | 'dark',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    // Narrow screens are touch screens.
    hasTouch: width < 1024,
    isMobile: width < 1024,
  });
  await PAGE_STATES.find(({ name }) => name === state)?.reach(page, addresses);
  await page.mouse.move(0, 0);
  // Waits until nothing is half drawn, and the newest food is no longer highlighted.
  await page.evaluate(() => Promise.all(document.getAnimations().map((each) => each.finished)));
  await page.waitForTimeout(200);
  await savePicture(page, `${folder}/${picture}.webp`);
  await page.close();
}
await browser.close();
await Promise.all(services.map((service) => service.close()));

/** Saves a WebP, a third the size of a PNG, because every clone and release contains the pictures. */
async function savePicture(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await writeFile(path, Buffer.from(data, 'base64'));
  await session.detach();
}
