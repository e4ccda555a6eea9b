/**
 * Checks that `process.nextTick` takes as long after an idle period as before: meanwhile garbage is collected, after which it
 * once ran slower (`src/service/http/node-http.ts`).
 */
import { execute } from '../../test/support/programs.ts';
import { bounded, type Figure } from './verdict.ts';

/** The failure makes it seven times as long; the machine's noise hardly affects the least of many. */
const MOST_TICK_TIME = 3;

/** Each batch is so short that few are interrupted. */
const SCRIPT = `
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { keepTickObject } from './dist/service/http/node-http.js';
keepTickObject();
async function timeOfTick() {
  let least = Infinity;
  for (let batch = 0; batch < 200; batch++) {
    const started = process.hrtime.bigint();
    for (let call = 0; call < 2000; call++) process.nextTick(() => {});
    least = Math.min(least, Number(process.hrtime.bigint() - started));
    await nextTurn();
  }
  return least;
}
const before = await timeOfTick();
for (let i = 0; i < 3; i++) gc(await wait(200));
console.log(await timeOfTick() / before);
`;

export async function idle(): Promise<Figure[]> {
  const args = ['--expose-gc', '--input-type=module', '--eval', SCRIPT];
  const times = Number((await execute(process.execPath, args)).stdout);
  return [
    bounded('time of process.nextTick after a collection, relative to before', times, '≤', MOST_TICK_TIME),
  ];
}
