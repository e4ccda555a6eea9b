/** Runs axe on a page, in both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare const axe: typeof import('axe-core');

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** The rules which are enough if the page shows the same elements as before, or has even the same layout. */
const RULES = {
  ofColours: OF_COLOURS,
  ofLooks: [...OF_COLOURS, 'scrollable-region-focusable', 'target-size'],
};

/** The colour schemes in order. The next check begins with that of the last, because another one draws everything anew. */
const schemes: ('light' | 'dark')[] = ['light', 'dark'];

/** Expects that axe finds no fault in the page as it is, light and dark. */
export async function expectNoFaults(page: Page, state: string): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) {
    await page.evaluate(AXE);
    await page.evaluate(() => {
      // Where an element passes its colour on, a transition of it starts others when it ends.
      const style = new CSSStyleSheet();
      style.replaceSync('*, ::before, ::after { transition: none !important }');
      document.adoptedStyleSheets.push(style);
    });
  }
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const { applied, least, faults } = await page.evaluate(check, RULES);
    expect(applied, 'rules that applied').toBeGreaterThanOrEqual(least);
    expect.soft(faults, `${state}, ${colorScheme}`).toEqual([]);
  }
  schemes.reverse();
}

/** Runs in the page, which keeps what it showed at the last check. */
async function check({ ofColours, ofLooks }: typeof RULES) {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  // Contrast is measured at the end of animations, in the frame that applies the new colours.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  await frame();

  const elements = [...document.body.querySelectorAll('*')];
  const shown = elements.map((element) => element.checkVisibility()).join() + document.body.outerHTML;
  const boxes = JSON.stringify(elements.map((element) => element.getBoundingClientRect()));
  const before: unknown = Reflect.get(window, 'checked');
  const [shownBefore, boxesBefore] = Array.isArray(before) ? before : [];
  Reflect.set(window, 'checked', [shown, boxes]);
  const isKnown = shown === shownBefore;
  const rules = boxes === boxesBefore ? ofColours : ofLooks;
  const { passes, violations } = await axe.run({
    // By default, axe also describes every element that passes, and loads sounds and videos, of which there are none.
    resultTypes: ['violations'],
    preload: false,
    ...(isKnown
      ? { runOnly: rules }
      : // By default axe omits the rule that WCAG 2.2 added.
        { rules: { 'target-size': { enabled: true } } }),
  });
  return {
    applied: passes.length,
    // Not every rule finds elements that it applies to.
    least: isKnown ? rules.length / 2 : 12,
    faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  };
}
