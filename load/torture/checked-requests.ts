/** Load by many clients at once, with requests whose right answers are known, so that every answer is compared. */
import { spreadOf } from '../tools/measure.ts';
import { type Answer, Client, requestFor, targetOf } from './client.ts';

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

/** Each client sends its next request as soon as it is answered. Ends after a time, or after a number of requests. */
export function askInTurn(
  clients: readonly Client[],
  known: readonly Known[],
  until: { readonly seconds?: number; readonly requests?: number },
  tally = new Tally(),
): Promise<Tally> {
  const ends = performance.now() + 1000 * (until.seconds ?? Number.POSITIVE_INFINITY);
  let left = until.requests ?? Number.POSITIVE_INFINITY;
  let next = 0;
  return new Promise((resolve) => {
    let asking = clients.length;
    const ask = (client: Client): void => {
      const now = performance.now();
      if (left-- <= 0 || now >= ends || !client.isOpen) {
        if (--asking === 0) resolve(tally);
        return;
      }
      const what = known[next++ % known.length] as Known;
      client.ask(what.request, (answer) => {
        tally.count(answer, what, performance.now() - now);
        ask(client);
      });
    };
    for (const client of clients) ask(client);
  });
}

/** Each client sends one request, in batches: the service closes connections on which none comes. */
export async function askAll(
  clients: readonly Client[],
  known: readonly Known[],
  tally = new Tally(),
): Promise<Tally> {
  const batch = 500;
  for (let i = 0; i < clients.length; i += batch)
    await askInTurn(
      clients.slice(i, i + batch),
      known,
      { requests: Math.min(batch, clients.length - i) },
      tally,
    );
  return tally;
}

/** Sends `rate` requests a second, whether or not the earlier ones are answered. */
export function askAtRate(
  clients: readonly Client[],
  known: readonly Known[],
  rate: number,
  seconds: number,
  tally = new Tally(),
): Promise<Tally & { readonly unsent: number }> {
  const free = [...clients];
  const started = performance.now();
  let asked = 0;
  let unsent = 0;
  let underWay = 0;
  return new Promise((resolve) => {
    const tick = setInterval(() => {
      const elapsed = Math.min(performance.now() - started, 1000 * seconds);
      for (const due = (elapsed / 1000) * rate; asked + unsent < due; ) {
        const client = free.pop();
        if (client === undefined) {
          unsent++;
          continue;
        }
        const what = known[asked++ % known.length] as Known;
        const at = performance.now();
        underWay++;
        client.ask(what.request, (answer) => {
          underWay--;
          tally.count(answer, what, performance.now() - at);
          if (client.isOpen) free.push(client);
        });
      }
      if (elapsed === 1000 * seconds && underWay === 0) {
        clearInterval(tick);
        resolve(Object.assign(tally, { unsent }));
      }
      // More often than requests are due would only take the processor from the service.
    }, 1000 / rate);
  });
}
