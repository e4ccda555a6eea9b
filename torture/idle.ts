/**
 * Whether a service that nobody has asked for a while answers as fast as before: garbage is collected meanwhile, and what Node.js has
 * compiled must outlive that.
 */

import { median } from '../bench/tools/measure.ts';
import { repeated } from '../bench/tools/workload.ts';
import { rateOf, requireWrk, script } from '../bench/tools/wrk.ts';
import { serve } from '../test/support/command.ts';
import { fromOwnCore, pinService } from './cores.ts';
import { COLLECTING, collectGarbage } from './memory.ts';
import { type Figure, measured } from './verdict.ts';
import { foodData, texts } from './workload.ts';

/** Times it is measured, with processes of their own, and turns that count, before and after. */
const GENERATIONS = 3;
const TURNS = 4;

export async function idle(): Promise<Figure[]> {
  requireWrk();
  const often = script('idle', repeated(await texts(2000)));
  const environment = { FOOD_DATA: foodData(), LOG_LEVEL: 'warn', ...COLLECTING };
  const before: number[] = [];
  const after: number[] = [];
  await fromOwnCore(async () => {
    for (let generation = 0; generation < GENERATIONS; generation++) {
      // One is left as it is: what the machine does meanwhile, it does to both.
      const [paused, other] = [await serve([], environment), await serve([], environment)];
      try {
        for (const { pid } of [paused, other]) pinService(pid);
        const turn = (): number => rateOf(paused.port, often) / rateOf(other.port, often);
        // After a turn in which it is compiled.
        const turns = (): number[] => Array.from({ length: 1 + TURNS }, turn).slice(1);
        before.push(...turns());
        await collectGarbage(paused);
        after.push(...turns());
      } finally {
        await Promise.all([paused.stop(), other.stop()]);
      }
    }
  });
  return [
    measured(
      'answers a second after garbage is collected, of before',
      median(after) / median(before),
      '≥',
      0.95,
      (part) => part.toFixed(3),
    ),
  ];
}
