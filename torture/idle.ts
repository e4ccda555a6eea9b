/**
 * Whether a service that nobody has asked for a while answers as fast as before: garbage is collected meanwhile, and what Node.js has
 * compiled must outlive that.
 */
import { mkdirSync } from 'node:fs';
import { rateOf, requireWrk, script } from '../bench/load.ts';
import { median } from '../bench/measure.ts';
import { repeated } from '../bench/workload.ts';
import { serve } from '../test/support/command.ts';
import { fromOwnCore, pinService } from './cores.ts';
import { COLLECTING, memoryKept } from './memory.ts';
import { count, type Figure, measured } from './verdict.ts';
import { foodData, texts } from './workload.ts';

/** Processes, one after the other, and turns of each that count, before and after. */
const GENERATIONS = 3;
const TURNS = 5;

export async function idle(): Promise<Figure[]> {
  requireWrk();
  mkdirSync('build/bench-data', { recursive: true });
  const often = script('idle', repeated(await texts(2000), 50_000));
  const before: number[] = [];
  const after: number[] = [];
  await fromOwnCore(async () => {
    for (let generation = 0; generation < GENERATIONS; generation++) {
      const service = await serve([], { FOOD_DATA: foodData(), LOG_LEVEL: 'warn', ...COLLECTING });
      try {
        pinService(service.pid);
        // After a turn in which it is compiled.
        const rates = () => Array.from({ length: 1 + TURNS }, () => rateOf(service.port, often)).slice(1);
        before.push(...rates());
        await memoryKept(service);
        after.push(...rates());
      } finally {
        await service.stop();
      }
    }
  });
  return [
    {
      what: 'answers a second before garbage is collected, and after',
      value: `${count(median(before))}, ${count(median(after))}`,
    },
    measured('after, of before', median(after) / median(before), '≥', 0.9, (part) => part.toFixed(3)),
  ];
}
