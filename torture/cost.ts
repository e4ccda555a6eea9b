/** What limits, metrics and headers cost: the service beside itself as it was before it had them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { rateOf, requireWrk, SECONDS, script } from '../bench/load.ts';
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
    return [...compared('repeated texts', servers, () => often), ...compared('no text twice', servers, once)];
  } finally {
    await Promise.all(servers.map(stop));
  }
}

interface Round {
  /** Answers a second. */
  readonly rate: number;
  /** Processor time of an answer, in µs: noise of the machine hardly touches it. */
  readonly processor: number;
}

/** The sides take turns, each in every place of a turn. */
function compared(load: string, servers: readonly Served[], scriptOf: (round: number) => string): Figure[] {
  const rounds: Record<Side, Round>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const file = scriptOf(round);
    const turn = round % SIDES.length;
    const order = [...SIDES.entries()];
    const measuredSides = [...order.slice(turn), ...order.slice(0, turn)].map(([i, { name, port }]) => {
      const before = processorTime(servers[i]);
      const rate = rateOf(port, file);
      return [name, { rate, processor: (processorTime(servers[i]) - before) / (rate * SECONDS) }] as const;
    });
    rounds.push(Object.fromEntries(measuredSides) as Record<Side, Round>);
  }
  const of = (side: Side, figure: keyof Round): number => median(rounds.map((round) => round[side][figure]));
  const ratio = (side: Side, figure: keyof Round): number =>
    median(rounds.map((round) => round[side][figure] / round.before[figure]));
  const part = (value: number): string => value.toFixed(3);
  return [
    {
      what: `${load}: answers a second before, now`,
      value: `${count(of('before', 'rate'))}, ${count(of('now', 'rate'))}`,
    },
    measured(`${load}: now, of before`, ratio('now', 'rate'), '≥', 0.95, part),
    { what: `${load}: processor time now, of before`, value: part(ratio('now', 'processor')) },
    {
      what: `${load}: with RATE_LIMIT, of before; processor time`,
      value: `${part(ratio('limited', 'rate'))}, ${part(ratio('limited', 'processor'))}`,
    },
  ];
}

/** µs of the processor that a process has used (Linux counts hundredths of a second). */
function processorTime(served: Served | undefined): number {
  const fields = readFileSync(`/proc/${served?.child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return 10_000 * (Number(fields[11]) + Number(fields[12]));
}

function buildBefore(): void {
  if (existsSync(SIDES[0].main)) return;
  mkdirSync(FOLDER, { recursive: true });
  const archive = execFileSync('git', ['archive', BEFORE], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', FOLDER], { input: archive });
  symlinkSync(resolve('node_modules'), `${FOLDER}/node_modules`);
  execFileSync('npx', ['tsc', '-p', 'tsconfig.build.json'], { cwd: FOLDER, stdio: 'inherit' });
}
