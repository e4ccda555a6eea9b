/**
 * `npm run relevance` measures how good the order is on the judged queries, and lists the worst of them. It uses the starter
 * foods, and USDA's and branded foods if they are there.
 *
 *   -- --all      lists every query, in an order that lets diff compare two runs
 *   -- --write    writes the table into docs/order.md
 */
import { existsSync, mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
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
import { table, writeTable } from './tools/markdown.ts';

const FOLDER = 'tmp/relevance';
const PAGE = 'docs/order.md';
const WORST = 10;
const FIRST_ANSWERS = 3;

const ALL_DATA = [STARTER_DATA, USDA_DATA, BRANDED_DATA];
const isAvailable = ({ file, sets }: JudgedData): boolean =>
  [file, ...sets.map((set) => set.file)].every((each) => existsSync(each));
const DATA = ALL_DATA.filter(isAvailable);

type Judged = ReadonlyMap<string, readonly Judgement[]>;

async function judgeData(data: JudgedData): Promise<[title: string, judgements: readonly Judgement[]][]> {
  const catalog = await judgedCatalog(data, `${FOLDER}/${data.name}.idx`);
  const judged: [string, readonly Judgement[]][] = [];
  for (const set of data.sets) judged.push([set.title, await judge(catalog, data, set)]);
  return judged;
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

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { all: { type: 'boolean' }, write: { type: 'boolean' } },
  });
  const missing = ALL_DATA.filter((data) => !isAvailable(data)).map(({ file }) => file);
  if (missing.length > 0) {
    const what = `the folder ../shared is missing: ${missing.join(' and ')}.`;
    if (values.write) throw new Error(`The table of ${PAGE} cannot be updated, since ${what}`);
    console.warn(`Not measured, since ${what}`);
  }
  mkdirSync(FOLDER, { recursive: true });
  const judged: Judged = new Map((await Promise.all(DATA.map(judgeData))).flat());
  const figures = figuresOf(judged);
  console.log(figures);
  for (const [title, judgements] of judged) {
    const [what, shown] = values.all ? ['all', judgements] : [`the worst ${WORST}`, worstOf(judgements)];
    console.log(['', `${title}: ${what}`, ...linesOf(shown)].join('\n'));
  }
  if (values.write) writeTable(PAGE, 'figures', figures);
}

await main();
