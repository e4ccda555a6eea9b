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

const LOOKS = ([320, 375, 768, 1024, 1440] as const).flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

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
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      // The new look is applied in the next frame.
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
      const results = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
      expect(results.passes.length, 'rules that apply').toBeGreaterThan(10);
      const found = results.violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      );
      expect(found, `${width} ${colorScheme}`).toEqual([]);
    }
  });
});
