/** Measures the built page on a phone's screen in Chromium, with the service on the same machine. */
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';
import { serve } from '../../test/support/command.ts';
import { median, spreadOf } from '../tools/measure.ts';
import { typedTexts } from '../tools/typed-texts.ts';

/** For each slowdown: no text is typed twice, so that no answer is in a cache, and each run types others. */
const TEXTS = 15;
const seed = Date.now() % 1_000_000;
/** ms between the keys of a typist. */
const PAUSE = 160;
const SLOWDOWNS = [1, 4, 6];
/** ms after which the page has opened the index of a small data set. */
const SETTLED = 5000;
const PAINTS = 5;
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };

const PHONE = { viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true };

/**
 * Runs in the page. A key press that changes the search ends with the frame that shows the foods of the new text, or of a later one,
 * or that there are none. A blank after a word changes nothing.
 */
const WATCH_KEYS = `
  const results = document.querySelector('#results');
  let pressed = 0;
  let searched = '';
  let unanswered = [];
  window.times = [];
  document.addEventListener('keydown', ({ timeStamp }) => pressed = timeStamp);
  document.addEventListener('input', ({ target }) => {
    const before = searched;
    searched = target.value.trim();
    if (searched === '') unanswered = [];
    else if (searched !== before) unanswered.push(pressed);
  }, { capture: true });
  new MutationObserver(() => {
    if (results.getAttribute('aria-busy') !== 'false' || results.classList.contains('idle')) return;
    const answered = unanswered;
    unanswered = [];
    // After the next frame: a message is handled once it is painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => times.push(...answered.map((start) => performance.now() - start));
      port2.postMessage(0);
    });
  }).observe(results, { attributes: true, childList: true, subtree: true });
`;

interface Searched {
  readonly data: string;
  readonly descriptions: readonly string[];
  /** The largest data set that the page searches by itself. */
  readonly offlineFoods?: number;
}

/** With the foods of each service. */
export async function measurePage(sets: readonly Searched[]) {
  const browser = await launchBrowser();
  const paints: number[] = [];
  const keys = [];
  for (const { data, descriptions, offlineFoods = 0 } of sets) {
    const settings = { FOOD_DATA: data, NODE_ENV: 'production', OFFLINE_FOODS: String(offlineFoods) };
    const service = await serve([], settings);
    while (paints.length < PAINTS) paints.push(await firstPaint(browser, service.url));
    const foods = descriptions.length;
    for (const times of await measureKeys(browser, service.url, descriptions))
      keys.push({ foods, isLocal: foods <= offlineFoods, ...times });
    await service.stop();
  }
  await browser.close();
  return { keys, firstPaint: median(paints) };
}

/** For each slowdown of the page's processor: ms from a key press until its foods are painted. */
async function measureKeys(browser: Browser, url: string, descriptions: readonly string[]) {
  const page = await browser.newPage(PHONE);
  await page.goto(url);
  await page.evaluate(WATCH_KEYS);
  await page.waitForTimeout(SETTLED);
  const session = await page.context().newCDPSession(page);
  const texts = [...new Set(typedTexts(descriptions, TEXTS * SLOWDOWNS.length, seed))];
  const figures = [];
  for (const [place, slowdown] of SLOWDOWNS.entries()) {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    for (const text of texts.slice(place * TEXTS, (place + 1) * TEXTS)) await type(page, text.slice(0, 24));
    const times = (await page.evaluate('times.splice(0)')) as number[];
    const { p50, p95 } = spreadOf(times);
    figures.push({ slowdown, presses: times.length, p50, p95 });
  }
  await page.close();
  return figures;
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Food', exact: true }).fill('');
  for (const letter of text) {
    await page.keyboard.press(letter);
    await page.waitForTimeout(PAUSE);
  }
}

/** ms until the first paint with text on slow 3G, with a processor slowed 4 times and nothing cached. */
async function firstPaint(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage(PHONE);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await session.send('Network.emulateNetworkConditions', SLOW_3G);
  await page.goto(url);
  const paint = await page.waitForFunction(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
  );
  const time = Number(await paint.jsonValue());
  await page.close();
  return time;
}
