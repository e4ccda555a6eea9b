/** Load by many clients at once, with requests whose right answers are known, so that every answer is compared. */
import { setTimeout as pause } from 'node:timers/promises';
import { targetOf } from '../../test/support/service.ts';
import { spreadOf } from '../tools/measure.ts';
import { type Answer, Client, requestFor } from './client.ts';

/** A request and its right body. */
export interface Known {
  readonly request: Buffer;
  readonly body: Buffer;
}

/** Learns the right answers from the idle service. */
export async function knownAnswers(port: number, texts: readonly string[]): Promise<Known[]> {
  const client = await Client.open(port);
  const known: Known[] = [];
  for (const text of texts) {
    const request = requestFor(targetOf(text));
    const answer = await client.answerTo(request);
    if (answer?.status !== 200) throw new Error(`${JSON.stringify(text)} is not answered`);
    known.push({ request, body: Buffer.from(answer.body) });
  }
  client.close();
  return known;
}

/** Counts the outcomes of requests. */
export class Tally {
  right = 0;
  /** 503 with Retry-After. */
  refused = 0;
  wrong = 0;
  /** No answer, or an incomplete one. */
  unanswered = 0;
  /** ms of right answers. */
  readonly times: number[] = [];

  count(answer: Answer | undefined, { body }: Known, time: number): void {
    if (answer === undefined) this.unanswered++;
    else if (answer.status === 200 && answer.body.equals(body)) {
      this.right++;
      this.times.push(time);
    } else if (answer.status === 503 && /^retry-after: \d+/im.test(answer.head)) this.refused++;
    else this.wrong++;
  }

  get p99(): number {
    return spreadOf(this.times).p99;
  }
}

export const failed = ({ wrong, refused, unanswered }: Tally): number => wrong + refused + unanswered;

/** Sends one of the requests, and counts its outcome. */
async function ask(client: Client, what: Known, tally: Tally): Promise<void> {
  const started = performance.now();
  tally.count(await client.answerTo(what.request), what, performance.now() - started);
}

/** Each client sends its next request as soon as it is answered. Ends after a time, or after a number of requests. */
export async function askInTurn(
  clients: readonly Client[],
  known: readonly Known[],
  until: { readonly seconds?: number; readonly requests?: number },
  tally = new Tally(),
): Promise<Tally> {
  const ends = performance.now() + 1000 * (until.seconds ?? Number.POSITIVE_INFINITY);
  let left = until.requests ?? Number.POSITIVE_INFINITY;
  let next = 0;
  const askOn = async (client: Client): Promise<void> => {
    while (client.isOpen && performance.now() < ends && left-- > 0)
      await ask(client, known[next++ % known.length] as Known, tally);
  };
  await Promise.all(clients.map(askOn));
  return tally;
}

/** Each client sends one request, in batches: the service closes connections on which none comes. */
export async function askAll(
  clients: readonly Client[],
  known: readonly Known[],
  tally = new Tally(),
): Promise<Tally> {
  for (let i = 0; i < clients.length; i += 500) {
    const batch = clients.slice(i, i + 500);
    await askInTurn(batch, known, { requests: batch.length }, tally);
  }
  return tally;
}

/** Sends `rate` requests a second, whether or not the earlier ones are answered. */
export async function askAtRate(
  clients: readonly Client[],
  known: readonly Known[],
  rate: number,
  seconds: number,
): Promise<Tally & { readonly unsent: number }> {
  const tally = new Tally();
  const free = [...clients];
  const started = performance.now();
  let [asked, unsent, underWay] = [0, 0, 0];
  const send = async (client: Client): Promise<void> => {
    underWay++;
    await ask(client, known[asked++ % known.length] as Known, tally);
    underWay--;
    if (client.isOpen) free.push(client);
  };
  for (let elapsed = 0; elapsed < seconds || underWay > 0; ) {
    // More often than requests are due would only take the processor from the service.
    await pause(1000 / rate);
    elapsed = Math.min((performance.now() - started) / 1000, seconds);
    while (asked + unsent < elapsed * rate) {
      const client = free.pop();
      if (client === undefined) unsent++;
      else void send(client);
    }
  }
  return Object.assign(tally, { unsent });
}
