/**
 * Prints Lighthouse's scores of the built page on a phone: `npm run bench:lighthouse`. It needs a whole Chromium (`apt-get install
 * chromium`, or its path in CHROMIUM), and fetches Lighthouse, which is too large to be a development dependency.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
