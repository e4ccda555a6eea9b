/** Searches continuously, compares every answer with the right one, and records every failure. */
import { setTimeout as pause } from 'node:timers/promises';
import type { MemoryCatalog } from '../../src/catalogs/index/memory.ts';
import { NO_OTHER_NAMES } from '../../src/foods/catalog.ts';
import { ask, type Service } from './service.ts';

/** Marks a search by words. */
const BY_WORDS = ' (by words)';
export const byWords = (text: string): string => `${text}${BY_WORDS}`;

/** The right answer to a search. */
export function rightAnswer(memory: MemoryCatalog, search: string): string {
  if (!search.endsWith(BY_WORDS)) return memory.search(search).toString();
  return memory.searchWords(search.slice(0, -BY_WORDS.length), NO_OTHER_NAMES).body.toString();
}

/** ms between an answer and the next search, so that the load does not take all of the machine. */
const PAUSE = 20;

export interface SearchLoopResult {
  readonly requests: number;
  /** Answers that are not among the right ones. */
  readonly wrong: readonly string[];
  /** How often each failure occurred: a status with its message, or a connection error. */
  readonly failures: Readonly<Record<string, number>>;
  readonly failed: number;
  /** ms of the longest request. */
  readonly longest: number;
}

/** Loops made so far, part of every target, so that no loop gets cached answers of another. */
let made = 0;

export class SearchLoop {
  readonly #number = made++;
  readonly #service: Service;
  readonly #answers: ReadonlyMap<string, readonly string[]>;
  readonly #failures = new Map<string, number>();
  readonly #wrong: string[] = [];
  readonly #loops: Promise<void>[];
  #requests = 0;
  #longest = 0;
  #isOver = false;

  /** @param answers the right answers to each search; more than one while the data set is replaced */
  constructor(service: Service, answers: ReadonlyMap<string, readonly string[]>, loops: number) {
    this.#service = service;
    this.#answers = answers;
    this.#loops = Array.from({ length: loops }, (_, i) => this.#searchOn(i));
  }

  async stop(): Promise<SearchLoopResult> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    return {
      requests: this.#requests,
      wrong: this.#wrong,
      failures: Object.fromEntries(this.#failures),
      failed: Array.from(this.#failures.values()).reduce((sum, number) => sum + number, 0),
      longest: this.#longest,
    };
  }

  async #searchOn(loop: number): Promise<void> {
    const searches = [...this.#answers.keys()];
    for (let i = loop; !this.#isOver; i++) {
      const search = searches[(i * 31) % searches.length] ?? '';
      const text = search.replace(BY_WORDS, '');
      const match = text === search ? '' : '&match=words';
      // The number makes the target new to the cache.
      const target = `/api/food?q=${encodeURIComponent(text)}${match}&n=${this.#number}-${loop}-${i}`;
      const started = performance.now();
      const failure = await ask(this.#service, target).then(({ status, headers, body }) => {
        if (status !== 200) return `${status}, Retry-After ${headers['retry-after']}: ${body}`;
        if (!this.#answers.get(search)?.includes(body)) this.#wrong.push(`${search}: ${body}`);
        return undefined;
      }, String);
      this.#longest = Math.max(this.#longest, performance.now() - started);
      this.#requests++;
      if (failure !== undefined) this.#failures.set(failure, (this.#failures.get(failure) ?? 0) + 1);
      await pause(PAUSE);
    }
  }
}
