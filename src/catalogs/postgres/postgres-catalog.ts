/**
 * A data set in PostgreSQL. Every search is one statement over the tables of one data set, and ends in bounded
 * time whatever happens to the servers.
 */
import { type DataSet, DataSetReplaced, type FoodCatalog } from '../../catalog.ts';
import { Unavailable } from '../../errors.ts';
import { fold } from '../../fold.ts';
import type { PostgresUrl } from '../../settings/postgres-url.ts';
import { credentialsOf, isOutage, sqlState } from './connection.ts';
import { answerOf, type FoundRow, type Generation, searchQuery, stored } from './schema.ts';
import { type HostEvents, PostgresHosts } from './session.ts';

/** ms for a search in all: two attempts, the second with another server. */
const DEADLINE = 1500;

/** ms before a search tries again. */
const RETRY_DELAY = 25;

/** ms from which on the data set is not known to be current any more; it is looked at twice a second. */
const CONFIRMED = 1500;

/** ms for which a start waits for a server, where nothing else is said. */
const START_PATIENCE = 3000;

const NOTHING = Buffer.from('[]');

/**
 * A prepared statement is unknown, or known already: each statement may meet another session behind a proxy. Or its
 * result has changed, as where a column got another type.
 */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05', '0A000']);

export class PostgresCatalog implements FoodCatalog {
  readonly #hosts: PostgresHosts;
  /** Whether statements are prepared once for each connection. */
  #keepsStatements = true;

  private constructor(hosts: PostgresHosts) {
    this.#hosts = hosts;
  }

  /**
   * Waits so many ms for a server that may be starting or busy.
   * @throws UserError where no server can be used, or none holds a data set
   */
  static async open(url: PostgresUrl, patience = START_PATIENCE): Promise<PostgresCatalog> {
    const hosts = new PostgresHosts(await credentialsOf(url));
    await hosts.start(patience);
    return new PostgresCatalog(hosts);
  }

  get dataSet(): DataSet {
    return this.#hosts.current.facts;
  }

  age(): number {
    const { age } = this.#hosts;
    return age < CONFIRMED ? 0 : Math.floor(age / 1000);
  }

  unavailable(): string | undefined {
    return this.#hosts.unavailable;
  }

  /** Tells what happens from now on, and at once which host is worked with. */
  watch(events: HostEvents): void {
    this.#hosts.watch(events);
  }

  /** Looks now which data set is current. */
  async reload(): Promise<void> {
    await this.#hosts.look();
  }

  async search(text: string): Promise<Buffer> {
    // Half a surrogate pair stands in no description, and has no UTF-8.
    if (!text.isWellFormed()) return NOTHING;
    const asked = this.#hosts.current;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Unavailable(TOO_SLOW)), DEADLINE);
    });
    try {
      return await Promise.race([
        this.#try(stored(fold(text)), asked, performance.now() + DEADLINE),
        deadline,
      ]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#hosts.close();
  }

  /** Tries until there is an answer, or no time for another try. */
  async #try(key: string, asked: Generation, until: number): Promise<Buffer> {
    for (;;) {
      const { pool } = await this.#hosts.session();
      if (performance.now() >= until) throw new Unavailable(TOO_SLOW);
      const { current } = this.#hosts;
      if (current.facts.identity !== asked.facts.identity)
        throw new DataSetReplaced('The data set was replaced.');
      try {
        const { name, ...query } = searchQuery(current, key);
        const { rows } = await pool.query<FoundRow>(this.#keepsStatements ? { name, ...query } : query);
        return answerOf(key, rows);
      } catch (error) {
        const state = sqlState(error) ?? '';
        if (LOST_STATEMENT.has(state)) this.#keepsStatements = false;
        else if (!isOutage(error)) throw error;
        // Either the data set was replaced, or something is wrong with the server: then it is left.
        await this.#hosts.look();
      }
      if (performance.now() + RETRY_DELAY >= until) throw new Unavailable(TOO_SLOW);
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
    }
  }
}

const TOO_SLOW = 'The database did not answer in time. Try again.';
