/** The tables of docs/scale.md, from a record. */
import { type Tables, table } from '../tools/markdown.ts';
import { count, type Record } from './report.ts';
import type { ScaleFigures } from './scale.ts';

const TOTALS = [1e6, 1e8, 1e10];
/** The most searches a day that one cache is assumed to answer. */
const OF_CACHE = 1e8;
/** The busiest minutes of a day, relative to its mean: assumed. */
const PEAK = 4;
/** The share of a core that is used at the peak: the rest is for swaps, and for a machine that is gone. */
const USED = 0.5;
const CORES = 8;
/** s */
const DAY = 86_400;

/** The tables by the names of their places in the page. */
export function scaleTables(record: Record): Tables {
  const { scale } = record;
  if (scale === undefined) throw new Error('The record has no part scale.');
  return {
    answers: answersTable(record, scale),
    cache: cacheTable(scale),
    machines: machinesTable(scale),
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** Two digits that count. */
const rough = (value: number): string => count(Number(value.toPrecision(2)));
const gigabytes = (bytes: number): string => `${(bytes / 1e9).toPrecision(2)} GB`;

function answersTable({ http = [], swap }: Record, { cost, foods }: ScaleFigures): string {
  const rows = [
    ...http.map(({ load, own }) => [`${load}, as typed, plain`, '8,790', rough(own)]),
    ...(swap ? [['texts in turn, as typed, plain', count(swap.foods), rough(swap.rate)]] : []),
    ['every key, by words, Brotli', count(foods), rough(1000 / cost.typed)],
    ['the same behind a cache: rarer texts', count(foods), rough(1000 / cost.passed)],
  ];
  return table(['load', 'foods', 'answers a second'], rows);
}

function cacheTable({ caches, ...scale }: ScaleFigures): string {
  const rows = caches.map(({ perDay, bytes, answers, shares, afterSwap }) => [
    count(perDay),
    gigabytes(bytes),
    count(answers),
    percent(shares.hit),
    percent(shares.unchanged),
    percent(shares.answered),
    percent(afterSwap.answered),
  ]);
  const head = ['searches a day', 'cache', 'answers in it', 'from the cache', '304', 'searched'];
  return `${table([...head, 'after a swap'], rows)}

Parameters: ${count(scale.texts)} texts, Zipf exponent ${scale.exponent}, max-age ${scale.maxAge} s, ${scale.keys.toFixed(0)} keys a text, answers of ${count(scale.body)} bytes on average.`;
}

function machinesTable({ caches, cost, body }: ScaleFigures): string {
  const rows = TOTALS.map((perDay) => {
    const number = Math.max(1, perDay / OF_CACHE);
    const peak = (PEAK * perDay) / DAY;
    const passed = peak * (1 - hitsOf(caches, perDay / number));
    const cores = (answers: number, ms: number): number => (answers * ms) / 1000 / USED;
    return [
      count(perDay),
      rough(perDay / DAY),
      rough(peak),
      `${((8 * body * peak) / 1e9).toPrecision(2)} Gbit/s`,
      machines(cores(peak, cost.typed)),
      count(number),
      rough(passed),
      machines(cores(passed, cost.passed)),
    ];
  });
  const head = ['searches a day', 'a second', 'at the peak', 'sent', 'machines without a cache'];
  return table([...head, 'caches', 'pass them at the peak', 'machines behind them'], rows);
}

/** The share of hits in the largest cache. */
function hitsOf(caches: ScaleFigures['caches'], perDay: number): number {
  const found = caches.findLast((each) => each.perDay === perDay);
  if (found === undefined) throw new Error(`No cache for ${perDay} searches a day was simulated.`);
  return found.shares.hit;
}

/** Two, so that one can be missing. */
const machines = (cores: number): string =>
  `${count(Math.max(2, Math.ceil(cores / CORES)))} (${cores < 1 ? 'less than 1 core' : `${rough(cores)} cores`})`;
