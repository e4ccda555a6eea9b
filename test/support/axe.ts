/** Runs axe on a page, in both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours and sizes, which are enough if the page shows the same elements as before. */
const OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** By default axe omits the rule that WCAG 2.2 added. */
const ALL = { 'target-size': { enabled: true } };

export interface Findings {
  readonly colorScheme: 'light' | 'dark';
  /** The faults, each with its elements. */
  readonly faults: readonly string[];
  /** The number of rules that applied, and the least that shows that axe has looked at the page. */
  readonly applied: number;
  readonly least: number;
}

/**
 * Adds axe to a page. Its context must bypass the Content-Security-Policy.
 * @returns a function that checks the page in its current state, light and dark
 */
export async function addAxe(page: Page): Promise<() => Promise<Findings[]>> {
  await page.addScriptTag({ content: AXE });
  let before: unknown;
  return async () => {
    const all: Findings[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(newLook);
      const shown = await page.evaluate(shownElements);
      const isKnown = shown === before;
      before = shown;
      // Without `resultTypes`, axe also describes every element that passes.
      const options = JSON.stringify({
        resultTypes: ['violations'],
        ...(isKnown ? { runOnly: OF_LOOKS } : { rules: ALL }),
      });
      const { passes, violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
      all.push({
        colorScheme,
        faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
        applied: passes.length,
        least: isKnown ? 2 : 12,
      });
    }
    return all;
  };
}

const shownElements = (): string =>
  Array.from(document.body.querySelectorAll('*'), (element) => element.checkVisibility()).join() +
  document.body.outerHTML;

/** Waits for the frame that applies the new colours, and until they no longer change, to measure contrast. */
async function newLook(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
