/**
 * Checks that a service answers as fast after an idle period as before: meanwhile garbage is collected, which compiled code
 * must survive.
 */

import { median } from '../bench/tools/measure.ts';
import { repeated } from '../bench/tools/workload.ts';
import { rateOf, requireWrk, script } from '../bench/tools/wrk.ts';
import { serve } from '../test/support/command.ts';
import { askInTurn, knownAnswers } from './checked-requests.ts';
import { openMany } from './client.ts';
import { fromOwnCore, pinService } from './cores.ts';
import { foodIndex, texts } from './data.ts';
import { collectGarbage, INSPECTED, tickTime } from './inspect.ts';
import { type Figure, measured } from './verdict.ts';

/** Pairs of processes, and measured turns before and after the collection. */
const GENERATIONS = 3;
const TURNS = 4;

/** Requests until all code is compiled. */
const WARM = 5000;

/** The failure makes it seven times as long; the machine's noise hardly affects the least of many. */
const MOST_TICK_TIME = 3;

/** The part that the machine's noise does not affect: the time of `process.nextTick`, which once ran slower afterwards (`tick-object.ts`). */
export async function idleTicks(): Promise<Figure[]> {
  const service = await serve([], { FOOD_DATA: await foodIndex(), LOG_LEVEL: 'warn', ...INSPECTED });
  try {
    const known = await knownAnswers(service.port, await texts(200));
    const clients = await openMany(service.port, 8);
    const timeOfTick = async (): Promise<number> => {
      await askInTurn(clients, known, { requests: WARM });
      return tickTime(service.pid);
    };
    const before = await timeOfTick();
    await collectGarbage(service.pid);
    const times = (await timeOfTick()) / before;
    for (const client of clients) client.close();
    return [
      {
        what: 'time of process.nextTick after a collection, relative to before',
        value: times.toFixed(2),
        bound: `≤ ${MOST_TICK_TIME}`,
        holds: times <= MOST_TICK_TIME,
      },
    ];
  } finally {
    await service.stop();
  }
}

export async function idle(): Promise<Figure[]> {
  requireWrk();
  const often = script('idle', repeated(await texts(2000)));
  const environment = { FOOD_DATA: await foodIndex(), LOG_LEVEL: 'warn', ...INSPECTED };
  const before: number[] = [];
  const after: number[] = [];
  await fromOwnCore(async () => {
    for (let generation = 0; generation < GENERATIONS; generation++) {
      // One is left undisturbed: changes of the machine's speed affect both.
      const [paused, other] = [await serve([], environment), await serve([], environment)];
      try {
        for (const { pid } of [paused, other]) pinService(pid);
        const turn = (): number => rateOf(paused.port, often) / rateOf(other.port, often);
        // The first turn lets V8 compile the code.
        const turns = (): number[] => Array.from({ length: 1 + TURNS }, turn).slice(1);
        before.push(...turns());
        await collectGarbage(paused.pid);
        after.push(...turns());
      } finally {
        await Promise.all([paused.stop(), other.stop()]);
      }
    }
  });
  return [
    ...(await idleTicks()),
    measured(
      'requests a second after a collection, relative to before',
      median(after) / median(before),
      '≥',
      0.95,
      (part) => part.toFixed(3),
    ),
  ];
}
