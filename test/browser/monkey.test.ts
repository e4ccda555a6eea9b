/** Ten thousand random key presses, without an error on the console. */
import { expect, test } from 'vitest';
import { clientPages } from '../support/client-page.ts';
import { box, foods, search } from '../support/page-states.ts';
import { seeded } from '../support/random.ts';
import { describeWithChromium } from '../support/requirements.ts';

const KEYSTROKES = 10_000;

const LETTERS = [...'aeiourstlnmgk,eggmilkbread 0123456789%&"\'<>\\/.-+#*(_)?=;:'];
const KEYS = [
  'ArrowDown',
  'ArrowUp',
  'ArrowLeft',
  'ArrowRight',
  'Enter',
  'Escape',
  'Backspace',
  'Delete',
  'Tab',
  'Shift+Tab',
  'Home',
  'End',
  'Space',
  'PageDown',
  'Control+A',
];

describeWithChromium('the page', () => {
  const pages = clientPages();

  test(`survives ${KEYSTROKES.toLocaleString('en')} random keystrokes`, { timeout: 180_000 }, async () => {
    const page = await pages.blank({ viewport: { width: 1280, height: 800 } });
    // No dialog and no link may lead away from the page.
    await page.addInitScript(() => {
      window.print = () => {};
      document.addEventListener('click', (event) => {
        if (event.target instanceof HTMLAnchorElement) event.preventDefault();
      });
    });
    await page.goto(pages.service.url);
    await box(page).focus();
    const random = seeded(20_261_121);
    for (let pressed = 0; pressed < KEYSTROKES; pressed++) {
      const isLetter = random(10) < 7;
      const key = isLetter ? LETTERS[random(LETTERS.length)] : KEYS[random(KEYS.length)];
      await page.keyboard.press(key ?? 'a');
      // A search now and then, so that keys are also pressed on foods.
      if (pressed % 250 === 0) await box(page).fill('mil');
    }
    await search(page, 'banana');
    expect(await foods(page).count()).toBeGreaterThan(0);
    expect(await page.locator('body').textContent()).not.toMatch(/NaN|undefined|\[object/);
  });
});
