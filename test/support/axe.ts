/** Runs axe on a page, in both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare const axe: typeof import('axe-core');

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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
    const { applied, faults } = await page.evaluate(check);
    expect(applied, 'rules that applied').toBeGreaterThanOrEqual(12);
    expect.soft(faults, `${state}, ${colorScheme}`).toEqual([]);
  }
  schemes.reverse();
}

/** Runs in the page. */
async function check() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  // Contrast is measured at the end of animations, in the frame that applies the new colours.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  await frame();
  const { passes, violations } = await axe.run({
    // By default, axe also describes every element that passes, and loads sounds and videos, of which there are none.
    resultTypes: ['violations'],
    preload: false,
    // By default it omits the rule that WCAG 2.2 added.
    rules: { 'target-size': { enabled: true } },
  });
  return {
    applied: passes.length,
    faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  };
}
