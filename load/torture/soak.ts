/** Sends millions of requests, compares every answer, and measures the memory that remains in use. */
import { foodIndex, texts } from '../tools/data-sets.ts';
import { onService } from '../tools/process.ts';
import { askInTurn, type Known, knownAnswers, Tally } from './checked-requests.ts';
import { openMany } from './client.ts';
import { INSPECTED, memoryKept } from './inspect.ts';
import { count, type Figure, measured, none } from './verdict.ts';

const PARTS = 5;

export async function soak({ requests = 5_000_000, clients = 32 } = {}): Promise<Figure[]> {
  return onService({ FOOD_DATA: await foodIndex(), ...INSPECTED }, async ({ pid, port, errors }) => {
    // Every other request is for the next of these, so that more would not be used.
    const known = await knownAnswers(port, await texts(Math.min(20_000, requests / 2)));
    // Every second request repeats one of a few texts, as people do.
    const asked = known.flatMap((each, i): Known[] => [each, known[i % 200] as Known]);
    const tally = new Tally();
    const memory: number[] = [];
    const started = performance.now();
    for (let part = 0; part < PARTS; part++) {
      const open = await openMany(port, clients);
      await askInTurn(open, asked, { requests: requests / PARTS }, tally);
      for (const client of open) client.close();
      tally.times.length = 0;
      memory.push(await memoryKept(pid));
    }
    const seconds = (performance.now() - started) / 1000;
    const growth = (memory.at(-1) ?? 0) / (memory[0] ?? 0);
    return [
      { what: 'requests, right answers', value: `${count(requests)}, ${count(tally.right)}` },
      { what: 'requests a second', value: count(requests / seconds) },
      none('wrong, refused or missing answers', requests - tally.right),
      none('lines in the log', errors().split('\n').length - 1),
      { what: 'MB after each part', value: memory.map((bytes) => (bytes / 1e6).toFixed(1)).join(', ') },
      measured('memory after the last part, relative to after the first', growth, '≤', 1.05),
    ];
  });
}
