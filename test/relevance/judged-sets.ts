/**
 * Judged queries, and how the order of answers is measured with them, for tests and `npm run relevance`. A grade is 3 (what is
 * meant), 2 (a very common form of it), 1 (a special form) or 0 (another food).
 */
import { readFile } from 'node:fs/promises';
import { type FoodEntry, fold } from '#core';
import { LiveCatalog, type MemoryCatalog, readOtherNames } from '#service';
import type { Row } from '../oracle.ts';
import { execute } from '../support/programs.ts';
import { rowsOfCsv } from '../support/rows.ts';

interface JudgedQuery {
  readonly q: string;
  readonly grades: Readonly<Record<string, number>>;
}

type KeyOf = (entry: FoodEntry) => string;

export interface JudgedSet {
  readonly title: string;
  readonly file: string;
  /** Whether the queries are searches by words. */
  readonly byWords?: true;
  /** The least means that the tests accept. */
  readonly least: Partial<ReturnType<typeof meansOf>>;
}

/** A data set, and the sets of judged queries for it. */
export interface JudgedData {
  readonly name: string;
  readonly file: string;
  readonly sets: readonly JudgedSet[];
  /** How the grades identify a food. */
  readonly keys: (dataFile: string) => Promise<KeyOf>;
  /** The grade of an unjudged food, or undefined to leave it out of the answer. */
  readonly unjudged: 0 | undefined;
}

const RELEVANCE = '../shared/relevance';
export const USDA_SHOWN: JudgedSet = {
  title: 'USDA, the 60',
  file: `${RELEVANCE}/relevance-dev.json`,
  least: { ndcg: 0.83 },
};
/** The food that a recipe site linked each ingredient to. */
export const USDA_PHRASES: JudgedSet = {
  title: 'phrases, the 1,043',
  file: `${RELEVANCE}/phrases-dev.json`,
  byWords: true,
  least: { hit: 0.53, hitOfFive: 0.75 },
};

/** Foods that ship with the project, for those without the other data. */
export const STARTER_DATA: JudgedData = {
  name: 'starter',
  file: 'data/starter-foods.csv',
  sets: [
    {
      title: 'starter foods, the 35',
      file: 'test/relevance/starter-queries.json',
      least: { ndcg: 0.95, hit: 0.9 },
    },
  ],
  keys: async () => (entry) => entry.description,
  unjudged: 0,
};
export const USDA_DATA: JudgedData = {
  name: 'usda',
  file: '../shared/data/sr28.csv',
  sets: [
    USDA_SHOWN,
    // Never used to choose a rule.
    { title: 'USDA, the 163', file: 'test/relevance/judged-queries.json', least: { ndcg: 0.8 } },
    // In natural order, misspelt, and from other countries.
    {
      title: 'words, the 39',
      file: `${RELEVANCE}/words-dev.json`,
      byWords: true,
      least: { ndcg: 0.86, hit: 0.66 },
    },
    USDA_PHRASES,
  ],
  keys: idsByDescription,
  unjudged: 0,
};
export const BRANDED_DATA: JudgedData = {
  name: 'branded',
  file: '../shared/data/off-2019.csv.gz',
  sets: [
    {
      title: 'branded, the 40',
      file: `${RELEVANCE}/branded-dev.json`,
      // No name is repeated.
      least: { ndcg: 0.73, hit: 0.97, distinct: 9 },
    },
  ],
  keys: async () => nameOf,
  unjudged: undefined,
};

/** How good the answer to a query is. */
export type Judgement = Awaited<ReturnType<typeof judge>>[number];

/**
 * Imports a data set and opens the index. It runs the built command, which is several times as fast as the source in the test
 * runner, in one thread, which takes the least processor time.
 */
export async function judgedCatalog({ file }: JudgedData, indexFile: string): Promise<MemoryCatalog> {
  const command = ['dist/service/cli/main.js', 'import', file, '--to', indexFile, '--threads', '1'];
  await execute(process.execPath, command);
  return LiveCatalog.open(indexFile);
}

export async function judge(
  catalog: MemoryCatalog,
  { file: dataFile, keys, unjudged }: JudgedData,
  { file, byWords }: JudgedSet,
) {
  const keyOf = await keys(dataFile);
  const queries = JSON.parse(await readFile(file, 'utf8')) as JudgedQuery[];
  const names = await readOtherNames(undefined);
  const answerTo = (q: string): Buffer => (byWords ? catalog.searchWords(q, names).body : catalog.search(q));
  return queries.map((query) => {
    const entries = JSON.parse(answerTo(query.q).toString()) as FoodEntry[];
    const found = entries.map((entry) => {
      const key = keyOf(entry);
      return { key, description: entry.description, grade: query.grades[key] };
    });
    const seen = new Set<string>();
    const grades = found.flatMap(({ key, grade = unjudged }) => {
      // A repeated food is worth nothing.
      const worth = seen.has(key) ? 0 : grade;
      seen.add(key);
      return worth === undefined ? [] : [worth];
    });
    const ideal = Object.values(query.grades).toSorted((a, b) => b - a);
    return {
      query,
      /** The answer, best first; the grade of an unjudged food is undefined. */
      found,
      ndcg: gainOf(grades) / (gainOf(ideal) || 1),
      /** Whether the first food is what is meant. */
      hit: grades[0] === 3,
      /** Whether it is among the first five. */
      hitOfFive: grades.slice(0, 5).includes(3),
      /** The number of different names in the first ten foods. */
      distinct: new Set(entries.slice(0, 10).map(nameOf)).size,
    };
  });
}

/** Discounted cumulative gain of the first ten. */
const gainOf = (grades: readonly number[]): number =>
  grades.slice(0, 10).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0);

export function meansOf(judgements: readonly Judgement[]) {
  const mean = (of: (each: Judgement) => number): number =>
    judgements.reduce((sum, each) => sum + of(each), 0) / judgements.length;
  return {
    ndcg: mean(({ ndcg }) => ndcg),
    hit: mean(({ hit }) => Number(hit)),
    hitOfFive: mean(({ hitOfFive }) => Number(hitOfFive)),
    distinct: mean(({ distinct }) => distinct),
  };
}

function nameOf({ description }: FoodEntry): string {
  return fold(description.normalize('NFC')).trim();
}

/** USDA's number of a food; foods with the same description are distinguished by their energy. */
async function idsByDescription(dataFile: string): Promise<KeyOf> {
  const foods = new Map<string, Row[]>();
  for (const row of await rowsOfCsv(dataFile)) {
    const description = row.description ?? '';
    foods.set(description, [...(foods.get(description) ?? []), row]);
  }
  return ({ description, kcal }) => {
    const same = foods.get(description) ?? [];
    const food = same.find((each) => Number(each.kcal) === kcal) ?? same[0];
    return (food?.ndb_no ?? '').padStart(5, '0');
  };
}
