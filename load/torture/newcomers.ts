/**
 * Clients that arrive while others send the costliest searches without a pause: each of these names all letters as words, in an
 * order that nobody has sent before, so that none is answered from the cache.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type Running, runAlone, serve } from '../../test/support/command.ts';
import { Postgres } from '../../test/support/postgres.ts';
import { seeded } from '../../test/support/random.ts';
import { type Answer, Client, openMany } from './client.ts';
import { count, type Figure, measured, ms, none } from './verdict.ts';

/** ms in which a new client must get its first answer. */
const FIRST_ANSWER = 1500;

/** What new clients request, in turn: a search, a search by words, and whether the service is alive. */
const REQUESTS = ['/api/food?q=egg', '/api/food?q=whole+milk&match=words', '/health/live'];

interface Load {
  /** Numbers of connections with costly searches, one after the other. */
  readonly attackers?: readonly number[];
  /** Clients that arrive beside each, and ms between two of them. */
  readonly arriving?: number;
  readonly pause?: number;
}

export async function newcomers(foodData: string, load: Load = {}): Promise<Figure[]> {
  const service = await serve([], { FOOD_DATA: foodData, LOG_LEVEL: 'warn' });
  try {
    const figures: Figure[] = [];
    for (const number of load.attackers ?? [16, 64]) figures.push(...(await beside(service, number, load)));
    return figures;
  } finally {
    await service.stop();
  }
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

async function beside(
  { port }: Running,
  attackers: number,
  { arriving = 60, pause = 100 }: Load,
): Promise<Figure[]> {
  const attack = new Attack(await openMany(port, attackers));
  await wait(pause);
  const times: number[] = [];
  let unanswered = 0;
  for (let i = 0; i < arriving; i++) {
    const started = performance.now();
    const client = await Client.open(port);
    const answer = await client.answerTo(requestOf(REQUESTS[i % REQUESTS.length] ?? ''));
    if (answer?.status === 200) times.push(performance.now() - started);
    else unanswered++;
    client.close();
    await wait(pause);
  }
  const outcomes = attack.stop();
  const beside = `beside ${attackers}`;
  return [
    { what: `${beside}: costly searches answered, refused`, value: [...outcomes].map(count).join(', ') },
    none(`${beside}: new clients whose first answer is not 200`, unanswered),
    measured(`${beside}: the longest time to a first answer`, Math.max(...times), '≤', FIRST_ANSWER, ms),
  ];
}

/** Connections that each send a costly search as soon as the last one is answered. */
class Attack {
  readonly #random = seeded(64);
  readonly #clients: readonly Client[];
  #answered = 0;
  #refused = 0;
  #isOver = false;

  constructor(clients: readonly Client[]) {
    this.#clients = clients;
    for (const client of clients) this.#ask(client);
  }

  stop(): [answered: number, refused: number] {
    this.#isOver = true;
    for (const client of this.#clients) client.close();
    return [this.#answered, this.#refused];
  }

  #ask(client: Client): void {
    client.ask(requestOf(`/api/food?q=${this.#text()}&match=words`), (answer?: Answer) => {
      if (answer?.status === 200) this.#answered++;
      else this.#refused++;
      if (!this.#isOver && client.isOpen) this.#ask(client);
    });
  }

  #text(): string {
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
    for (let i = letters.length - 1; i > 0; i--) {
      const other = this.#random(i + 1);
      [letters[i], letters[other]] = [letters[other] ?? '', letters[i] ?? ''];
    }
    return letters.join('+');
  }
}

const requestOf = (target: string): Buffer => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
