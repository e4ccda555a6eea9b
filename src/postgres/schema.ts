/**
 * The tables of food-lookup in a PostgreSQL database. The schema `food_lookup` has one small table that never
 * changes its form and names the current data set; each data set has its own tables, with its number.
 *
 *   data_set      one row: version of the layout, number of the current data set, facts (JSON)
 *   foods_N       id (the order of the foods), folded description, scores of its words, JSON of the entry
 *   patterns_N    key, whether the foods are its answer, foods: see `text-rows.ts`; and with W before them
 *                 the common words, see `only-word.ts`
 *   words_N       section, part, bytes: the vocabulary and its postings, see `word-parts.ts`
 *   portions_N, names_N  digest of a description, JSON of its portions, or of its other names, or of its nutrients; absent
 *   nutrients_N   without any
 *   codes_N       code, id of a food; absent without any
 *
 * Keys are compared byte by byte (collation "C"). A folded text has no capitals, so W marks words, and N stands for
 * the character NUL, which PostgreSQL cannot store.
 */
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type DataSet, type FactName, MAX_ENTRIES, Unavailable } from '#core';
import { descriptionKey, type FileLabel, type PortionCounts } from '#engine';
import { LATE, type Left } from './deadlines.ts';
import { bestMatches, type MatchingFood } from './rank-matches.ts';

/** Increases with every change that an older program would misread. */
export const SCHEMA_VERSION = 7;

export const SCHEMA = 'food_lookup';

export type StoredDataSet = FileLabel &
  Pick<DataSet, 'foods' | 'identity' | 'codes' | 'hasNutrients'> & {
    /** Absent if no food has portions; then there is no table of them. */
    readonly portions?: PortionCounts;
    /** The same for other names. */
    readonly hasNames?: true;
  };

export interface Generation {
  readonly number: number;
  readonly dataSet: StoredDataSet;
}

export const CREATE_DATA_SET = `CREATE TABLE IF NOT EXISTS ${SCHEMA}.data_set (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version integer NOT NULL, generation bigint NOT NULL, facts text NOT NULL)`;

/** The tables of each data set: their columns, and those of the primary key. */
const TABLES = {
  foods: {
    columns:
      'id integer NOT NULL, folded text COLLATE "C" NOT NULL, scores text COLLATE "C" NOT NULL, entry text NOT NULL',
    key: 'id',
  },
  patterns: {
    columns: 'key text COLLATE "C" NOT NULL, is_answer boolean NOT NULL, foods integer[] NOT NULL',
    key: 'key',
  },
  words: {
    columns: 'section text COLLATE "C" NOT NULL, part integer NOT NULL, bytes bytea NOT NULL',
    key: 'section, part',
  },
  portions: { columns: 'digest bytea NOT NULL, portions text NOT NULL', key: 'digest' },
  names: { columns: 'digest bytea NOT NULL, names text NOT NULL', key: 'digest' },
  nutrients: { columns: 'digest bytea NOT NULL, nutrients text NOT NULL', key: 'digest' },
  codes: { columns: 'code text COLLATE "C" NOT NULL, id integer NOT NULL', key: 'code, id' },
};

export type TableName = keyof typeof TABLES;

export const storedTable = (name: TableName, generation: number): string => `${SCHEMA}.${name}_${generation}`;

/** What says that a data set has a table that others lack. */
const FACTS = { portions: 'portions', names: 'hasNames', nutrients: 'hasNutrients', codes: 'codes' } as const;
const lacks = (dataSet: StoredDataSet, table: TableName): boolean =>
  table in FACTS && dataSet[FACTS[table as keyof typeof FACTS]] === undefined;

export const tableNames = (dataSet: StoredDataSet): TableName[] =>
  (Object.keys(TABLES) as TableName[]).filter((table) => !lacks(dataSet, table));

/** The statement that creates a table, and the one that indexes it when its rows are there. */
export const createTable = (name: TableName, generation: number): string =>
  `CREATE TABLE ${storedTable(name, generation)} (${TABLES[name].columns})`;
export const indexTable = (name: TableName, generation: number): string =>
  `ALTER TABLE ${storedTable(name, generation)} ADD PRIMARY KEY (${TABLES[name].key})`;

/** Compressing words would cost time at every search and saves little. */
export const storeUncompressed = (generation: number): string =>
  `ALTER TABLE ${storedTable('words', generation)} ALTER COLUMN bytes SET STORAGE EXTERNAL`;

export const stored = (folded: string): string => folded.replaceAll('\0', 'N');

export const wordKey = (word: string): string => `W${word}`;

export interface FoundRow {
  readonly id: number;
  readonly entry: string;
}

type FoodRow = FoundRow & MatchingFood;

/** What a search reads from the tables of a data set. All of it throws what the driver throws. */
export class StoredTables {
  readonly dataSet: StoredDataSet;
  readonly #number: number;
  readonly #client: Pick<pg.Pool, 'query'>;
  readonly #isPrepared: boolean;
  readonly #left: Left | undefined;

  /**
   * @param isPrepared whether statements are prepared once for each connection
   * @param left until no other statement is sent
   */
  constructor(
    { number, dataSet }: Generation,
    client: Pick<pg.Pool, 'query'>,
    isPrepared = false,
    left?: Left,
  ) {
    this.dataSet = dataSet;
    this.#number = number;
    this.#client = client;
    this.#isPrepared = isPrepared;
    this.#left = left;
  }

  /**
   * The answer to a folded text. Finds its row and its foods in one round trip: it is the row with the last key that is not
   * above the text, and its key must begin the text.
   */
  async answer(key: string): Promise<Buffer> {
    return bodyOf(await this.found(key));
  }

  /** The foods of {@link answer}. */
  async found(key: string): Promise<FoundRow[]> {
    // Without `folded` and `scores`, the rows are the answer in its order; with them, they are in the order of their ids.
    const rows = await this.#query<FoodRow | (FoundRow & Record<keyof MatchingFood, null>)>(
      'search',
      `SELECT f.id, f.entry, CASE WHEN NOT p.is_answer THEN f.folded END AS folded,
        CASE WHEN NOT p.is_answer THEN f.scores END AS scores
      FROM (SELECT key, is_answer, foods FROM ${this.#table('patterns')}
          WHERE key <= $1::text COLLATE "C" ORDER BY key DESC LIMIT 1) p
        CROSS JOIN LATERAL unnest(p.foods) WITH ORDINALITY AS u (id, place)
        JOIN ${this.#table('foods')} f ON f.id = u.id
      WHERE starts_with($1, p.key) AND (p.key = $1 OR NOT p.is_answer) AND (p.is_answer OR strpos(f.folded, $1) > 0)
      ORDER BY u.place`,
      key,
    );
    const candidates = rows.filter((row) => row.folded !== null);
    return candidates.length === 0 ? rows : bestMatches(key, candidates);
  }

  async foods(ids: readonly number[]): Promise<FoodRow[]> {
    if (ids.length === 0) return [];
    const text = `SELECT f.id, f.entry, f.folded, f.scores FROM unnest($1::integer[]) WITH ORDINALITY AS u (id, place)
        JOIN ${this.#table('foods')} f ON f.id = u.id ORDER BY u.place`;
    return this.#query('foods', text, ids);
  }

  /** All parts of a section of the words, in order, or some of them, in any order. */
  parts(section: string, parts?: readonly number[]): Promise<{ part: number; bytes: Buffer }[]> {
    const text = `SELECT part, bytes FROM ${this.#table('words')} WHERE section = $1`;
    return parts === undefined
      ? this.#query('sections', `${text} ORDER BY part`, section)
      : this.#query('parts', `${text} AND part = ANY($2::integer[])`, section, parts);
  }

  /** What the first food of exactly this description that has some has beside its entry. */
  async apart(table: FactName, description: string): Promise<Buffer> {
    if (lacks(this.dataSet, table)) return Buffer.from('[]');
    const [row] = await this.#query<{ readonly found: string }>(
      table,
      `SELECT ${table} AS found FROM ${this.#table(table)} WHERE digest = $1`,
      digestOf(descriptionKey(description)),
    );
    return Buffer.from(row?.found ?? '[]');
  }

  /** The entries of the first foods with a code in its one form. */
  async withCode(code: string): Promise<Buffer> {
    if (lacks(this.dataSet, 'codes')) return Buffer.from('[]');
    const text = `SELECT f.entry FROM ${this.#table('codes')} c JOIN ${this.#table('foods')} f ON f.id = c.id
        WHERE c.code = $1 ORDER BY c.id LIMIT ${MAX_ENTRIES}`;
    return bodyOf(await this.#query<Pick<FoundRow, 'entry'>>('codes', text, code));
  }

  #table(name: TableName): string {
    return storedTable(name, this.#number);
  }

  async #query<Row extends object>(name: string, text: string, ...values: unknown[]): Promise<Row[]> {
    if (this.#left !== undefined && this.#left() <= 0) throw new Unavailable(LATE);
    const statement = { ...(this.#isPrepared && { name: `${name}_${this.#number}` }), text, values };
    return (await this.#client.query<Row>(statement)).rows;
  }
}

/** Replaces a key that may be longer than an index of the database allows. */
export const digestOf = (key: Uint8Array): Buffer => createHash('sha256').update(key).digest();

/** A JSON array of the entries. */
export const bodyOf = (rows: readonly Pick<FoundRow, 'entry'>[]): Buffer =>
  Buffer.from(`[${rows.map(({ entry }) => entry).join()}]`);
