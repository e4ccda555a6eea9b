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
  // Where an element passes its colour on, a transition of it starts others when it ends.
  await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' });
  return async () => {
    const all: Findings[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(newLook);
      const isKnown = await page.evaluate(showsSame);
      // Without `resultTypes`, axe also describes every element that passes.
      const options = JSON.stringify({
        resultTypes: ['violations'],
        ...(isKnown ? { runOnly: OF_LOOKS } : { rules: ALL }),
      });
      const found = (await page.evaluate(`axe.run(${options}).then(${summary})`)) as ReturnType<
        typeof summary
      >;
      all.push({ colorScheme, ...found, least: isKnown ? 2 : 12 });
    }
    return all;
  };
}

/** Returned in place of axe's results, whose transfer takes longer than some rules. */
const summary = ({ passes, violations }: AxeResults) => ({
  faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  applied: passes.length,
});

/** Whether the page shows the same elements as at the last call. The page keeps them, because they are long. */
function showsSame(): boolean {
  const elements = Array.from(document.body.querySelectorAll('*'), (element) => element.checkVisibility());
  const shown = elements.join() + document.body.outerHTML;
  const isSame = Reflect.get(window, 'shownBefore') === shown;
  Reflect.set(window, 'shownBefore', shown);
  return isSame;
}

/** Waits for the frame that applies the new colours, and ends animations, to measure contrast. */
async function newLook(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  await frame();
}
