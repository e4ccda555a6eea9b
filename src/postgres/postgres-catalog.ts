/**
 * A data set in PostgreSQL. Every search reads the tables of one data set, mostly with one statement, and ends in
 * bounded time whatever happens to the servers.
 */
import type pg from 'pg';
import {
  type FactName,
  type FoodCatalog,
  type FoundAnswer,
  fold,
  foodCodeOf,
  type OtherNames,
  Unavailable,
  type WordsAnswer,
} from '#core';
import {
  before,
  LATE,
  type Left,
  RETRY_DELAY,
  retry,
  SEARCH_TIMEOUT,
  START_PATIENCE,
  withinWork,
} from './deadlines.ts';
import { type Generation, StoredTables, stored } from './schema.ts';
import { credentialsOf, isFault, sqlState } from './servers/connection.ts';
import type { PostgresUrl } from './servers/postgres-url.ts';
import { PostgresSession } from './servers/session.ts';
import { StoredWords } from './stored-words.ts';

const NOTHING = Buffer.from('[]');

/**
 * A prepared statement is unknown, or known already: each statement may meet another session behind a proxy. Or its
 * result has changed, for example because a column got another type.
 */
const LOST_STATEMENT: ReadonlySet<string> = new Set(['26000', '42P05', '0A000']);

/** Finds an answer in the tables of a data set. */
type Work<Answer> = (tables: StoredTables, pool: pg.Pool) => Promise<Answer>;

export class PostgresCatalog extends PostgresSession implements FoodCatalog {
  /** Whether statements are prepared once for each connection. */
  #keepsStatements = true;
  /** The words of the data set that was searched by words last. */
  #words: { readonly generation: Generation; readonly words: Promise<StoredWords> } | undefined;

  /** Waits up to `patience` ms for a server that may be starting or busy. @throws UserError if none can be used */
  static async open(url: PostgresUrl, patience = START_PATIENCE): Promise<PostgresCatalog> {
    const catalog = new PostgresCatalog(await credentialsOf(url));
    await catalog.start(patience);
    return catalog;
  }

  async search(text: string): Promise<FoundAnswer> {
    // No description contains a lone surrogate, which has no UTF-8.
    if (!text.isWellFormed()) return { body: NOTHING, identity: this.dataSet.identity };
    const key = stored(fold(text));
    return this.#answer(async (tables) => ({ body: await tables.answer(key) }));
  }

  async searchWords(text: string, names: OtherNames): Promise<WordsAnswer & FoundAnswer> {
    return this.#answer(async (tables, pool) => {
      const words = await this.#wordsOf(this.current, pool);
      return words.search(text, names, tables);
    });
  }

  async lookUp(what: FactName, description: string): Promise<FoundAnswer> {
    return this.#answer(async (tables) => ({ body: await tables.apart(what, description) }));
  }

  async searchBarcode(text: string): Promise<FoundAnswer> {
    const code = foodCodeOf(text);
    return this.#answer(async (tables) => ({
      body: code === undefined ? NOTHING : await tables.withCode(code),
    }));
  }

  /** @throws Unavailable if there is no answer in time */
  async #answer<Answer>(work: Work<Answer>): Promise<Answer & Pick<FoundAnswer, 'identity'>> {
    const left = withinWork(SEARCH_TIMEOUT);
    const found = await before(
      left,
      retry(left, RETRY_DELAY, () => this.#try(work, left)),
    );
    if (found === undefined) throw new Unavailable(LATE);
    return found;
  }

  /** Undefined if another attempt may succeed. */
  async #try<Answer>(work: Work<Answer>, left: Left) {
    const pool = this.pool();
    if (pool === undefined) return undefined;
    const { current } = this;
    try {
      const tables = new StoredTables(current, pool, this.#keepsStatements, left);
      return { ...(await work(tables, pool)), identity: current.dataSet.identity };
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      if (LOST_STATEMENT.has(sqlState(error))) this.#keepsStatements = false;
      else if (isFault(error)) throw error;
      // Either the data set was replaced, or the server is faulty; then the check leaves it.
      await this.reload();
      return undefined;
    }
  }

  /** Reads the words at the first search by words, for all searches, even if this takes longer than the search may. */
  #wordsOf(generation: Generation, pool: pg.Pool): Promise<StoredWords> {
    if (this.#words?.generation !== generation) {
      const words = StoredWords.read(new StoredTables(generation, pool, this.#keepsStatements));
      this.#words = { generation, words };
      words.catch(() => {
        if (this.#words?.words === words) this.#words = undefined;
      });
    }
    return this.#words.words;
  }
}
