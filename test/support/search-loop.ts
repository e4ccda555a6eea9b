/** Searches continuously, compares every answer with the right one, and records every failure. */
import { setTimeout as pause } from 'node:timers/promises';
import { NO_OTHER_NAMES } from '#core';
import type { MemoryCatalog } from '#service';
import { targetOf } from './service.ts';
import { waitFor } from './wait.ts';

/** Marks a search by words. */
const BY_WORDS = ' (by words)';
export const byWords = (text: string): string => `${text}${BY_WORDS}`;

/** The target of a search, as no cache knows it. */
export const targetOfSearch = (search: string, number: string): string =>
  search.endsWith(BY_WORDS)
    ? `${targetOf(search.slice(0, -BY_WORDS.length))}&match=words&n=${number}`
    : `${targetOf(search)}&n=${number}`;

/** The right answer to a search. */
export function rightAnswer(memory: MemoryCatalog, search: string): string {
  if (!search.endsWith(BY_WORDS)) return memory.search(search).toString();
  return memory.searchWords(search.slice(0, -BY_WORDS.length), NO_OTHER_NAMES).body.toString();
}

/** The right answers to each search; more than one while the data set is replaced. */
export type Answers = ReadonlyMap<string, readonly string[]>;

export const answersOf = (memory: MemoryCatalog, searches: readonly string[]): Map<string, string[]> =>
  new Map(searches.map((search) => [search, [rightAnswer(memory, search)]]));

/** Sends a request of a loop. */
export type Ask = (
  target: string,
  loop: number,
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}>;

/** ms between an answer and the next search, so that the load does not take all of the machine. */
const PAUSE = 30;

export type SearchLoopResult = Awaited<ReturnType<SearchLoop['stop']>>;

/** Loops made so far, part of every target, so that no loop gets cached answers of another. */
let made = 0;

export class SearchLoop {
  readonly #number = made++;
  readonly #ask: Ask;
  readonly #answers: Answers;
  readonly #result = {
    requests: 0,
    /** Answers that are not among the right ones. */
    wrong: [] as string[],
    /** How often each failure occurred: a status with its message, or a connection error. */
    failures: {} as Record<string, number>,
    failed: 0,
    /** ms of the longest request. */
    longest: 0,
    /** The longest ms of a loop from a failure to its next answer. */
    longestFailing: 0,
  };
  readonly #loops: Promise<void>[];
  #isOver = false;

  constructor(ask: Ask, answers: Answers, loops: number) {
    this.#ask = ask;
    this.#answers = answers;
    this.#loops = Array.from({ length: loops }, (_, i) => this.#searchOn(i));
  }

  /** Waits for that many more answers, or for a wrong one. */
  async more(answers: number): Promise<void> {
    const enough = this.#result.requests + answers;
    await waitFor(async () => this.#result.requests >= enough || this.#result.wrong.length > 0);
  }

  async stop() {
    this.#isOver = true;
    await Promise.all(this.#loops);
    return this.#result;
  }

  async #searchOn(loop: number): Promise<void> {
    const result = this.#result;
    const searches = [...this.#answers.keys()];
    let failingSince: number | undefined;
    for (let i = loop; !this.#isOver; i++) {
      const search = searches[(i * 31) % searches.length] ?? '';
      const started = performance.now();
      const target = targetOfSearch(search, `${this.#number}-${loop}-${i}`);
      const failure = await this.#ask(target, loop).then(({ status, headers, body }) => {
        if (status !== 200) return `${status}, Retry-After ${headers['retry-after']}: ${body}`;
        if (!this.#answers.get(search)?.includes(body)) result.wrong.push(`${search}: ${body}`);
        return undefined;
      }, String);
      const now = performance.now();
      result.requests++;
      result.longest = Math.max(result.longest, now - started);
      result.longestFailing = Math.max(result.longestFailing, now - (failingSince ?? now));
      failingSince = failure === undefined ? undefined : (failingSince ?? now);
      if (failure !== undefined) {
        result.failed++;
        result.failures[failure] = (result.failures[failure] ?? 0) + 1;
      }
      await pause(PAUSE);
    }
  }
}
