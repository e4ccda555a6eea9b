/** Runs the page in the README, and checks what docs/cross-origin.md says about browsers. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSite } from '../support/browser.ts';
import { clientPages } from '../support/client-page.ts';
import { describeWithChromium } from '../support/requirements.ts';
import { type Service, startService } from '../support/service.ts';

const readme = await readFile('README.md', 'utf8');
const crossOrigin = await readFile('docs/cross-origin.md', 'utf8');
const [, html = ''] = /```html\n([\s\S]*?)```/.exec(readme) ?? [];

describeWithChromium('the page in the README', () => {
  const pages = clientPages();
  let site: Awaited<ReturnType<typeof startSite>>;
  let allowing: Service;
  let refusing: Service;
  let served = '';

  beforeAll(async () => {
    site = await startSite((_request, response) =>
      response.setHeader('content-type', 'text/html').end(served),
    );
    [allowing, refusing] = await Promise.all([
      startService(pages.catalog, { allowedOrigin: site.origin }),
      startService(pages.catalog),
    ]);
  });
  afterAll(async () => {
    site.close();
    await Promise.all([allowing.close(), refusing.close()]);
  });

  const open = async (service: Service): Promise<Page> => {
    served = html.replace('http://localhost:3001', service.url);
    return pages.open({}, site.origin);
  };

  test('finds foods during typing, and shows none for an empty box', async () => {
    const page = await open(allowing);
    const box = page.getByRole('textbox', { name: 'Food' });
    await box.pressSequentially('avocado, raw');
    await page.getByText('Avocado, raw: 160 kcal', { exact: true }).waitFor();
    await box.fill('');
    await expect.poll(() => page.getByRole('listitem').count()).toBe(0);
  });

  test('is blocked without ALLOWED_ORIGIN, with the message in docs/cross-origin.md', async () => {
    pages.expectFaults(/Failed to fetch|blocked by CORS policy|ERR_FAILED/);
    const page = await open(refusing);
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    await page.getByRole('textbox', { name: 'Food' }).fill('egg');
    const [, shown = ''] = /```text\n(Access to fetch .*)\n```/.exec(crossOrigin) ?? [];
    const expected = shown
      .replace('http://localhost:3001/api/food?q=egg', `${refusing.url}/api/food?match=words&q=egg`)
      .replace('http://localhost:8000', site.origin);
    await expect.poll(() => messages).toContain(expected);
    await expect.poll(() => page.getByRole('listitem').count()).toBe(0);
  });
});
