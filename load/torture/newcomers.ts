/**
 * Clients that arrive while others send the costliest searches without a pause: each of these names all letters as words, in an
 * order that nobody has sent before, so that none is answered from the cache.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Running, runAlone } from '../../test/support/command.ts';
import { Postgres } from '../../test/support/postgres.ts';
import { seeded } from '../../test/support/random.ts';
import { onService } from '../tools/process.ts';
import { Client, openMany, requestFor } from './client.ts';
import { count, type Figure, measured, ms, none } from './verdict.ts';

/** ms in which a new client must get its first answer. */
const FIRST_ANSWER = 1500;

/** What new clients request, in turn: a search, a search by words, and whether the service is alive. */
const REQUESTS = ['/api/food?q=egg', '/api/food?q=whole+milk&match=words', '/health/live'];

/** Numbers of connections with costly searches, one after the other; and of clients that arrive beside each. */
type Load = { readonly attackers?: readonly number[]; readonly arriving?: number };

/** ms between two of them. */
const PAUSE = 100;

export function newcomers(foodData: string, load: Load = {}): Promise<Figure[]> {
  return onService({ FOOD_DATA: foodData }, async (service) => {
    const figures: Figure[] = [];
    for (const number of load.attackers ?? [16, 64]) figures.push(...(await beside(service, number, load)));
    return figures;
  });
}

/** The same with the foods in PostgreSQL. */
export async function newcomersOfPostgres(foodData: string, load?: Load): Promise<Figure[]> {
  const server = await Postgres.start({ shared_buffers: '256MB' });
  try {
    const imported = await runAlone(['import', foodData, '--to', server.url()]);
    if (imported.code !== 0) throw new Error(imported.stderr);
    return await newcomers(server.url(), load);
  } finally {
    await server.remove();
  }
}

async function beside({ port }: Running, attackers: number, { arriving = 60 }: Load): Promise<Figure[]> {
  const clients = await openMany(port, attackers);
  const outcomes: [answered: number, refused: number] = [0, 0];
  let isOver = false;
  /** Sends costly searches, one after the other, until it is over or the connection is closed. */
  const attack = async (client: Client): Promise<void> => {
    while (!isOver && client.isOpen) {
      const answer = await client.answerTo(requestFor(`/api/food?q=${anyOrder()}&match=words`));
      outcomes[answer?.status === 200 ? 0 : 1]++;
    }
  };
  const attacks = clients.map(attack);
  await pause(PAUSE);
  const times: number[] = [];
  let unanswered = 0;
  for (let i = 0; i < arriving; i++) {
    const started = performance.now();
    const client = await Client.open(port);
    const answer = await client.answerTo(requestFor(REQUESTS[i % REQUESTS.length] ?? ''));
    if (answer?.status === 200) times.push(performance.now() - started);
    else unanswered++;
    client.close();
    await pause(PAUSE);
  }
  isOver = true;
  await Promise.all(attacks);
  for (const client of clients) client.close();
  const beside = `beside ${attackers}`;
  return [
    { what: `${beside}: costly searches answered, refused`, value: outcomes.map(count).join(', ') },
    none(`${beside}: new clients whose first answer is not 200`, unanswered),
    measured(`${beside}: the longest time to a first answer`, Math.max(...times), '≤', FIRST_ANSWER, ms),
  ];
}

const random = seeded(64);

function anyOrder(): string {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz', (letter) => [random(2 ** 32), letter] as const);
  return letters
    .toSorted(([a], [b]) => a - b)
    .map(([, letter]) => letter)
    .join('+');
}
