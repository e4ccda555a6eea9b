/** Two releases behind each of the shipped proxies, as in the middle of an upgrade: every page is whole, whichever answers what. */
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type Running, serve, TWO_FOODS } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { HAPROXY, NGINX, startProxied } from '../support/proxied.ts';
import { describeWithChromium, describeWithProgram } from '../support/requirements.ts';

const RELEASES = ['1', '2'];
const LOADS = 30;

/** Runs in the page: the releases that its script and its styles are from. */
const LOADED = `[document.body.dataset.script, getComputedStyle(document.body).getPropertyValue('--styles').trim()]`;

const folder = temporaryFolder();

/** Builds the page with a number in its script and styles, beside a copy of the service. */
async function release(number: string): Promise<string> {
  const home = folder.path(number);
  await mkdir(home);
  await cp('dist', `${home}/dist`, { recursive: true });
  for (const name of ['package.json', 'node_modules', 'data'])
    await symlink(resolve(name), `${home}/${name}`);
  await build({
    root: 'client',
    configFile: 'client/vite.config.ts',
    logLevel: 'error',
    build: { outDir: `${home}/dist/client`, emptyOutDir: true },
    plugins: [
      {
        name: 'number-of-release',
        enforce: 'pre',
        transform: (code, id) => {
          if (/\/(?:main|docs)\.tsx?$/.test(id))
            return `${code}\ndocument.body.dataset.script = '${number}';`;
          return /\/(?:search|docs)\.css$/.test(id) ? `${code}\nbody { --styles: ${number} }` : undefined;
        },
      },
    ],
  });
  return `${home}/dist/service/cli/main.js`;
}

describeWithChromium('between two releases', () => {
  let browser: Browser;
  let services: Running[];

  beforeAll(async () => {
    // A flag, because ignoreHTTPSErrors of a page does not hold for its service worker.
    browser = await launchBrowser('--ignore-certificate-errors');
    const settings = { HOST: '127.0.0.1', NODE_ENV: 'production', TRUST_PROXY: 'loopback' };
    const environment = { ...settings, FOOD_DATA: resolve(TWO_FOODS) };
    services = [];
    for (const number of RELEASES) services.push(await serve([], environment, await release(number)));
  });
  afterAll(() => Promise.all([browser.close(), ...services.map((service) => service.stop())]));

  test('the two differ in script and styles', async () => {
    const [one, two] = await Promise.all(
      RELEASES.map((number) => readFile(folder.path(`${number}/dist/client/index.html`), 'utf8')),
    );
    expect(one).toMatch(/--styles: ?1.*script=`1`/s);
    expect(two).toMatch(/--styles: ?2.*script=`2`/s);
  });

  for (const [name, program] of [
    ['nginx', NGINX],
    ['haproxy', HAPROXY],
  ] as const)
    describeWithProgram(name, () => {
      test.each(['/', '/docs'])('no load of %s fails, or mixes them', async (path) => {
        const proxied = await startProxied(program, { services });
        onTestFinished(() => proxied.close());
        const failures: string[] = [];
        const seen = new Set<string>();
        const open = async () => {
          const page = await browser.newPage({ ignoreHTTPSErrors: true });
          page.on('console', (message) => failures.push(message.text()));
          page.on('pageerror', (error) => failures.push(String(error)));
          page.on('requestfailed', (request) => {
            const reason = request.failure()?.errorText ?? '';
            // A page that is left no longer wants its index.
            if (reason !== 'net::ERR_ABORTED') failures.push(`${reason} ${request.url()}`);
          });
          page.on('response', (answer) => {
            if (answer.status() >= 400) failures.push(`${answer.status()} ${answer.url()}`);
          });
          return page;
        };
        // Visitors who were there before, and new ones.
        const again = await open();
        for (let load = 0; load < LOADS; load++) {
          const page = load % 2 === 0 ? again : await open();
          await page.goto(proxied.https + path);
          const loaded = await page.evaluate<string[]>(LOADED);
          expect(loaded[0], `load ${load}`).toBe(loaded[1]);
          seen.add(String(loaded[0]));
          if (page !== again) await page.close();
        }
        await again.close();
        expect(failures).toEqual([]);
        expect([...seen].toSorted()).toEqual(RELEASES);
      });
    });
});
