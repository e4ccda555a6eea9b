/**
 * `npm run relevance` measures how good the order is on the judged queries, and lists the worst of them. It uses the starter
 * foods, and USDA's and branded foods if they are there.
 *
 *   -- --all             lists every query, in an order that lets diff compare two runs
 *   -- --rules           also measures what each rule is worth, with one import of all data sets for each
 *   -- --without RULE    measures what one rule, or one weight of src/search/ranking/points.ts, is worth
 *   -- --write           writes the table into docs/order.md
 */
import { existsSync, mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { LiveCatalog } from '../src/catalogs/index/live.ts';
import { WORD_WEIGHTS } from '../src/search/ranking/points.ts';
import { OPTIONS } from '../src/search/words/readings.ts';
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
const SWITCH = './load/without-rule.mjs';
const WORST = 10;
const FIRST_ANSWERS = 3;

const ALL_DATA = [STARTER_DATA, USDA_DATA, BRANDED_DATA];
const isAvailable = ({ file, sets }: JudgedData): boolean =>
  [file, ...sets.map((set) => set.file)].every((each) => existsSync(each));
const DATA = ALL_DATA.filter(isAvailable);

type Judged = ReadonlyMap<string, readonly Judgement[]>;

/** @param without a rule that applies to imports; undefined: an index that all rules made is used again */
async function judgeData(data: JudgedData, without: string | undefined, isMade: boolean): Promise<Judged> {
  const made = `${FOLDER}/${data.name}.idx`;
  const changed = `${FOLDER}/without.${data.name}.idx`;
  const isWhole = without === undefined || isMade;
  const catalog = isMade
    ? await LiveCatalog.open(made)
    : await judgedCatalog(data, isWhole ? made : changed, isWhole ? [] : ['--import', SWITCH]);
  const judged = new Map<string, readonly Judgement[]>();
  for (const set of data.sets) judged.set(set.title, await judge(catalog, data, set));
  return judged;
}

/** What a rule of searches by words consists of, replaced by what has no effect. */
interface SearchRule {
  readonly weights?: Partial<typeof WORD_WEIGHTS>;
  readonly options?: Partial<typeof OPTIONS>;
}

interface Switch {
  readonly RULES: Readonly<Record<string, unknown>>;
  readonly SEARCH_RULES: Readonly<Record<string, SearchRule>>;
  readonly WEIGHTS: readonly string[];
}

/** Judges all sets, with all rules or without one. @param rule if it applies during a search */
async function judgeAll(without?: string, rule?: SearchRule): Promise<Judged> {
  process.env.WITHOUT_RULE = without ?? '';
  const [weights, readings] = [{ ...WORD_WEIGHTS }, { ...OPTIONS }];
  Object.assign(WORD_WEIGHTS, rule?.weights);
  Object.assign(OPTIONS, rule?.options);
  const all = await Promise.all(DATA.map((data) => judgeData(data, without, rule !== undefined)));
  Object.assign(WORD_WEIGHTS, weights);
  Object.assign(OPTIONS, readings);
  return new Map(all.flatMap((judged) => [...judged]));
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

/** The loss of nDCG@10 without each of the rules, and the number of different names if it changes. */
async function worthOf(rules: readonly string[], whole: Judged, { SEARCH_RULES }: Switch): Promise<string> {
  const rows: string[][] = [];
  for (const rule of rules) {
    const without = await judgeAll(rule, SEARCH_RULES[rule]);
    const losses = Array.from(whole, ([title, judgements]) =>
      lossOf(meansOf(judgements), meansOf(without.get(title) ?? [])),
    );
    rows.push([rule, ...losses]);
    console.warn(`without ${rule}: ${losses.join(', ')}`);
  }
  return table(['without', ...whole.keys()], rows);
}

function lossOf(whole: ReturnType<typeof meansOf>, without: ReturnType<typeof meansOf>): string {
  const change = (without.ndcg - whole.ndcg).toFixed(3).replace('-', '−');
  const signed = /[1-9]/.test(change) ? change.replace(/^(?!−)/, '+') : '0';
  const names = without.distinct.toFixed(1);
  return names === whole.distinct.toFixed(1) ? signed : `${signed} (${names} names)`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      all: { type: 'boolean' },
      rules: { type: 'boolean' },
      without: { type: 'string' },
      write: { type: 'boolean' },
    },
  });
  const missing = ALL_DATA.filter((data) => !isAvailable(data)).map(({ file }) => file);
  if (missing.length > 0) {
    const what = `the folder ../shared is missing: ${missing.join(' and ')}.`;
    if (values.write) throw new Error(`The table of ${PAGE} cannot be updated, since ${what}`);
    console.warn(`Not measured, since ${what}`);
  }
  const switches = (await import(/* @vite-ignore */ pathToFileURL(SWITCH).href)) as Switch;
  const { RULES, SEARCH_RULES, WEIGHTS } = switches;
  const names = [...Object.keys(RULES), ...Object.keys(SEARCH_RULES)];
  if (values.without !== undefined && ![...names, ...WEIGHTS].includes(values.without))
    throw new Error(`There is no rule ${values.without}; there are ${[...names, ...WEIGHTS].join(', ')}.`);
  mkdirSync(FOLDER, { recursive: true });
  const judged = await judgeAll();
  const figures = figuresOf(judged);
  console.log(figures);
  for (const [title, judgements] of judged) {
    const [what, shown] = values.all ? ['all', judgements] : [`the worst ${WORST}`, worstOf(judgements)];
    console.log(['', `${title}: ${what}`, ...linesOf(shown)].join('\n'));
  }
  if (values.write) writeTables(PAGE, { figures });
  if (values.rules !== true && values.without === undefined) return;
  const worth = await worthOf(values.without === undefined ? names : [values.without], judged, switches);
  console.log(`\n${worth}`);
}

await main();
