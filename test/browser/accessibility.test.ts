/** WCAG 2.2 A and AA as far as axe can tell, in every state and both schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { expect, test } from 'vitest';
import { clientPages } from '../support/client-page.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { startService } from '../support/service.ts';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CASES = PAGE_STATES.flatMap(({ name, reach }) =>
  ([375, 1280] as const).map((width) => ({ name, reach, width })),
);

describeWithChromium('axe finds nothing', () => {
  const pages = clientPages();

  test.each(CASES)('in the state $name at a width of $width', async ({ reach, width }) => {
    pages.expectFaults();
    const stranger = await startService(pages.catalog);
    // axe brings code into the page, which the page's own policy forbids.
    const page = await pages.blank({
      bypassCSP: true,
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
    });
    await reach(page, { page: pages.service.url, stranger: stranger.url });
    await page.addScriptTag({ content: AXE });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // The other colours come with the next frame.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      const results = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
      expect(results.passes.length, 'rules that apply').toBeGreaterThan(10);
      const found = results.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      );
      expect(found, colorScheme).toEqual([]);
    }
    await page.close();
    await stranger.close();
  });
});
