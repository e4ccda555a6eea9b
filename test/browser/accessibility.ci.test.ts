/** Checks WCAG 2.2 A and AA with axe, in every state of the page and both colour schemes. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openCatalog } from '#service';
import { test } from '../support/client-page.ts';
import { startForTest } from '../support/lifetime.ts';
import { PHONE } from '../support/page-parts.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { describeWithChromium } from '../support/requirements.ts';

declare const axe: typeof import('axe-core');

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One of each layout: narrow, with the plate in a sheet, with the plate beside the search. */
const WIDTHS = [320, 768, 1024];

/** In order. The next check begins with that of the last, because another one draws everything anew. */
const schemes: ('light' | 'dark')[] = ['light', 'dark'];

async function expectNoFaults(page: Page, state: string): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) {
    await page.evaluate(AXE);
    await page.evaluate(() => {
      // Where an element passes its colour on, a transition of it starts others when it ends.
      const style = new CSSStyleSheet();
      style.replaceSync('*, ::before, ::after { transition: none !important }');
      document.adoptedStyleSheets.push(style);
    });
  }
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const { applied, faults } = await page.evaluate(check);
    expect(applied, 'rules that applied').toBeGreaterThanOrEqual(12);
    expect.soft(faults, `${state}, ${colorScheme}`).toEqual([]);
  }
  schemes.reverse();
}

/** Runs in the page. */
async function check() {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  // Contrast is measured at the end of animations, in the frame that applies the new colours.
  for (const animation of document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
  await frame();
  const { passes, violations } = await axe.run({
    // By default, axe also describes every element that passes, and loads sounds and videos, of which there are none.
    resultTypes: ['violations'],
    preload: false,
    // By default it omits the rule that WCAG 2.2 added.
    rules: { 'target-size': { enabled: true } },
  });
  return {
    applied: passes.length,
    faults: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
  };
}

describeWithChromium('axe finds nothing', () => {
  test('in any state, narrow and wide, light and dark', { timeout: 400_000 }, async ({ pages }) => {
    pages.expectFaults();
    // Has labels, too.
    const catalog = await openCatalog(undefined);
    const [service, kept, stranger] = await Promise.all([
      startForTest(catalog, { nodeEnv: 'production' }),
      startForTest(catalog, { nodeEnv: 'production', offline: true }),
      startForTest(catalog),
    ]);
    const page = await pages.blank({ reducedMotion: 'reduce' });
    for (const { name, reach } of PAGE_STATES) {
      await page.setViewportSize({ width: 375, height: 800 });
      await reach(page, { page: service.url, kept: kept.url, stranger: stranger.url });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoFaults(page, `${name}, ${width} px wide`);
      }
    }
  });

  test('in the page at /docs, which fits a phone and follows the colour scheme', async ({ pages }) => {
    const page = await pages.open({ ...PHONE, colorScheme: 'dark' }, `${pages.service.url}/docs`);
    await expectNoFaults(page, 'docs');
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const part of (await ground()).match(/\d+/g) ?? []) expect(Number(part)).toBeLessThanOrEqual(60);
    await page.emulateMedia({ colorScheme: 'light' });
    for (const part of (await ground()).match(/\d+/g) ?? []) expect(Number(part)).toBeGreaterThanOrEqual(200);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
  });
});
