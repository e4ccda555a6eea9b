/**
 * Checks that `process.nextTick` takes as long after an idle period as before: meanwhile garbage is collected, after which it
 * once ran slower (`src/http/node-http.ts`).
 */
import { serve } from '../../test/support/command.ts';
import { foodIndex, texts } from '../tools/data-sets.ts';
import { askInTurn, knownAnswers } from './checked-requests.ts';
import { openMany } from './client.ts';
import { collectGarbage, INSPECTED, tickTime } from './inspect.ts';
import { bounded, type Figure } from './verdict.ts';

/** Requests until all code is compiled. */
const WARM = 5000;

/** The failure makes it seven times as long; the machine's noise hardly affects the least of many. */
const MOST_TICK_TIME = 3;

export async function idle(): Promise<Figure[]> {
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
      bounded('time of process.nextTick after a collection, relative to before', times, '≤', MOST_TICK_TIME),
    ];
  } finally {
    await service.stop();
  }
}
