/**
 * The tables of food-lookup in a PostgreSQL database. The schema `food_lookup` has one small table that never
 * changes its form and names the current data set; each data set has two tables of its own, with its number.
 *
 *   data_set      one row: version of the layout, number of the current data set, facts (JSON)
 *   foods_N       id (the order of the foods), folded description, scores of its words, JSON of the entry
 *   patterns_N    key, whether the foods are its answer, foods: see `search/text-rows.ts`
 *
 * Keys are compared byte by byte (collation "C"). A folded text has no capitals, so N stands for the character
 * NUL, which PostgreSQL cannot hold.
 */
import type { DataSet } from '../../catalog.ts';
import type { FileLabel } from '../../search/index-format.ts';
import { bestMatches } from '../../search/ranking/rank-matches.ts';

/** Goes up with every change that an older program would read wrongly. */
export const SCHEMA_VERSION = 3;

export const SCHEMA = 'food_lookup';

/** What the column `facts` holds. */
export type StoredDataSet = FileLabel & Pick<DataSet, 'foods' | 'identity'>;

/** A data set in the database. */
export interface Generation {
  readonly number: number;
  readonly dataSet: StoredDataSet;
}

export const CREATE_DATA_SET = `CREATE TABLE ${SCHEMA}.data_set (
  single boolean PRIMARY KEY DEFAULT true CHECK (single),
  version integer NOT NULL, generation bigint NOT NULL, facts text NOT NULL)`;

export const foodsTable = (generation: number): string => `${SCHEMA}.foods_${generation}`;
export const patternsTable = (generation: number): string => `${SCHEMA}.patterns_${generation}`;

export const createFoods = (generation: number): string => `CREATE TABLE ${foodsTable(generation)} (
  id integer NOT NULL, folded text COLLATE "C" NOT NULL, scores text COLLATE "C" NOT NULL, entry text NOT NULL)`;
export const createPatterns = (generation: number): string => `CREATE TABLE ${patternsTable(generation)} (
  key text COLLATE "C" NOT NULL, is_answer boolean NOT NULL, foods integer[] NOT NULL)`;

/** A folded text as the tables hold it. */
export function stored(folded: string): string {
  return folded.replaceAll('\0', 'N');
}

export interface FoundRow {
  readonly entry: string;
  /** Null where the rows are the answer in its order; otherwise they are in the order of their ids. */
  readonly folded: string | null;
  readonly scores: string | null;
}

export interface SearchQuery {
  /** Of the prepared statement. */
  readonly name: string;
  readonly text: string;
  readonly values: string[];
}

/**
 * Finds the row of a text and its foods in one round trip. It is the row with the last key that is not above the text,
 * and its key must begin the text.
 */
export function searchQuery({ number }: Generation, key: string): SearchQuery {
  return {
    name: `search_${number}`,
    text: `SELECT f.entry, CASE WHEN NOT p.is_answer THEN f.folded END AS folded,
        CASE WHEN NOT p.is_answer THEN f.scores END AS scores
      FROM (SELECT key, is_answer, foods FROM ${patternsTable(number)}
          WHERE key <= $1::text COLLATE "C" ORDER BY key DESC LIMIT 1) p
        CROSS JOIN LATERAL unnest(p.foods) WITH ORDINALITY AS u (id, place)
        JOIN ${foodsTable(number)} f ON f.id = u.id
      WHERE starts_with($1, p.key) AND (p.key = $1 OR NOT p.is_answer) AND (p.is_answer OR strpos(f.folded, $1) > 0)
      ORDER BY u.place`,
    values: [key],
  };
}

/** The answer to a folded text from the rows found: a JSON array of their entries, best first. */
export function answerOf(key: string, rows: readonly FoundRow[]): Buffer {
  const candidates = rows.flatMap(({ folded, scores, entry }) =>
    folded === null || scores === null ? [] : [{ folded, scores, entry }],
  );
  const best = candidates.length === 0 ? rows : bestMatches(key, candidates);
  return Buffer.from(`[${best.map(({ entry }) => entry).join()}]`);
}
