/** `npm run dev`: service and page on two origins, each restarted when its source changes. */
import { spawn } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { test } from '../support/client-page.ts';
import { freePort } from '../support/free-port.ts';
import { box, foods } from '../support/page-parts.ts';
import { end, writtenTo } from '../support/programs.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { succeeds } from '../support/wait.ts';

async function preloadedTypes(page: Page): Promise<(string | undefined)[]> {
  const links = await page.locator('link[rel="preload"]').all();
  return Promise.all(
    links.map(async (link) => {
      const address = new URL((await link.getAttribute('href')) ?? '', page.url());
      return (await page.request.get(address.href)).headers()['content-type'];
    }),
  );
}

const touch = (file: string) => utimes(file, new Date(), new Date());

describeWithChromium('npm run dev', () => {
  test('starts both, and restarts each when it changes', async ({ pages }) => {
    const [service, own] = [await freePort('localhost'), await freePort('localhost')];
    const child = spawn(process.execPath, ['scripts/run.mjs', 'scripts/dev.ts'], {
      env: { PATH: process.env.PATH, PORT: String(service), PAGE_PORT: String(own) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const output = writtenTo(child.stdout);
    const greetings = () => output().split('food-lookup listens on').length - 1;
    await expect.poll(greetings).toBe(1);
    expect(output()).toContain(`pages on http://localhost:${own} may read`);

    pages.expectFaults();
    const page = await pages.blank();
    // Compiler, bundler and browser share the processors with other tests.
    page.setDefaultTimeout(60_000);
    await page.goto(`http://localhost:${own}/`);
    await box(page).fill('egg');
    await foods(page).first().waitFor();
    await page.getByText(`Answers come from http://localhost:${service}/`).waitFor();
    // Faster than waiting for Chromium to warn about an unused preloaded font.
    for (const type of await preloadedTypes(page)) expect(type).toBe('font/woff2');

    const reloaded = page.waitForEvent('load');
    await touch('client/index.html');
    await reloaded;
    await touch('src/service/cli/main.ts');
    await expect.poll(greetings).toBe(2);
    await page.close();
    await end(child);
    await expect.poll(() => succeeds(fetch(`http://localhost:${service}/`))).toBe(false);
  });
});
