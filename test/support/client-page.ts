/** The built page in Chromium, with the real service. An error on its console fails the test that caused it. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { test as base, expect } from 'vitest';
import type { FoodCatalog } from '#core';
import { openCatalog } from '#service';
import { launchBrowser } from './browser.ts';
import { startForTest } from './lifetime.ts';
import { type Service, startService } from './service.ts';

/** A machine that is busy enough makes the service refuse a search, which the page repeats. */
const REFUSED_SEARCH = /the server responded with a status of 503/;

const NETWORK_FAULT = /^Failed to load resource|blocked by CORS policy|ERR_|when fetching the script/;

type Shared = Awaited<ReturnType<typeof start>>;

let started: Promise<Shared> | undefined;

/** Started once for all files of a worker. */
export const shared = (): Promise<Shared> => (started ??= start());

async function start() {
  const [browser, all] = await Promise.all([launchBrowser(), openCatalog(undefined)]);
  const catalog = withoutNutrients(all);
  return { browser, catalog, service: await startService(catalog, { nodeEnv: 'production' }) };
}

/** The page then offers no labels, of which `labels.test.ts` has its own foods. */
const withoutNutrients = (all: FoodCatalog): FoodCatalog =>
  new Proxy(all, {
    get(_, name: keyof FoodCatalog) {
      if (name === 'dataSet') return { ...all.dataSet, hasNutrients: false };
      const value = all[name];
      return typeof value === 'function' ? value.bind(all) : value;
    },
  });

const USUAL: BrowserContextOptions = { locale: 'en-GB' };

const faults: string[] = [];
const sharedPages = new Map<string, Page>();
/** Those in which a test has opened another service, whose port may later be that of a third. */
const pagesElsewhere = new Set<Page>();

/** A test with pages in Chromium; `page` is the first one, opened without options. */
export const test = base.extend<{ pages: Pages; page: Page }>({
  pages: async ({ task: _ }, use) => {
    const pages = new Pages(await shared());
    await use(pages);
    await pages.end();
  },
  page: async ({ pages }, use) => use(await pages.open()),
});

class Pages {
  readonly browser: Browser;
  readonly catalog: FoodCatalog;
  readonly service: Service;
  readonly #blank: Page[] = [];
  readonly #used = new Set<Page>();
  #expected: RegExp | undefined;

  constructor({ browser, catalog, service }: Shared) {
    this.browser = browser;
    this.catalog = catalog;
    this.service = service;
  }

  /** Ignores errors that this test causes on purpose: failing requests, or those that match the pattern. */
  expectFaults(pattern = NETWORK_FAULT): void {
    this.#expected = pattern;
  }

  /** A blank page in its own context, with nothing stored. It is closed after the test. */
  async blank(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.#newPage(options);
    this.#blank.push(page);
    return page;
  }

  /**
   * A page with nothing stored, loaded from the service or from another address. Tests with the same options, except for the
   * viewport, reuse its context, which takes half the processor time of a new one.
   */
  async open(
    { viewport = { width: 1280, height: 720 }, ...options }: BrowserContextOptions = {},
    address = this.service.url,
  ): Promise<Page> {
    const key = JSON.stringify({ ...USUAL, ...options });
    const page = sharedPages.get(key) ?? (await this.#newPage(options));
    sharedPages.set(key, page);
    this.#used.add(page);
    if (!address.startsWith(this.service.url) || address.includes('?')) pagesElsewhere.add(page);
    if (viewport !== null) await page.setViewportSize(viewport);
    await page.goto(address);
    // Waits until scripts have rendered a search box, or the page at `/docs`.
    await page.locator('#box, input, main h1').first().waitFor();
    return page;
  }

  /** Of a service of its own, with these foods. */
  async openWith(catalog: FoodCatalog, options: BrowserContextOptions = {}): Promise<Page> {
    const { url } = await startForTest(catalog, { nodeEnv: 'production' });
    return this.open(options, url);
  }

  async end(): Promise<void> {
    const closed = this.#blank.map((page) => page.context().close());
    await Promise.all([...closed, ...Array.from(this.#used, clear)]);
    const seen = faults
      .splice(0)
      .filter((fault) => this.#expected?.test(fault) !== true && !REFUSED_SEARCH.test(fault));
    expect(seen, 'faults on the console').toEqual([]);
  }

  async #newPage(options: BrowserContextOptions): Promise<Page> {
    const context = await this.browser.newContext({ ...USUAL, ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    return page;
  }
}

// What a page must show in the end: `await expectText(row).toBe('143')`.
export const expectText = (of: Locator) => expect.poll(() => of.textContent());
export const expectTexts = (of: Locator) => expect.poll(() => of.allTextContents());
export const expectValue = (of: Locator) => expect.poll(() => of.inputValue());
export const expectCount = (of: Locator) => expect.poll(() => of.count());

async function clear(page: Page): Promise<void> {
  const context = page.context();
  page.removeAllListeners('request');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null, forcedColors: null });
  await Promise.all(context.pages().map((each) => (each === page ? page.goto('about:blank') : each.close())));
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'local_storage' });
  if (pagesElsewhere.delete(page)) await session.send('Network.clearBrowserCache');
  await session.detach();
}
