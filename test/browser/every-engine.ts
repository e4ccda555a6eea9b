/** What must work in every engine: a page on another origin queries the service, and the service's own page works. */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type FoodCatalog, Unavailable } from '#core';
import type { Settings } from '#service';
import { plateLink } from '../../client/plate/plate-link.ts';
import { startSite } from '../support/browser.ts';
import { casesOf } from '../support/cases.ts';
import { makeCertificate } from '../support/certificate.ts';
import { shared } from '../support/client-page.ts';
import type { Engine, Tab } from '../support/engines.ts';
import { temporaryFolder } from '../support/files.ts';
import type { Inspected } from '../support/inspected-webkit.ts';
import { startForTest } from '../support/lifetime.ts';
import { inGrams } from '../support/page-states.ts';
import { describeWithPrograms } from '../support/requirements.ts';
import type { MadeUpCatalog, Service } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { documentedConsoles, isSaid, startConsoleCases } from './console-cases.ts';

type Outcome = { readonly [what in 'type' | 'body' | 'retryAfter' | 'failure']?: string } & {
  status?: number;
};

const ofHundredGrams = (description: string) => ({
  food: { description, kcal: '100', protein: '1', fat: '1', carbohydrate: '1' },
  ...inGrams('100'),
});

const EGG = '/api/food?q=egg%2C%20whole%2C%20raw';
const DIARY = { headers: { 'x-diary': '1' } };

/** The page of the console is read over TLS, too. */
export const testIn = (engine: Engine): void =>
  describeWithPrograms('openssl')('a page', () => engine.describe(`in ${engine.name}`, () => tests(engine)));

function tests(engine: Engine): void {
  const folder = temporaryFolder();
  let consoles: Awaited<ReturnType<typeof startConsoleCases>>;
  let tab: Tab;
  let inspected: Promise<Inspected>;
  beforeAll(async () => {
    const { catalog } = await shared();
    const certificate = await makeCertificate(folder.path('console'), 'DNS:localhost');
    consoles = await startConsoleCases(catalog, certificate);
    tab = await engine.start();
    // Starts while other tests run.
    inspected = tab.inspect?.(consoles.page) ?? Promise.resolve(tab);
  });
  afterAll(async () => {
    for (const each of new Set([tab, await inspected])) await each.close();
    await consoles.close();
  });

  describe('a page on another origin', () => {
    let site: Awaited<ReturnType<typeof startSite>>;
    let catalog: FoodCatalog;
    let service: Service;

    beforeAll(async () => {
      site = await startSite();
      ({ catalog } = await shared());
      await tab.open(site.origin);
    });
    afterAll(() => site.close());

    /** A service that allows this page by default. */
    const start = async (settings: Partial<Settings> = {}, from: MadeUpCatalog = catalog) => {
      service = await startForTest(from, { allowedOrigin: site.origin, ...settings });
    };
    const fetchInPage = (target = EGG, init: RequestInit = {}): Promise<Outcome> =>
      tab.evaluate(
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
    const BLOCKED = { failure: engine.blocked };
    const READ = { type: 'cors', status: 200, body: expect.stringContaining('"fat_g":"8.70","kcal":143') };
    const OPAQUE = { type: 'opaque', status: 0, body: '' };
    const OTHER = 'https://app.example';
    const LONG = `/api/food?q=${'a'.repeat(17_000)}`;
    const TOO_LONG = { status: 414, body: expect.stringContaining('too long') };

    it.each<[string, string | undefined, object, RequestInit?, string?]>([
      ['reads the answer if its origin is allowed', 'its own', READ],
      ['gets a network failure if another origin is allowed', OTHER, BLOCKED],
      ['gets an opaque response in no-cors mode', undefined, OPAQUE, { mode: 'no-cors' }],
      ['gets an opaque response in no-cors mode', '*', OPAQUE, { mode: 'no-cors' }],
      ['gets a network failure in same-origin mode', 'its own', BLOCKED, { mode: 'same-origin' }],
      ['passes a preflight with a custom header', 'its own', READ, DIARY],
      ['passes a preflight with a custom header', '*', READ, DIARY],
      ['fails a preflight if another origin is allowed', OTHER, BLOCKED, DIARY],
      ['reads the error message', 'its own', TOO_LONG, {}, LONG],
    ])('%s (allowed: %s)', async (_what, allowed, outcome, init, target) => {
      await start({ allowedOrigin: allowed === 'its own' ? site.origin : allowed });
      expect(await fetchInPage(target, init)).toMatchObject(outcome);
    });

    test('reads the answer as soon as it is allowed, because refused answers are not cached', async () => {
      await start({ allowedOrigin: undefined });
      expect(await fetchInPage()).toEqual(BLOCKED);
      await service.close();
      await start({ port: service.port });
      expect(await fetchInPage()).toMatchObject(READ);
    });

    test('reads that the service is unavailable, and when to retry', async () => {
      const search = () => {
        throw new Unavailable('The database cannot be reached.');
      };
      await start({}, { search });
      const body = '{"error":"The database cannot be reached."}';
      expect(await fetchInPage(EGG, DIARY)).toEqual({ type: 'cors', status: 503, retryAfter: '1', body });
    });

    const counted = async (outcome: string): Promise<number> => {
      const page = await (await fetch(`${service.url}/metrics`)).text();
      return Number(new RegExp(`_requests_total\\{outcome="${outcome}"\\} (\\d+)`).exec(page)?.[1]);
    };

    test('gets a cached answer without a request, but never that of another origin', async () => {
      const other = await startSite();
      await start();
      const answer = await fetchInPage();
      expect(answer.status).toBe(200);
      expect(await fetchInPage()).toEqual(answer);
      expect(await counted('found')).toBe(engine.keepsAnswers ? 1 : 2);
      await tab.open(other.origin);
      expect(await fetchInPage()).toEqual(BLOCKED);
      await tab.open(site.origin);
      expect(await fetchInPage()).toEqual(answer);
      other.close();
    });

    test('sends one preflight for several requests with a custom header', async () => {
      await start();
      // The answer is never cached, so every call sends a request. Firefox forgets preflights while it starts.
      const preflightsOfOneMore = async (): Promise<number> => {
        const before = await counted('preflight');
        const { status } = await fetchInPage('/api/food', DIARY);
        expect(status).toBe(200);
        return (await counted('preflight')) - before;
      };
      expect(await preflightsOfOneMore()).toBe(1);
      await expect.poll(preflightsOfOneMore).toBe(0);
    });
  });

  test('the console shows the messages in docs/cross-origin.md', async () => {
    const document = await documentedConsoles();
    // check-cors.ci.test.ts tests the two about local networks.
    expect(document.count).toBe(consoles.cases.length + 2);
    const isSame = document.isVersion(engine.name, tab.version);
    const page = await inspected;
    await page.open(consoles.page);
    for (const each of consoles.cases) {
      await consoles.provoke(page, each);
      const sentence = document.sentence(each.says, engine.name);
      await expect
        .poll(() => page.messages.map(consoles.documented), { message: each.says, interval: 10 })
        .toSatisfy((messages: string[]) => isSaid(sentence, messages, isSame));
    }
  });

  test('an https page may send requests to http on this machine, except in WebKit', async () => {
    const page = await inspected;
    await page.open(consoles.securePage);
    const url = `${consoles.open}${EGG}`;
    const status = async (address: string) => (await fetch(address).catch(() => ({ status: 0 }))).status;
    expect(await page.evaluate(status, url)).toBe(engine.trustsLoopback ? 200 : 0);
  });

  test('the page finds a food, adds it, changes its amount and stores it', async () => {
    const { url } = (await shared()).service;
    const click = async (name: string): Promise<void> => {
      let place = await middleOf(tab, name);
      // Waits until it no longer moves.
      await waitFor(async () => {
        const before = place;
        place = await middleOf(tab, name);
        return place !== null && isDeepStrictEqual(place, before);
      });
      await tab.click(place?.x ?? 0, place?.y ?? 0);
    };
    const grams = (food: string) =>
      tab.evaluate(
        (name) => document.querySelector<HTMLInputElement>(`input[aria-label="Amount of ${name}"]`)?.value,
        food,
      );
    const found = '.results[aria-busy="false"] .foods .description';
    const firstName = () => tab.evaluate((each) => document.querySelector(each)?.textContent ?? null, found);
    const text = () => tab.evaluate(() => document.body.innerText, null);

    await tab.open(url);
    await click('Food');
    await tab.press('banana, raw');
    // Until then, foods move, and are drawn anew.
    await expect.poll(firstName).toBe('Banana, raw');
    await click('Banana, raw');
    await expect.poll(() => grams('Banana, raw')).toBe('100 g');
    await click('Amount of Banana, raw');
    await tab.press(['Control+A', ...'200', 'Tab']);
    await expect.poll(text).toMatch(/\b178\b/);
    await tab.open(url);
    await expect.poll(() => grams('Banana, raw')).toBe('200 g');
  });

  test.each(
    casesOf(`
      de | 200 g Reis; 2 Eier; 1 EL Olivenöl | Für den Teig: | Reis, weiß, Langkorn, trocken; Ei, ganz, roh; Olivenöl
      fr | 200 g de riz; 2 œufs; 10 g de beurre | Pour la pâte : | Riz blanc; Œuf; Beurre
      ja | 卵 2個; 牛乳 200ml; バター 10g | 材料： | 卵; 牛乳; バター
    `),
  )(
    'in %s, a list, a recipe, a plate and its link have the foods of the language',
    async (language = '', lines = '', heading = '', beginnings = '') => {
      const list = lines.split('; ');
      const alike = beginnings.split('; ').map((each) => expect.stringMatching(`^${each}`));
      const { url } = (await shared()).service;
      const names = () =>
        tab.evaluate((found) => {
          const all = document.querySelectorAll(found);
          return Array.from(all, ({ firstChild }) => firstChild?.textContent ?? '');
        }, '.results[aria-busy="false"] .foods .description');
      const speak = (code: string) =>
        tab.evaluate((each) => localStorage.setItem('food-lookup.language', JSON.stringify(each)), code);
      const plate = () => tab.evaluate(() => document.querySelector('.plate')?.textContent ?? '', null);
      await tab.open(url);
      await speak(language);
      for (const typed of [list.join(', '), [heading, ...list].join('\n')]) {
        await tab.open(`${url}/?q=${encodeURIComponent(typed)}`);
        await expect.poll(names, { timeout: 15_000 }).toEqual(alike);
      }
      const foods = await names();
      await tab.evaluate(() => document.querySelector<HTMLElement>('#box')?.focus(), null);
      await tab.press(['Enter']);
      for (const food of foods) await expect.poll(plate).toContain(food);
      // What is kept is named anew in another language; what a link names stays as it was sent.
      await speak('en');
      await tab.open(url);
      await expect.poll(plate).toMatch(/Rice|Egg/);
      for (const food of foods) await expect.poll(plate).not.toContain(food);
      await tab.evaluate(() => localStorage.clear(), null);
      await tab.open(plateLink(foods.map(ofHundredGrams), url));
      for (const food of foods) await expect.poll(plate).toContain(food);
      await tab.evaluate(() => localStorage.clear(), null);
    },
  );

  test('the box is as high as a list without line breaks, up to a third of the window', async () => {
    const list = Array.from({ length: 30 }, (_, i) => `${i + 1} eggs and some bread`);
    const { url } = (await shared()).service;
    for (const [length, missing] of [
      [9, 0],
      [30, 1],
    ] as const) {
      await tab.open(`${url}/?q=${encodeURIComponent(list.slice(0, length).join(', '))}`);
      const box = () =>
        tab.evaluate(() => {
          const { clientHeight = 0, scrollHeight = 0 } = document.querySelector('#box') ?? {};
          return [Math.sign(scrollHeight - clientHeight), clientHeight > 80];
        }, null);
      await expect.poll(box).toEqual([missing, true]);
    }
  });
}

/** The middle of the control with this name; null if there is none. */
const middleOf = (tab: Tab, name: string): Promise<{ x: number; y: number } | null> =>
  tab.evaluate((wanted) => {
    const nameOf = (control: HTMLInputElement): string | null | undefined =>
      control.ariaLabel ?? (control.labels?.length ? control.labels[0]?.textContent : control.textContent);
    const control = Array.from(document.querySelectorAll<HTMLInputElement>('input, textarea, button')).find(
      (each) => nameOf(each)?.trim() === wanted,
    );
    if (control === undefined) return null;
    control.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    const { x, y, width, height } = control.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, name);
