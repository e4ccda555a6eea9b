/** What axe finds on a page, in both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe that look at colours: enough where the page is, but for these, the one that was looked at before. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

export interface Findings {
  readonly colorScheme: 'light' | 'dark';
  /** The faults, each with the elements that have it. */
  readonly faults: readonly string[];
  /** How many rules applied, and how many must at the least where axe has looked at anything. */
  readonly applied: number;
  readonly least: number;
}

/** Adds axe to a page, whose context bypasses the policy against code from elsewhere. */
export const addAxe = async (page: Page): Promise<void> => void (await page.addScriptTag({ content: AXE }));

/** Looks at the page as it is shown now, light and dark. */
export async function findings(page: Page): Promise<Findings[]> {
  const all: Findings[] = [];
  let before: unknown;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(newLook);
    const shown = await page.evaluate('document.body.outerHTML');
    const rules = shown === before ? OF_COLOURS : undefined;
    before = shown;
    // axe describes every element of what is not asked for too, unless it is told.
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

/** The new look is applied in the next frame; a colour that still changes has no contrast to measure. */
async function newLook(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ending = document
    .getAnimations()
    .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
  await Promise.allSettled(ending.map(({ finished }) => finished));
}
