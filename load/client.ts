/**
 * Measures the time from a key press until its foods are painted, with the built page in Chromium and the service on loopback,
 * and prints their spread: `npm run bench:client`. FOOD_DATA names other data; SLOWDOWN=4 slows the page's processor down
 * four times.
 */
import { openCatalog } from '../src/cli/open-catalog.ts';
import type { FoodEntry } from '../src/foods/food.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { box } from '../test/support/page-states.ts';
import { startService } from '../test/support/service.ts';
import { spreadOf } from './tools/measure.ts';
import { typedTexts } from './tools/typed-texts.ts';

/** Words of descriptions, in any order: no text is typed twice, so that no answer is in a cache. */
const TEXTS = 40;
/** ms between the keys of a typist. */
const PAUSE = 160;
const SEED = 33;

const catalog = await openCatalog(process.env.FOOD_DATA);
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
const slowdown = Number(process.env.SLOWDOWN ?? 1);
const session = await page.context().newCDPSession(page);
await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });

// A key press ends with the frame that shows the foods of the new text, or that there are none.
await page.evaluate(() => {
  const times: number[] = [];
  Object.assign(window, { times });
  let pressed: number | undefined;
  document.addEventListener('keydown', (event) => {
    pressed = event.timeStamp;
  });
  const results = document.querySelector('#results');
  if (results === null) throw new Error('the page has no results');
  new MutationObserver(() => {
    const isShown = results.getAttribute('aria-busy') === 'false' && !results.classList.contains('idle');
    if (pressed === undefined || !isShown) return;
    const start = pressed;
    pressed = undefined;
    // After the next frame: a message is handled once it is painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => times.push(performance.now() - start);
      port2.postMessage(0);
    });
  }).observe(results, { attributes: true, childList: true, subtree: true });
});

for (const text of new Set(typedTexts(descriptions, TEXTS, SEED))) {
  await box(page).fill('');
  for (const letter of text.slice(0, 24)) {
    await page.keyboard.press(letter);
    await page.waitForTimeout(PAUSE);
  }
}
const times = (await page.evaluate('times')) as number[];
await browser.close();
await service.close();

const { p50, p99, worst } = spreadOf(times);
process.stdout.write(
  `key press to foods painted, ${times.length} key presses, processor slowed ${slowdown} times: ` +
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, longest ${worst.toFixed(1)} ms\n`,
);
