/** Many open connections, some of which send requests. */
import { foodIndex, texts } from '../tools/data-sets.ts';
import { memoryOf } from '../tools/measure.ts';
import { onService } from '../tools/process.ts';
import { askAll, askAtRate, askInTurn, failed, knownAnswers } from './checked-requests.ts';
import { openMany } from './client.ts';
import { count, type Figure, measured, ms, none } from './verdict.ts';

/** Requests a second of each active connection: the pace of typing. */
const TYPING = 5;

export async function connections({ open = 10_000, active = 1000, seconds = 30 } = {}): Promise<Figure[]> {
  return onService({ FOOD_DATA: await foodIndex() }, async ({ pid, port, errors, metrics }) => {
    const known = await knownAnswers(port, await texts(1000));
    const warm = await openMany(port, 500);
    await askInTurn(warm, known, { requests: 20 * open });
    for (const client of warm) client.close();
    const before = memoryOf(pid, 'VmHWM');
    const clients = await openMany(port, open);
    const tally = await askAll(clients, known);
    const typed = await askAtRate(clients.slice(0, active), known, active * TYPING, seconds);
    await askAll(clients, known, tally);
    const bytes = (memoryOf(pid, 'VmHWM') - before) / open;
    const { connections = 0 } = await metrics();
    for (const client of clients) client.close();
    return [
      { what: 'open connections, and active ones', value: `${count(connections)}, ${count(active)}` },
      { what: 'requests a second', value: count(active * TYPING) },
      none('wrong, refused or missing answers', failed(tally) + failed(typed)),
      none('lines in the log', errors().split('\n').length - 1),
      { what: 'requests not sent, since every client was still waiting', value: count(typed.unsent) },
      measured('p99 of the answers', typed.p99, '≤', 50, ms),
      measured('peak memory of a connection', bytes / 1000, '≤', 40, (kB) => `${kB.toFixed(1)} kB`),
    ];
  });
}
