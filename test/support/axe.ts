/** What axe finds on a page, in both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that depend on colours and sizes: enough where the page shows the same elements as before. */
const OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** All that axe runs by default, and what WCAG 2.2 added, which it does not. */
const ALL = { 'target-size': { enabled: true } };

export interface Findings {
  readonly colorScheme: 'light' | 'dark';
  /** The faults, each with the elements that have it. */
  readonly faults: readonly string[];
  /** How many rules applied, and how many must at the least where axe has looked at anything. */
  readonly applied: number;
  readonly least: number;
}

/**
 * Adds axe to a page, whose context bypasses the policy against code from elsewhere.
 * @returns what looks at the page as it is shown then, light and dark
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
      // Without `resultTypes` axe describes every element of the results that are not read, too.
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

/** The new look is applied in the next frame; a colour that still changes has no contrast to measure. */
async function newLook(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
