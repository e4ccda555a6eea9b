/**
 * A data set in PostgreSQL. Every search is one statement over the tables of one data set, and ends in bounded
 * time whatever happens to the servers.
 */
import type { CatalogEvents, DataSet, FoodCatalog, FoundAnswer } from '../../catalog.ts';
import { Unavailable } from '../../errors.ts';
import { fold } from '../../fold.ts';
import type { PostgresUrl } from '../../settings/postgres-url.ts';
import { credentialsOf, isOutage, sqlState } from './connection.ts';
import { CONFIRMED_FOR, Deadline, RETRY_DELAY, SEARCH_TIMEOUT, START_PATIENCE } from './deadlines.ts';
import { answerOf, type FoundRow, searchQuery, stored } from './schema.ts';
import { PostgresSession } from './session.ts';

const NOTHING = Buffer.from('[]');

/**
 * A prepared statement is unknown, or known already: each statement may meet another session behind a proxy. Or its
 * result has changed, as where a column got another type.
 */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05', '0A000']);

export class PostgresCatalog implements FoodCatalog {
  readonly #session: PostgresSession;
  /** Whether statements are prepared once for each connection. */
  #keepsStatements = true;

  private constructor(session: PostgresSession) {
    this.#session = session;
  }

  /**
   * Waits up to `patience` ms for a server that may be starting or busy.
   * @throws UserError where no server can be used, or none holds a data set
   */
  static async open(url: PostgresUrl, patience = START_PATIENCE): Promise<PostgresCatalog> {
    const session = new PostgresSession(await credentialsOf(url));
    await session.start(patience);
    return new PostgresCatalog(session);
  }

  get dataSet(): DataSet {
    return this.#session.current.dataSet;
  }

  age(): number {
    const { age } = this.#session;
    return age < CONFIRMED_FOR ? 0 : Math.floor(age / 1000);
  }

  unavailable(): string | undefined {
    return this.#session.unavailable;
  }

  /** Reports what happens from now on, and at once the connected host. */
  watch(events: CatalogEvents): void {
    this.#session.watch(events);
  }

  /** Looks now which data set is current. */
  async reload(): Promise<void> {
    await this.#session.look();
  }

  async search(text: string): Promise<FoundAnswer> {
    // Half a surrogate pair is part of no description, and has no UTF-8.
    if (!text.isWellFormed()) return { body: NOTHING, identity: this.dataSet.identity };
    const key = stored(fold(text));
    const deadline = new Deadline(SEARCH_TIMEOUT);
    const found = await deadline.wait(deadline.retry(RETRY_DELAY, () => this.#try(key, deadline)));
    if (found === undefined) throw new Unavailable('The database did not answer in time. Try again.');
    return found;
  }

  async searchWords(): Promise<never> {
    throw new Unavailable('A database does not answer searches by words yet.');
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  /** Undefined: worth another attempt. */
  async #try(key: string, deadline: Deadline): Promise<FoundAnswer | undefined> {
    const pool = this.#session.pool() ?? (await this.#session.nextPool());
    if (deadline.isOver) return undefined;
    const { current } = this.#session;
    try {
      const { name, ...query } = searchQuery(current, key);
      const { rows } = await pool.query<FoundRow>(this.#keepsStatements ? { name, ...query } : query);
      return { body: answerOf(key, rows), identity: current.dataSet.identity };
    } catch (error) {
      const state = sqlState(error) ?? '';
      if (LOST_STATEMENT.has(state)) this.#keepsStatements = false;
      else if (!isOutage(error)) throw error;
      // Either the data set was replaced, or the server is faulty: then the look leaves it.
      await this.#session.look();
      return undefined;
    }
  }
}
