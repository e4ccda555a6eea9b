/** The built page in Chromium, with the real service. An error on its console fails the test that caused it. */
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import { launchBrowser } from './browser.ts';
import { startService } from './service.ts';

/** A machine that is busy enough makes the service refuse a search, which the page repeats. */
const REFUSED_SEARCH = /the server responded with a status of 503/;

const NETWORK_FAULT = /^Failed to load resource|blocked by CORS policy|ERR_/;

type Shared = Awaited<ReturnType<typeof start>>;

let started: Promise<Shared> | undefined;

/** Started once for all files of a worker. */
export const shared = (): Promise<Shared> => (started ??= start());

async function start() {
  const [browser, catalog] = await Promise.all([launchBrowser(), openCatalog(undefined)]);
  return { browser, catalog, service: await startService(catalog, { nodeEnv: 'production' }) };
}

const USUAL: BrowserContextOptions = { locale: 'en-GB' };

const faults: string[] = [];
const sharedPages = new Map<string, Page>();
/** Those in which a test has opened another service, whose port may later be that of a third. */
const pagesElsewhere = new Set<Page>();

export function clientPages() {
  let { browser, catalog, service } = {} as Shared;
  let expected: RegExp | undefined;
  const blankPages: Page[] = [];
  const usedPages = new Set<Page>();

  beforeAll(async () => {
    ({ browser, catalog, service } = await shared());
  });
  afterEach(async () => {
    await Promise.all([
      ...blankPages.splice(0).map((page) => page.context().close()),
      ...Array.from(usedPages, clear),
    ]);
    usedPages.clear();
    const seen = faults
      .splice(0)
      .filter((fault) => expected?.test(fault) !== true && !REFUSED_SEARCH.test(fault));
    expected = undefined;
    expect(seen, 'faults on the console').toEqual([]);
  });

  const newPage = async (options: BrowserContextOptions): Promise<Page> => {
    const context = await browser.newContext({ ...USUAL, ...options });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    return page;
  };
  return {
    get service() {
      return service;
    },
    get catalog() {
      return catalog;
    },
    /** A blank page in its own context, with nothing stored. It is closed after the test. */
    blank: async (options: BrowserContextOptions = {}) => {
      const page = await newPage(options);
      blankPages.push(page);
      return page;
    },
    /**
     * A page with nothing stored, loaded from the service or from another address. Tests with the same options, except for the
     * viewport, reuse its context, which takes half the processor time of a new one.
     */
    open: async (
      { viewport = { width: 1280, height: 720 }, ...options }: BrowserContextOptions = {},
      address = service.url,
    ) => {
      const key = JSON.stringify({ ...USUAL, ...options });
      const page = sharedPages.get(key) ?? (await newPage(options));
      sharedPages.set(key, page);
      usedPages.add(page);
      if (!address.startsWith(service.url) || address.includes('?')) pagesElsewhere.add(page);
      if (viewport !== null) await page.setViewportSize(viewport);
      await page.goto(address);
      // Waits until scripts have rendered a search box, or the page at `/docs`.
      await page.locator('input, main h1').first().waitFor();
      return page;
    },
    /** Ignores errors that this test causes on purpose: failing requests, or those that match the pattern. */
    expectFaults: (pattern = NETWORK_FAULT) => {
      expected = pattern;
    },
  };
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
