/** SIGTERM under load: every request on an accepted connection is answered. */
import { setTimeout as pause } from 'node:timers/promises';
import { serve } from '../../test/support/command.ts';
import { seeded } from '../../test/support/random.ts';
import { foodIndex, texts } from '../tools/data-sets.ts';
import { failed, type Known, knownAnswers, Tally } from './checked-requests.ts';
import { Client, openMany } from './client.ts';
import { bounded, count, type Figure, none } from './verdict.ts';

const STEADY = 64;
const FRESH = 8;

/** s within which the process must exit. */
const EXIT_IN = 5;

export async function stopping({ times = 50, environment = {} } = {}): Promise<Figure[]> {
  const random = seeded(50);
  const steady = new Tally();
  const fresh = new Tally();
  let [longest, badExits, logged] = [0, 0, 0];
  for (let i = 0; i < times; i++) {
    const service = await serve([], { FOOD_DATA: await foodIndex(), LOG_LEVEL: 'warn', ...environment });
    const known = await knownAnswers(service.port, await texts(200));
    const clients = await openMany(service.port, STEADY);
    const all = [
      ...clients.map((client, n) => askUntilClosed(client, known, n % 2 === 0 ? 0 : random(20), steady)),
      ...Array.from({ length: FRESH }, () => askFreshUntilRefused(service.port, known, fresh)),
    ];
    await pause(100 + random(200));
    const signalled = performance.now();
    const code = await service.stop();
    longest = Math.max(longest, (performance.now() - signalled) / 1000);
    await Promise.all(all);
    if (code !== 0) badExits++;
    logged += service.errors().length;
  }
  return [
    { what: 'stops', value: count(times) },
    { what: 'right answers on open connections', value: count(steady.right) },
    none('wrong, refused or missing answers there', failed(steady)),
    { what: 'right answers on new connections', value: count(fresh.right) },
    none('wrong or refused answers there', fresh.wrong + fresh.refused),
    { what: 'still in the system’s queue, never accepted', value: count(fresh.unanswered) },
    none('exit codes other than 0, or lines in the log', badExits + logged),
    bounded('the longest stop', longest, '≤', EXIT_IN, (s) => `${s.toFixed(2)} s`),
  ];
}

/** Sends requests on one connection, with a pause after each answer, until the service closes it. */
async function askUntilClosed(client: Client, known: readonly Known[], delay: number, tally: Tally) {
  for (let i = 0; client.isOpen; i++) {
    const what = known[i % known.length] as Known;
    const answer = await client.answerTo(what.request);
    tally.count(answer, what, 0);
    if (answer === undefined || /^connection: close/im.test(answer.head)) break;
    if (delay > 0) await pause(delay);
  }
  client.close();
}

/** Opens a connection for each request until one is refused. */
async function askFreshUntilRefused(port: number, known: readonly Known[], tally: Tally): Promise<void> {
  for (let i = 0; ; i++) {
    const what = known[i % known.length] as Known;
    const client = await Client.open(port).catch(() => undefined);
    if (client === undefined) return;
    tally.count(await client.answerTo(what.request), what, 0);
    client.close();
    await pause(5);
  }
}
