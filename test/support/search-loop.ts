/** Searches continuously, compares every answer with the right one, and records every failure. */
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { NO_OTHER_NAMES } from '../../src/catalog.ts';
import type { MemoryCatalog } from '../../src/catalogs/index/memory.ts';

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
  readonly #targets: readonly { readonly port: number }[];
  readonly #answers: ReadonlyMap<string, readonly string[]>;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #failures = new Map<string, number>();
  readonly #wrong: string[] = [];
  readonly #loops: Promise<void>[];
  #requests = 0;
  #failed = 0;
  #longest = 0;
  #isOver = false;

  /** @param answers the right answers to each search; more than one while the data set is replaced */
  constructor(
    targets: readonly { readonly port: number }[],
    answers: ReadonlyMap<string, readonly string[]>,
    loops: number,
  ) {
    this.#targets = targets;
    this.#answers = answers;
    this.#loops = Array.from({ length: loops }, (_, i) => this.#ask(i));
  }

  get requests(): number {
    return this.#requests;
  }

  async stop(): Promise<SearchLoopResult> {
    this.#isOver = true;
    await Promise.all(this.#loops);
    this.#agent.destroy();
    const result = {
      requests: this.#requests,
      wrong: this.#wrong,
      failures: Object.fromEntries(this.#failures),
      failed: this.#failed,
      longest: this.#longest,
    };
    return result;
  }

  async #ask(loop: number): Promise<void> {
    const searches = [...this.#answers.keys()];
    for (let i = loop; !this.#isOver; i++) {
      const search = searches[(i * 31) % searches.length] ?? '';
      const match = search.endsWith(BY_WORDS) ? '&match=words' : '';
      const text = search.slice(0, search.length - (match === '' ? 0 : BY_WORDS.length));
      const { port } = this.#targets[i % this.#targets.length] ?? { port: 0 };
      const started = performance.now();
      // The number makes the target new to the cache.
      const outcome = await this.#fetch(
        port,
        `/api/food?q=${encodeURIComponent(text)}${match}&n=${this.#number}-${loop}-${i}`,
      );
      this.#longest = Math.max(this.#longest, performance.now() - started);
      this.#requests++;
      if (typeof outcome === 'string') this.#fail(outcome);
      else if (!this.#answers.get(search)?.includes(outcome.body))
        this.#wrong.push(`${search}: ${outcome.body}`);
      await pause(PAUSE);
    }
  }

  #fail(what: string): void {
    this.#failed++;
    this.#failures.set(what, (this.#failures.get(what) ?? 0) + 1);
  }

  /** The body of an answer, or the failure. */
  async #fetch(port: number, path: string): Promise<{ readonly body: string } | string> {
    try {
      return await new Promise((resolve, reject) => {
        const sent = request({ host: '127.0.0.1', port, path, agent: this.#agent }, (response) => {
          buffer(response).then((bytes) => {
            const body = bytes.toString();
            if (response.statusCode === 200) resolve({ body });
            else resolve(`${response.statusCode}, Retry-After ${response.headers['retry-after']}: ${body}`);
          }, reject);
        });
        sent.on('error', reject);
        sent.end();
      });
    } catch (error) {
      return String(error);
    }
  }
}
