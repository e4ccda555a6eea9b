/** WCAG 2.2 A and AA, as far as axe can check it, in every state and both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientPages } from '../support/client-page.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { type Service, startService } from '../support/service.ts';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDTHS = [320, 375, 768, 1024, 1440];

/** The rules of axe that look at colours: enough where the page is, but for these, the one that was looked at before. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

describeWithChromium('axe finds nothing', () => {
  const pages = clientPages();

  let stranger: Service;
  beforeAll(async () => {
    stranger = await startService(pages.catalog);
  });
  afterAll(() => stranger.close());

  test.each(PAGE_STATES)('in the state $name, narrow and wide, light and dark', async ({ reach }) => {
    pages.expectFaults();
    // axe adds code to the page, which the policy of the page forbids.
    const page = await pages.blank({ bypassCSP: true, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 375, height: 800 });
    await reach(page, { page: pages.service.url, stranger: stranger.url });
    await page.addScriptTag({ content: AXE });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      let before: unknown;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // The new look is applied in the next frame.
        await page.evaluate(
          () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
        );
        const shown = await page.evaluate('document.body.outerHTML');
        const rules = shown === before ? OF_COLOURS : undefined;
        before = shown;
        const options = JSON.stringify({ resultTypes: ['violations'], runOnly: rules });
        const results = (await page.evaluate(`axe.run(${options})`)) as AxeResults;
        expect(results.passes.length, 'rules that apply').toBeGreaterThan(rules === undefined ? 10 : 0);
        const found = results.violations.map(
          ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
        );
        expect(found, `${width} ${colorScheme}`).toEqual([]);
      }
    }
  });
});
