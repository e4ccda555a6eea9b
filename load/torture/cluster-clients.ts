/** Clients of services over a cluster. They know the right answers of every data set, which services with index files gave. */
import { setTimeout as pause } from 'node:timers/promises';
import { onService } from '../tools/process.ts';
import { type Answer, Client, requestFor, targetOf } from './client.ts';

/** ms between an answer and the next request, so that the clients do not take all of the machine. */
const PAUSE = 50;

/** A request, and the right answers to it by the number of the data set. */
export interface Right {
  readonly target: string;
  readonly answers: readonly string[];
}

/** Half of the texts are searched for by words. */
export async function rightAnswers(indexes: readonly string[], texts: readonly string[]): Promise<Right[]> {
  const targets = texts.map((text, i) => `${targetOf(text)}${i % 2 === 0 ? '' : '&match=words'}`);
  const answers = await Promise.all(indexes.map((index) => answersFrom(index, targets)));
  return targets.map((target, i) => ({ target, answers: answers.map((each) => each[i] ?? '') }));
}

const answersFrom = (index: string, targets: readonly string[]): Promise<string[]> =>
  onService({ FOOD_DATA: index }, async ({ port }) => {
    const client = await Client.open(port);
    const answers: string[] = [];
    for (const target of targets) answers.push(contentOf(await client.answerTo(requestFor(target))));
    client.close();
    return answers;
  });

/** The data set that a service answers from; -1: none of them, or no answer. */
export async function dataSetOf(port: number, rights: readonly Right[]): Promise<number> {
  const right = rights.find(({ answers }) => new Set(answers).size === answers.length);
  if (right === undefined) throw new Error('no text tells the data sets apart');
  const client = await Client.open(port);
  const answer = await client.answerTo(requestFor(numbered(right)));
  client.close();
  return right.answers.indexOf(contentOf(answer));
}

let numbers = 0;

/** The target as no cache knows it. */
const numbered = ({ target }: Right): string => `${target}&n=${numbers++}`;

/** Tag and body. */
function contentOf(answer: Answer | undefined): string {
  return answer?.status === 200 ? `${/^etag: .*/im.exec(answer.head)?.[0]}\n${answer.body}` : '';
}

/** Asks on many connections, each one request after the other, until it is stopped. */
export class ClusterClients {
  /** Right answers of any data set. */
  answers = 0;
  /** 5xx, or no answer. */
  failed = 0;
  /** Other answers, such as one with the tag of another data set. */
  wrong = 0;
  /** The longest ms of a client between two answers. */
  longest = 0;
  /** The longest ms of a client from a failure to the next answer. */
  longestFailing = 0;
  readonly #clients: Promise<void>[];
  #isOver = false;

  constructor(ports: readonly number[], rights: readonly Right[], clients: number) {
    this.#clients = Array.from({ length: clients }, (_, i) =>
      this.#ask(ports[i % ports.length] ?? 0, rights, i),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #ask(port: number, rights: readonly Right[], first: number): Promise<void> {
    let client = await Client.open(port);
    let answeredAt = performance.now();
    let failingSince: number | undefined;
    for (let i = first; !this.#isOver || failingSince !== undefined; i++) {
      const right = rights[(i * 31) % rights.length] as Right;
      const answer = await client.answerTo(requestFor(numbered(right)));
      const now = performance.now();
      if (answer?.status === 200) {
        if (right.answers.includes(contentOf(answer))) this.answers++;
        else this.wrong++;
        this.longest = Math.max(this.longest, now - answeredAt);
        this.longestFailing = Math.max(this.longestFailing, now - (failingSince ?? now));
        [answeredAt, failingSince] = [now, undefined];
      } else {
        this.failed++;
        failingSince ??= now;
      }
      if (!client.isOpen) client = await Client.open(port);
      await pause(PAUSE);
    }
    client.close();
  }
}
