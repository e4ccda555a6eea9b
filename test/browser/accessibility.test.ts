/** Checks WCAG 2.2 A and AA with axe, in every state of the page and both colour schemes. */
import { test } from 'vitest';
import { expectNoFaults } from '../support/axe.ts';
import { clientPages } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

const WIDTHS = [320, 375, 768, 1024, 1440];

describeWithChromium('axe finds nothing', () => {
  const pages = clientPages();

  test('in any state of the page, narrow and wide, light and dark', { timeout: 900_000 }, async () => {
    pages.expectFaults();
    const stranger = await startForTest(pages.catalog);
    const page = await pages.blank({ reducedMotion: 'reduce' });
    for (const { name, reach } of PAGE_STATES) {
      await page.setViewportSize({ width: 375, height: 800 });
      await reach(page, { page: pages.service.url, stranger: stranger.url });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoFaults(page, `${name}, ${width} px wide`);
      }
    }
  });
});
