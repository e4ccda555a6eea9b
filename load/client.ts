/**
 * Measures the time from a key press until its foods are painted, with the built page on a phone's screen in Chromium and the
 * service on loopback, at full speed and with the page's processor slowed 4 and 6 times: `npm run bench:client`. FOOD_DATA names
 * other data, such as build/bench-data/2000000.idx, which `npm run bench -- words` makes. Each run types other texts; SEED repeats
 * those of an earlier one.
 */
import { openCatalog } from '../src/cli/open-catalog.ts';
import type { FoodEntry } from '../src/foods/food.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { box } from '../test/support/page-states.ts';
import { startService } from '../test/support/service.ts';
import { foodData } from './tools/data-sets.ts';
import { typedTexts } from './tools/typed-texts.ts';

/** Words of descriptions, in any order, for each slowdown: no text is typed twice, so that no answer is in a cache. */
const TEXTS = 25;
/** ms between the keys of a typist. */
const PAUSE = 160;
const SLOWDOWNS = [1, 4, 6];
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);

const catalog = await openCatalog(process.env.FOOD_DATA ?? foodData());
const descriptions: string[] = [];
for (const word of ['raw', 'cooked', 'with', 'whole', 'dry', 'canned', 'oil', 'milk', 'bread', 'fat']) {
  const answer = JSON.parse(Buffer.from(await catalog.search(word)).toString()) as FoodEntry[];
  descriptions.push(...answer.map(({ description }) => description));
}

const service = await startService(catalog, { nodeEnv: 'production' });
const browser = await launchBrowser();
// A phone.
const page = await browser.newPage({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true });
await page.goto(service.url);
const session = await page.context().newCDPSession(page);

// A key press that changes the search ends with the frame that shows the foods of the new text, or of a later one, or that there
// are none. A blank after a word changes nothing.
await page.evaluate(() => {
  const times: number[] = [];
  Object.assign(window, { times });
  let pressed = 0;
  let searched = '';
  let unanswered: number[] = [];
  document.addEventListener('keydown', ({ timeStamp }) => {
    pressed = timeStamp;
  });
  document.addEventListener(
    'input',
    ({ target }) => {
      const before = searched;
      searched = (target as HTMLInputElement).value.trim();
      if (searched === '') unanswered = [];
      else if (searched !== before) unanswered.push(pressed);
    },
    { capture: true },
  );
  const results = document.querySelector('#results');
  if (results === null) throw new Error('the page has no results');
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
});

process.stdout.write(`key press to foods painted, SEED=${SEED}\n`);
const texts = [...new Set(typedTexts(descriptions, TEXTS * SLOWDOWNS.length, SEED))];
for (const [place, slowdown] of SLOWDOWNS.entries()) {
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  for (const text of texts.slice(place * TEXTS, (place + 1) * TEXTS)) {
    await box(page).fill('');
    for (const letter of text.slice(0, 24)) {
      await page.keyboard.press(letter);
      await page.waitForTimeout(PAUSE);
    }
  }
  const times = (await page.evaluate('times.splice(0)')) as number[];
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => `${sorted[Math.floor(share * sorted.length)]?.toFixed(0)} ms`;
  process.stdout.write(
    `processor slowed ${slowdown} times: p50 ${at(0.5)}, p95 ${at(0.95)} of ${times.length} key presses\n`,
  );
}
await browser.close();
await service.close();
