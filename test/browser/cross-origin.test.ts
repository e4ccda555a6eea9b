/** A page on another origin queries the service from a real browser, with real data. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest';
import type { FoodCatalog } from '../../src/catalog.ts';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import { Unavailable } from '../../src/errors.ts';
import { startSite } from '../support/browser.ts';
import { shared } from '../support/client-page.ts';
import { describeWithChromium, describeWithShared, SR28_CSV, SR28_SQLITE } from '../support/requirements.ts';
import { type MadeUpCatalog, type Service, startService } from '../support/service.ts';

interface Outcome {
  readonly type?: string;
  readonly status?: number;
  readonly body?: string;
  readonly retryAfter?: string;
  readonly failure?: string;
}

describeWithChromium('a page on another origin', () => {
  let page: Page;
  let site: Awaited<ReturnType<typeof startSite>>;
  let catalog: FoodCatalog;
  let service: Service;

  beforeAll(async () => {
    site = await startSite();
    const { browser, ...others } = await shared();
    catalog = others.catalog;
    page = await browser.newPage();
    await page.goto(site.origin);
  });
  afterEach(() => service.close());
  afterAll(async () => {
    await page.close();
    site.close();
  });

  /** Runs `fetch` in the page. */
  const fetchInPage = (target: string, init: RequestInit = {}): Promise<Outcome> =>
    page.evaluate(
      async ([address, options]) => {
        try {
          const response = await fetch(address, options);
          const { type, status } = response;
          const retryAfter = response.headers.get('retry-after');
          const body = await response.text();
          return { type, status, body, ...(retryAfter !== null && { retryAfter }) };
        } catch (error) {
          return { failure: String(error) };
        }
      },
      [`${service.url}${target}`, init] as const,
    );
  const start = async (allowedOrigin: string | undefined) => {
    service = await startService(catalog, { allowedOrigin });
  };
  const BLOCKED = { failure: 'TypeError: Failed to fetch' };

  test('reads the answer if its origin is allowed', async () => {
    await start(site.origin);
    const outcome = await fetchInPage('/api/food?q=egg%2C%20whole%2C%20raw');
    expect(outcome).toMatchObject({ type: 'cors', status: 200 });
    expect(JSON.parse(outcome.body ?? '')).toContainEqual({
      carbohydrate_g: 0.72,
      protein_g: 12.56,
      fat_g: '8.70',
      kcal: 143,
      description: 'Egg, whole, raw',
    });
  });

  it.each(['https://app.example', undefined])('gets a network failure if %s is allowed', async (allowed) => {
    await start(allowed);
    expect(await fetchInPage('/api/food?q=egg')).toEqual(BLOCKED);
  });

  test('reads with *', async () => {
    await start('*');
    expect(await fetchInPage('/api/food?q=egg')).toMatchObject({ type: 'cors', status: 200 });
  });

  it.each([undefined, '*'])('gets an opaque response in no-cors mode (allowed: %s)', async (allowed) => {
    await start(allowed);
    expect(await fetchInPage('/api/food?q=egg', { mode: 'no-cors' })).toEqual({
      type: 'opaque',
      status: 0,
      body: '',
    });
  });

  test('is refused in same-origin mode, even if it is allowed', async () => {
    await start(site.origin);
    expect(await fetchInPage('/api/food?q=egg', { mode: 'same-origin' })).toEqual(BLOCKED);
  });

  it.each(['one origin', '*'])('passes a preflight with a custom header (allowed: %s)', async (kind) => {
    await start(kind === '*' ? '*' : site.origin);
    const outcome = await fetchInPage('/api/food?q=egg', { headers: { 'x-diary': '1' } });
    expect(outcome).toMatchObject({ type: 'cors', status: 200 });
  });

  test('fails a preflight if another origin is allowed', async () => {
    await start('https://app.example');
    expect(await fetchInPage('/api/food?q=egg', { headers: { 'x-diary': '1' } })).toEqual(BLOCKED);
  });

  test('reads the error message', async () => {
    await start(site.origin);
    const outcome = await fetchInPage(`/api/food?q=${'a'.repeat(17_000)}`);
    expect(outcome).toMatchObject({ status: 414, body: expect.stringContaining('too long') });
  });

  test('reads that the service is unavailable, and when to try again', async () => {
    const busy: MadeUpCatalog = {
      dataSet: catalog.dataSet,
      search: () => {
        throw new Unavailable('The database cannot be reached.', 7);
      },
      close: async () => {},
    };
    service = await startService(busy, { allowedOrigin: site.origin });
    expect(await fetchInPage('/api/food?q=egg', { headers: { 'x-diary': '1' } })).toEqual({
      type: 'cors',
      status: 503,
      retryAfter: '7',
      body: '{"error":"The database cannot be reached."}',
    });
  });

  test('reads that it exceeds the rate limit', async () => {
    const rateLimit = { requests: 1, seconds: 60 };
    service = await startService(catalog, { allowedOrigin: site.origin, rateLimit });
    await fetchInPage('/api/food?q=egg');
    expect(await fetchInPage('/api/food?q=milk')).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^\d+$/),
      body: expect.stringContaining('Too many searches'),
    });
  });

  describeWithShared('with real data', () => {
    it.each([
      [SR28_CSV, 'Egg, whole, raw, fresh'],
      [SR28_SQLITE, 'Egg, whl, raw, frsh'],
    ])('reads %s', async (file, description) => {
      const real = await openCatalog(file);
      service = await startService(real, { allowedOrigin: site.origin });
      const { body = '' } = await fetchInPage(`/api/food?q=${encodeURIComponent(description)}`);
      expect(JSON.parse(body)).toContainEqual(
        expect.objectContaining({ description, kcal: 143, fat_g: '8.70' }),
      );
    });
  });
});
