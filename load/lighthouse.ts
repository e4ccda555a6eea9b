/**
 * Measures the built page as a phone loads it: `npm run bench:lighthouse` prints Lighthouse's scores of the start page, a search
 * and the page of the API, and the time to first paint on slow 3G. It needs a whole Chromium (`apt-get install chromium`, or its path in CHROMIUM),
 * and fetches Lighthouse, which is too large to be a development dependency.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { npm } from '../scripts/npm.ts';
import { openCatalog } from '../src/cli/open-catalog.ts';
import { startService } from '../test/support/service.ts';

/** The last version that runs on Node.js 20. */
const LIGHTHOUSE = 'lighthouse@12.8.2';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly title: string; readonly score: number | null }>>;
}

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const service = await startService(await openCatalog(undefined), { nodeEnv: 'production' });
for (const path of ['', '?q=yogurt', 'docs']) {
  const { categories, audits } = await lighthouse(new URL(path, service.url).href);
  const scores = CATEGORIES.map((name) => `${name} ${Math.round((categories[name]?.score ?? 0) * 100)}`);
  process.stdout.write(`/${path}: ${scores.join(', ')}\n`);
  for (const { title, score } of Object.values(audits)) {
    if (score !== null && score < 0.9) process.stdout.write(`  ${Math.round(score * 100)} ${title}\n`);
  }
}
const paints: number[] = [];
for (let run = 0; run < 5; run++) paints.push(await firstPaint(service.url));
const [, , median = 0] = paints.toSorted((a, b) => a - b);
process.stdout.write(`first paint on slow 3G, processor slowed 4 times: ${(median / 1000).toFixed(1)} s\n`);
await service.close();

async function lighthouse(address: string): Promise<Report> {
  const [file, args] = npm(['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', address]);
  const flags = ['--output=json', '--quiet', '--chrome-flags=--headless=new --no-sandbox'];
  const { stdout } = await promisify(execFile)(file, [...args, ...flags], {
    env: { ...process.env, CHROME_PATH: executablePath },
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as Report;
}

/** ms until the first paint with text, of a browser without a cache. */
async function firstPaint(address: string): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({
    viewport: { width: 375, height: 812 },
    isMobile: true,
    hasTouch: true,
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const throughput = 400_000 / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: throughput,
    uploadThroughput: throughput,
  });
  await page.goto(address);
  const paint = await page.waitForFunction(
    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
  );
  const time = Number(await paint.jsonValue());
  await browser.close();
  return time;
}
