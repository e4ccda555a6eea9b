/**
 * Measures what replacing the data set costs requests: rounds in which the served index is replaced as often as the service
 * can load it alternate with rounds without.
 */

import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Running, serve } from '../../test/support/command.ts';
import { type DataSet, FOLDER, imported } from '../tools/data-sets.ts';
import { median } from '../tools/measure.ts';
import { textsOf } from '../tools/workload.ts';
import { type Load, loadOf, script } from './wrk.ts';

const SERVED = `${FOLDER}/served.idx`;
const SECONDS = 10;
const LEAST_SWAPS = 20;
const TEXTS = 200_000;

/** Medians of the rounds: ms, and requests per second. */
export async function measureSwaps({ csv, index, descriptions }: DataSet) {
  // A copy under another name is another data set.
  const copy = csv.replace('.csv', '-copy.csv');
  copyFileSync(csv, copy);
  const indexes = [index, (await imported(copy, 'copy')).index];
  const load = script('swaps', textsOf(descriptions, TEXTS));
  let turn = 0;
  const replace = (): void => {
    const next = `${SERVED}.next`;
    rmSync(next, { force: true });
    linkSync(indexes[turn++ % 2] ?? '', next);
    renameSync(next, SERVED);
  };
  replace();
  const service = await serve([], { FOOD_DATA: SERVED });
  const rounds: { still: Load; swapping: Load }[] = [];
  let swaps = 0;
  try {
    await loadOf(service, load, SECONDS);
    while (swaps < LEAST_SWAPS) {
      const still = await loadOf(service, load, SECONDS);
      let running = true;
      const swapping = loadOf(service, load, SECONDS).finally(() => {
        running = false;
      });
      while (running) {
        const before = await nameServed(service);
        replace();
        service.signal('SIGHUP');
        while ((await nameServed(service)) === before) await pause(20);
        swaps++;
      }
      rounds.push({ still, swapping: await swapping });
    }
  } finally {
    await service.stop();
  }
  const of = (figure: (round: (typeof rounds)[number]) => number): number => median(rounds.map(figure));
  return {
    foods: descriptions.length,
    swaps,
    p99: of(({ still }) => still.p99),
    p99OfSwaps: of(({ swapping }) => swapping.p99),
    rate: of(({ still }) => still.rate),
    rateOfSwaps: of(({ swapping }) => swapping.rate),
  };
}

async function nameServed({ url }: Running): Promise<string> {
  const response = await fetch(`${url}/data-set`);
  return ((await response.json()) as { name: string }).name;
}
