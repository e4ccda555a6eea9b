/** Runs axe on a page, in both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules about colours, which are enough for the second scheme of the same page. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export interface Findings {
  readonly colorScheme: 'light' | 'dark';
  /** The faults, each with its elements. */
  readonly faults: readonly string[];
  /** The number of rules that applied, and the least that shows that axe has looked at the page. */
  readonly applied: number;
  readonly least: number;
}

/** Adds axe to a page. Its context must bypass the Content-Security-Policy. */
export const addAxe = async (page: Page): Promise<void> => void (await page.addScriptTag({ content: AXE }));

/** Checks the page in its current state, light and dark. */
export async function findings(page: Page): Promise<Findings[]> {
  const all: Findings[] = [];
  let before: unknown;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(newLook);
    const shown = await page.evaluate('document.body.outerHTML');
    const rules = shown === before ? OF_COLOURS : undefined;
    before = shown;
    // Without resultTypes, axe also describes every element that passes.
    const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
    const { passes, violations } = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
    all.push({
      colorScheme,
      faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
      applied: passes.length,
      least: rules === undefined ? 11 : 1,
    });
  }
  return all;
}

/** Waits for the frame that applies the new colours, and until they no longer change, to measure contrast. */
async function newLook(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
