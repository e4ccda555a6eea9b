/**
 * Counts what an answer costs, compared with one of a bare `node:http` server with a constant body: the objects with which
 * Node.js tracks asynchronous work, and the bytes allocated. Neither depends on the machine or its load.
 */

import { serve } from '../../test/support/command.ts';
import { foodIndex, texts } from '../tools/data-sets.ts';
import { type BareServer, startBare } from '../tools/process.ts';
import { requestFor } from './checked-requests.ts';
import { type Client, openMany } from './client.ts';
import { bytesAllocatedBy, INSPECTED, resourcesMadeBy } from './inspect.ts';
import { bounded, type Figure, none } from './verdict.ts';

/** Requests until all code is compiled, and requests whose objects and bytes are counted. */
const WARM = 5000;
const COUNTED = 1000;
const CLIENTS = 4;

/** Bytes of the constant body. */
const BODY = 2000;
/**
 * What an answer may allocate: measured are 0.55 (Node.js 22) to 0.70 (Node.js 26) and 1.55. A search copies each of up to 100
 * entries by a view of it, which lives as long as the copy: without views it took as long, and the index a room for answers.
 */
const MOST_ALLOCATED = { cached: 0.85, searched: 1.9 };

interface Cost {
  /** Calls of `process.nextTick` for an answer. */
  readonly ticks: number;
  /** Timers, promises and other asynchronous resources created for an answer. */
  readonly others: number;
  /** Bytes allocated for an answer. */
  readonly bytes: number;
}

export async function cost(): Promise<Figure[]> {
  const service = await serve([], { FOOD_DATA: await foodIndex(), LOG_LEVEL: 'warn', ...INSPECTED });
  const bareServer = await startBare(BODY, INSPECTED);
  try {
    const all = await texts(WARM + 2 * COUNTED);
    const bare = await costOf(bareServer, ['egg']);
    const sides = {
      cached: await costOf(service, all.slice(0, 4)),
      searched: await costOf(service, all),
    };
    return Object.entries(sides).flatMap(([name, { ticks, others, bytes }]) => {
      const most = MOST_ALLOCATED[name as keyof typeof sides];
      return [
        none(`${name}: timers, promises and the like for an answer`, Math.round(others)),
        none(
          `${name}: ticks for an answer, beyond those of node:http`,
          Math.max(0, Math.round(ticks - bare.ticks)),
        ),
        bounded(`${name}: bytes allocated, relative to node:http`, bytes / bare.bytes, '≤', most),
      ];
    });
  } finally {
    await Promise.all([service.stop(), bareServer.stop()]);
  }
}

/** Searches for the texts in turn, over and over. */
async function costOf({ pid, port }: BareServer, asked: readonly string[]): Promise<Cost> {
  const clients = await openMany(port, CLIENTS);
  const requests = asked.map((text) => requestFor(text));
  let next = 0;
  const ask = async (client: Client, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const answer = await client.answerTo(requests[next++ % requests.length] as Buffer);
      if (answer?.status !== 200) throw new Error(`answered ${answer?.status}`);
    }
  };
  const askAll = (times: number) => Promise.all(clients.map((client) => ask(client, times / CLIENTS)));

  await askAll(WARM);
  const { TickObject = 0, Immediate: _, ...others } = await resourcesMadeBy(pid, () => askAll(COUNTED));
  const bytes = await bytesAllocatedBy(pid, () => askAll(COUNTED));
  for (const client of clients) client.close();
  const sum = Object.values(others).reduce((total, number) => total + number, 0);
  return { ticks: TickObject / COUNTED, others: sum / COUNTED, bytes: bytes / COUNTED };
}
