/**
 * The tables of food-lookup in a PostgreSQL database. The schema `food_lookup` has one small table that never
 * changes its form and names the current data set; each data set has its own tables, with its number.
 *
 *   data_set      one row: version of the layout, number of the current data set, facts (JSON)
 *   foods_N       id (the order of the foods), folded description, scores of its words, JSON of the entry
 *   patterns_N    key, whether the foods are its answer, foods: see `search/text-rows.ts`; and with W before them
 *                 the common words, see `search/only-word.ts`
 *   words_N       section, part, bytes: the vocabulary and its postings, see `word-parts.ts`
 *   portions_N    digest of a description, JSON of its portions; absent without portions
 *
 * Keys are compared byte by byte (collation "C"). A folded text has no capitals, so W marks words, and N stands for
 * the character NUL, which PostgreSQL cannot store.
 */
import { createHash } from 'node:crypto';
import type { DataSet } from '../../foods/catalog.ts';
import type { FileLabel } from '../../search/index-format.ts';
import { portionKey } from '../../search/portion-table.ts';
import type { PortionCounts } from '../../search/portions.ts';
import { bestMatches } from '../../search/ranking/rank-matches.ts';

/** Increases with every change that an older program would misread. */
export const SCHEMA_VERSION = 4;

export const SCHEMA = 'food_lookup';

export type StoredDataSet = FileLabel &
  Pick<DataSet, 'foods' | 'identity'> & {
    /** Absent if no food has portions; then there is no table of them. */
    readonly portions?: PortionCounts;
  };

export interface Generation {
  readonly number: number;
  readonly dataSet: StoredDataSet;
}

export const CREATE_DATA_SET = `CREATE TABLE ${SCHEMA}.data_set (
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
};

export type TableName = keyof typeof TABLES;

export const tableOf = (name: TableName, generation: number): string => `${SCHEMA}.${name}_${generation}`;

export const tableNames = ({ dataSet }: Generation): TableName[] => [
  ...(['foods', 'patterns', 'words'] as const),
  ...(dataSet.portions === undefined ? [] : (['portions'] as const)),
];

export const tablesOf = (generation: Generation): string[] =>
  tableNames(generation).map((name) => tableOf(name, generation.number));

/** The statement that creates a table, and the one that indexes it when its rows are there. */
export const createTable = (name: TableName, generation: number): string =>
  `CREATE TABLE ${tableOf(name, generation)} (${TABLES[name].columns})`;
export const indexTable = (name: TableName, generation: number): string =>
  `ALTER TABLE ${tableOf(name, generation)} ADD PRIMARY KEY (${TABLES[name].key})`;

/** Compressing words would cost time at every search and saves little. */
export const storeUncompressed = (generation: number): string =>
  `ALTER TABLE ${tableOf('words', generation)} ALTER COLUMN bytes SET STORAGE EXTERNAL`;

export function stored(folded: string): string {
  return folded.replaceAll('\0', 'N');
}

export const wordKey = (word: string): string => `W${word}`;

export interface FoundRow {
  readonly entry: string;
  /** Null if the rows are the answer in its order; otherwise they are in the order of their ids. */
  readonly folded: string | null;
  readonly scores: string | null;
}

export interface SearchQuery {
  /** Of the prepared statement. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Ask = <Row extends object>(query: SearchQuery) => Promise<Row[]>;

/**
 * Finds the row of a text and its foods in one round trip. It is the row with the last key that is not above the text,
 * and its key must begin the text.
 */
export function searchQuery({ number }: Generation, key: string): SearchQuery {
  return {
    name: `search_${number}`,
    text: `SELECT f.entry, CASE WHEN NOT p.is_answer THEN f.folded END AS folded,
        CASE WHEN NOT p.is_answer THEN f.scores END AS scores
      FROM (SELECT key, is_answer, foods FROM ${tableOf('patterns', number)}
          WHERE key <= $1::text COLLATE "C" ORDER BY key DESC LIMIT 1) p
        CROSS JOIN LATERAL unnest(p.foods) WITH ORDINALITY AS u (id, place)
        JOIN ${tableOf('foods', number)} f ON f.id = u.id
      WHERE starts_with($1, p.key) AND (p.key = $1 OR NOT p.is_answer) AND (p.is_answer OR strpos(f.folded, $1) > 0)
      ORDER BY u.place`,
    values: [key],
  };
}

export function foodsQuery({ number }: Generation, foods: readonly number[]): SearchQuery {
  return {
    name: `foods_${number}`,
    text: `SELECT f.entry, f.folded, f.scores FROM unnest($1::integer[]) WITH ORDINALITY AS u (id, place)
        JOIN ${tableOf('foods', number)} f ON f.id = u.id ORDER BY u.place`,
    values: [foods],
  };
}

export interface PartRow {
  readonly part: number;
  readonly bytes: Buffer;
}

export function partsQuery({ number }: Generation, section: string, parts?: readonly number[]): SearchQuery {
  const text = `SELECT part, bytes FROM ${tableOf('words', number)} WHERE section = $1`;
  if (parts === undefined)
    return { name: `sections_${number}`, text: `${text} ORDER BY part`, values: [section] };
  return { name: `parts_${number}`, text: `${text} AND part = ANY($2::integer[])`, values: [section, parts] };
}

export interface PortionRow {
  readonly portions: string;
}

export function portionsQuery({ number }: Generation, description: string): SearchQuery {
  return {
    name: `portions_${number}`,
    text: `SELECT portions FROM ${tableOf('portions', number)} WHERE digest = $1`,
    values: [digestOf(portionKey(description))],
  };
}

export const portionsIn = ([row]: readonly PortionRow[]): Buffer => Buffer.from(row?.portions ?? '[]');

/** Replaces a key that may be longer than an index of the database allows. */
export const digestOf = (key: Uint8Array): Buffer => createHash('sha256').update(key).digest();

/** The answer to a folded text from the rows found: a JSON array of their entries, best first. */
export function answerOf(key: string, rows: readonly FoundRow[]): Buffer {
  const candidates = candidatesIn(rows);
  return bodyOf(candidates.length === 0 ? rows : bestMatches(key, candidates));
}

export function candidatesIn(rows: readonly FoundRow[]) {
  return rows.flatMap(({ folded, scores, entry }) =>
    folded === null || scores === null ? [] : [{ folded, scores, entry }],
  );
}

export function bodyOf(rows: readonly Pick<FoundRow, 'entry'>[]): Buffer {
  return Buffer.from(`[${rows.map(({ entry }) => entry).join()}]`);
}
