/** WCAG 2.2 A and AA, as far as axe can check it, in every state and both colour schemes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAxe } from '../support/axe.ts';
import { clientPages } from '../support/client-page.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { type Service, startService } from '../support/service.ts';

const WIDTHS = [320, 375, 768, 1024, 1440];

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
    const findings = await addAxe(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const { colorScheme, faults, applied, least } of await findings()) {
        expect(applied, 'rules that apply').toBeGreaterThanOrEqual(least);
        expect(faults, `${width} ${colorScheme}`).toEqual([]);
      }
    }
  });
});
