/** Measures what limits, metrics and headers cost, against the last commit without them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { median } from '../bench/tools/measure.ts';
import { type Served, startServer, stop } from '../bench/tools/process.ts';
import { repeated } from '../bench/tools/workload.ts';
import { rateOf, requireWrk, SECONDS, script } from '../bench/tools/wrk.ts';
import { fromOwnCore, pinService } from './cores.ts';
import { countedCost } from './counted-cost.ts';
import { foodData, texts } from './data.ts';
import { count, type Figure, measured } from './verdict.ts';

/** The last commit without them, and the folder in which it is built. */
const BEFORE = '2cb5e67';
const FOLDER = 'build/before';

/** Processes of each side, in succession, because V8 does not optimize every process equally well. */
const GENERATIONS = 8;
/** Measured turns of each process, after one in which V8 compiles the code. */
const TURNS = 6;
const DISTINCT = 130_000;

/**
 * Keeps `process.nextTick` fast in the old commit too (see `tick-object.ts`). Otherwise that is left to chance, which decides
 * on a sixth of its throughput.
 */
const KEEP_TICK_OBJECT = `--import=data:text/javascript,${encodeURIComponent(
  `import { keepTickObject } from ${JSON.stringify(new URL('../src/cli/tick-object.js', import.meta.url))}; keepTickObject();`,
)}`;

const SIDES = [
  { name: 'before', port: 4720, main: `${FOLDER}/dist/cli/main.js`, settings: {} },
  { name: 'now', port: 4721, main: 'dist/cli/main.js', settings: {} },
  { name: 'limited', port: 4722, main: 'dist/cli/main.js', settings: { RATE_LIMIT: '999999999/60' } },
] as const;
type Side = (typeof SIDES)[number]['name'];

export async function cost(): Promise<Figure[]> {
  requireWrk();
  buildBefore();
  const all = await texts((1 + TURNS) * DISTINCT);
  const often = script('cost-repeated', repeated(all));
  const once = (turn: number): string =>
    script('cost-distinct', all.slice(turn * DISTINCT, (turn + 1) * DISTINCT));
  const repeatedTexts: Turn[] = [];
  const noTextTwice: Turn[] = [];
  await fromOwnCore(async () => {
    for (let generation = 0; generation < GENERATIONS; generation++) {
      const servers: Served[] = [];
      try {
        for (const { main, port, settings } of SIDES) {
          const environment = { FOOD_DATA: foodData(), PORT: String(port), LOG_LEVEL: 'warn', ...settings };
          const server = await startServer([KEEP_TICK_OBJECT, main, 'serve'], environment, port);
          servers.push(server);
          pinService(server.child.pid);
        }
        repeatedTexts.push(...alternate(servers, () => often));
        noTextTwice.push(...alternate(servers, once));
      } finally {
        await Promise.all(servers.map(stop));
      }
    }
  });
  return [
    ...(await countedCost()),
    ...compared('repeated texts', repeatedTexts),
    ...compared('no text twice', noTextTwice),
  ];
}

interface Round {
  /** Answers a second. */
  readonly rate: number;
  /** Processor time of an answer in µs, which the machine's noise hardly affects. */
  readonly processor: number;
}

/** A round of each side, in direct succession. */
type Turn = Record<Side, Round>;

/** The sides alternate, and each takes every position in a turn. */
function alternate(servers: readonly Served[], scriptOf: (turn: number) => string): Turn[] {
  const turns: Turn[] = [];
  for (let turn = 0; turn <= TURNS; turn++) {
    const file = scriptOf(turn);
    const first = turn % SIDES.length;
    const order = [...SIDES.entries()];
    const sides = [...order.slice(first), ...order.slice(0, first)].map(([i, { name, port }]) => {
      const before = processorTime(servers[i]);
      const rate = rateOf(port, file);
      return [name, { rate, processor: (processorTime(servers[i]) - before) / (rate * SECONDS) }] as const;
    });
    turns.push(Object.fromEntries(sides) as Turn);
  }
  return turns.slice(1);
}

function compared(load: string, turns: readonly Turn[]): Figure[] {
  const of = (side: Side, figure: keyof Round): number => median(turns.map((turn) => turn[side][figure]));
  const ratio = (side: Side, figure: keyof Round): number =>
    median(turns.map((turn) => turn[side][figure] / turn.before[figure]));
  const part = (value: number): string => value.toFixed(3);
  return [
    {
      what: `${load}: requests a second before, now`,
      value: `${count(of('before', 'rate'))}, ${count(of('now', 'rate'))}`,
    },
    measured(`${load}: requests a second, relative to before`, ratio('now', 'rate'), '≥', 0.95, part),
    { what: `${load}: processor time, relative to before`, value: part(ratio('now', 'processor')) },
    {
      what: `${load}: both with RATE_LIMIT`,
      value: `${part(ratio('limited', 'rate'))}, ${part(ratio('limited', 'processor'))}`,
    },
  ];
}

/** Processor time of a process in µs (Linux counts hundredths of a second). */
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
