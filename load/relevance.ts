/**
 * `npm run relevance` measures how good the order is on the judged queries, and lists the worst of them. It uses the starter
 * foods, and USDA's and branded foods if they are there.
 *
 *   -- --all                   lists every query, in an order that lets diff compare two runs
 *   -- --without brand,length  measures without these weights of src/search/ranking/points.ts
 *   -- --write                 writes the table into docs/order.md
 */
import { existsSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { POINTS, WORD_WEIGHTS } from '../src/search/ranking/points.ts';
import {
  BRANDED_DATA,
  type JudgedData,
  type Judgement,
  judge,
  judgedCatalog,
  meansOf,
  STARTER_DATA,
  USDA_DATA,
} from '../test/relevance/judged-sets.ts';
import { table, writeTables } from './tools/markdown.ts';

const FOLDER = 'tmp/relevance';
const PAGE = 'docs/order.md';
const WORST = 10;
const FIRST_ANSWERS = 3;

type Judged = ReadonlyMap<string, readonly Judgement[]>;

/** Judges all sets of the data. */
async function judgeAll(all: readonly JudgedData[], nodeOptions: readonly string[]): Promise<Judged> {
  mkdirSync(FOLDER, { recursive: true });
  const judged = await Promise.all(
    all.map(async (data) => {
      const catalog = await judgedCatalog(data, `${FOLDER}/${data.name}.idx`, nodeOptions);
      return Promise.all(data.sets.map(async (set) => [set.title, await judge(catalog, data, set)] as const));
    }),
  );
  return new Map(judged.flat());
}

function figuresOf(judged: Judged): string {
  const rows = Array.from(judged, ([title, judgements]) => {
    const { ndcg, hit, hitOfFive, distinct } = meansOf(judgements);
    const means = [ndcg, hit, hitOfFive].map((mean) => mean.toFixed(3));
    return [title, String(judgements.length), ...means, distinct.toFixed(1)];
  });
  return table(
    ['judged set', 'queries', 'nDCG@10', 'hit@1', 'hit@5', 'different names of the first ten'],
    rows,
  );
}

const worstOf = (judgements: readonly Judgement[]): Judgement[] =>
  judgements.toSorted((a, b) => a.ndcg - b.ndcg).slice(0, WORST);

function linesOf(judgements: readonly Judgement[]): string[] {
  return judgements.map(({ query, ndcg, found }) => {
    const first = found.slice(0, FIRST_ANSWERS);
    const answers = first.map(({ grade, description }) => `[${grade ?? '-'}] ${description}`);
    return `  ${ndcg.toFixed(2)}  ${query.q}: ${answers.join(' | ')}`;
  });
}

/** Sets the weights to 0, here and in the processes to come. @throws if there is none of that name */
function leaveOut(names: string): void {
  const tables: Record<string, number>[] = [POINTS, WORD_WEIGHTS];
  for (const name of names.split(',')) {
    const having = tables.filter((each) => name in each);
    if (having.length === 0)
      throw new Error(`There is no weight ${name}; there are ${tables.flatMap(Object.keys).join(', ')}.`);
    for (const weights of having) weights[name] = 0;
  }
  process.env.WITHOUT = names;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { all: { type: 'boolean' }, without: { type: 'string' }, write: { type: 'boolean' } },
  });
  const data = [STARTER_DATA, USDA_DATA, BRANDED_DATA];
  const missing = data.filter(({ file, sets }) => [{ file }, ...sets].some((each) => !existsSync(each.file)));
  if (missing.length > 0) {
    const files = missing.map(({ file }) => file).join(' and ');
    console.warn(`Not measured, since the folder ../shared is missing: ${files}.`);
    if (values.write) throw new Error(`--write needs all of the data to update the table of ${PAGE}.`);
  }
  if (values.without !== undefined) leaveOut(values.without);
  const nodeOptions = values.without === undefined ? [] : ['--import', './load/without-weights.mjs'];
  const present = data.filter((each) => !missing.includes(each));
  const judged = await judgeAll(present, nodeOptions);
  const figures = figuresOf(judged);
  console.log(figures);
  for (const [title, judgements] of judged) {
    const [what, shown] = values.all ? ['all', judgements] : [`the worst ${WORST}`, worstOf(judgements)];
    console.log(['', `${title}: ${what}`, ...linesOf(shown)].join('\n'));
  }
  if (values.write) writeTables(PAGE, { figures });
}

await main();
