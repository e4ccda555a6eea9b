/** What limits, metrics and headers cost: the service beside itself as it was before it had them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { rateOf, requireWrk, script } from '../bench/load.ts';
import { median } from '../bench/measure.ts';
import { type Served, startServer, stop } from '../bench/service.ts';
import { repeated } from '../bench/workload.ts';
import { count, type Figure, measured } from './verdict.ts';
import { foodData, texts } from './workload.ts';

/** The last commit without any of it, and where it is built. */
const BEFORE = '2cb5e67';
const FOLDER = 'build/before';

const ROUNDS = 9;
const DISTINCT = 130_000;

const SIDES = [
  { name: 'before', port: 4720, main: `${FOLDER}/dist/cli/main.js`, settings: {} },
  { name: 'now', port: 4721, main: 'dist/cli/main.js', settings: {} },
  { name: 'limited', port: 4722, main: 'dist/cli/main.js', settings: { RATE_LIMIT: '999999999/60' } },
] as const;
type Side = (typeof SIDES)[number]['name'];

export async function cost(): Promise<Figure[]> {
  requireWrk();
  buildBefore();
  mkdirSync('build/bench-data', { recursive: true });
  const all = await texts(ROUNDS * DISTINCT);
  const often = script('cost-repeated', repeated(all.slice(0, 2000), 50_000));
  const servers: Served[] = [];
  try {
    for (const { main, port, settings } of SIDES) {
      const environment = { FOOD_DATA: foodData(), PORT: String(port), LOG_LEVEL: 'warn', ...settings };
      servers.push(await startServer([main, 'serve'], environment, port));
    }
    const once = (round: number): string =>
      script('cost-distinct', all.slice(round * DISTINCT, (round + 1) * DISTINCT));
    return [...compared('repeated texts', () => often), ...compared('no text twice', once)];
  } finally {
    await Promise.all(servers.map(stop));
  }
}

/** The sides take turns, each in every place of a turn. */
function compared(load: string, scriptOf: (round: number) => string): Figure[] {
  const rates: Record<Side, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const file = scriptOf(round);
    const turn = round % SIDES.length;
    const order = [...SIDES.slice(turn), ...SIDES.slice(0, turn)];
    rates.push(
      Object.fromEntries(order.map(({ name, port }) => [name, rateOf(port, file)])) as Record<Side, number>,
    );
  }
  const ratio = (side: Side): number => median(rates.map((rate) => rate[side] / rate.before));
  return [
    { what: `${load}: answers a second before`, value: count(median(rates.map(({ before }) => before))) },
    { what: `${load}: answers a second now`, value: count(median(rates.map(({ now }) => now))) },
    measured(`${load}: now, of before`, ratio('now'), '≥', 0.95, (part) => part.toFixed(3)),
    { what: `${load}: with RATE_LIMIT, of before`, value: ratio('limited').toFixed(3) },
  ];
}

function buildBefore(): void {
  if (existsSync(SIDES[0].main)) return;
  mkdirSync(FOLDER, { recursive: true });
  const archive = execFileSync('git', ['archive', BEFORE], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', FOLDER], { input: archive });
  symlinkSync(resolve('node_modules'), `${FOLDER}/node_modules`);
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: FOLDER, stdio: 'inherit' });
}
