/**
 * Measures what replacing the data set costs requests: rounds in which the served index is replaced as often as the service
 * can load it alternate with rounds without.
 */
import { execFile } from 'node:child_process';
import { linkSync, renameSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { median } from './tools/measure.ts';
import { startService, stop } from './tools/process.ts';
import { textsOf } from './tools/workload.ts';
import { CONNECTIONS, requireWrk, script } from './tools/wrk.ts';

const PORT = 4705;
const SERVED = 'build/bench-data/served.idx';
const SECONDS = 10;
const LEAST_SWAPS = 50;
const TEXTS = 200_000;

export interface SwapFigures {
  readonly foods: number;
  readonly swaps: number;
  /** ms, medians of the rounds. */
  readonly p99: number;
  readonly p99OfSwaps: number;
  /** Median of the rounds' ratios. */
  readonly times: number;
  /** Requests per second, medians. */
  readonly rate: number;
  readonly rateOfSwaps: number;
}

/** @param indexes two index files of the same foods under different names */
export async function measureSwaps(
  indexes: readonly [string, string],
  descriptions: readonly string[],
): Promise<SwapFigures> {
  requireWrk();
  const load = script('swaps', textsOf(descriptions, TEXTS));
  let turn = 0;
  const replace = (): void => {
    const next = `${SERVED}.next`;
    rmSync(next, { force: true });
    linkSync(indexes[turn++ % 2] ?? '', next);
    renameSync(next, SERVED);
  };
  replace();
  const served = await startService(SERVED, PORT);
  const rounds: { still: Load; swapping: Load }[] = [];
  let swaps = 0;
  try {
    await loaded(load);
    while (swaps < LEAST_SWAPS) {
      const still = await loaded(load);
      let running = true;
      const swapping = loaded(load).finally(() => {
        running = false;
      });
      while (running) {
        const before = await nameServed();
        replace();
        served.child.kill('SIGHUP');
        while ((await nameServed()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
        swaps++;
      }
      rounds.push({ still, swapping: await swapping });
    }
  } finally {
    await stop(served);
  }
  const of = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  return {
    foods: descriptions.length,
    swaps,
    p99: of(({ still }) => still.p99),
    p99OfSwaps: of(({ swapping }) => swapping.p99),
    times: of(({ still, swapping }) => swapping.p99 / still.p99),
    rate: of(({ still }) => still.rate),
    rateOfSwaps: of(({ swapping }) => swapping.rate),
  };
}

interface Load {
  /** ms */
  readonly p99: number;
  /** Requests per second. */
  readonly rate: number;
}

/** One round of requests, all of them answered with 200. */
async function loaded(file: string): Promise<Load> {
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', '-s', file];
  const { stdout } = await promisify(execFile)('wrk', [...args, `http://127.0.0.1:${PORT}`]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`requests failed:\n${stdout}`);
  const [, p99 = '', unit = ''] = /99%\s+([\d.]+)(us|ms|s)/.exec(stdout) ?? [];
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  return { p99: Number(p99) * ({ us: 0.001, ms: 1, s: 1000 }[unit] ?? Number.NaN), rate };
}

async function nameServed(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${PORT}/data-set`);
  return ((await response.json()) as { name: string }).name;
}
