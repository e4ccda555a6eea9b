/** The built page in Chromium, in front of the real service; a fault on its console fails the test that caused it. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import { launchBrowser } from './browser.ts';
import { type Service, startService } from './service.ts';

type Catalog = Awaited<ReturnType<typeof openCatalog>>;

export interface ClientPages {
  readonly service: Service;
  readonly catalog: Catalog;
  /** A new page in a context of its own, with nothing stored, not opened yet. */
  blank(options?: BrowserContextOptions): Promise<Page>;
  /** The same, at the page's address. */
  open(options?: BrowserContextOptions): Promise<Page>;
  /** Leaves out faults that this test means to happen: failing requests, or what the pattern says. */
  expectFaults(pattern?: RegExp): void;
}

const NETWORK_FAULT = /^Failed to load resource|blocked by CORS policy|ERR_/;

export function clientPages(): ClientPages {
  let browser: Browser;
  let service: Service;
  let catalog: Catalog;
  let expected: RegExp | undefined;
  const faults: string[] = [];
  const opened: Page[] = [];

  beforeAll(async () => {
    [browser, catalog] = await Promise.all([launchBrowser(), openCatalog(undefined)]);
    service = await startService(catalog, { nodeEnv: 'production' });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((page) => page.context().close()));
    const seen = faults.splice(0).filter((fault) => expected?.test(fault) !== true);
    expected = undefined;
    expect(seen, 'faults on the console').toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const blank = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ locale: 'en-GB', ...options });
    const page = await context.newPage();
    opened.push(page);
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
    blank,
    open: async (options) => {
      const page = await blank(options);
      await page.goto(service.url);
      await page.locator('#box').waitFor();
      return page;
    },
    expectFaults: (pattern = NETWORK_FAULT) => {
      expected = pattern;
    },
  };
}
