/**
 * `food-lookup import FILE --dry-run`: reads the sources, and prints the report of an import, the first foods and the command,
 * without writing.
 */
import { basename } from 'node:path';
import { renderEntry } from '../foods/food.ts';
import { openSources } from '../readers/read-foods.ts';
import { ImportReport } from '../readers/report/report.ts';
import { isPostgresUrl } from '../settings/postgres-url.ts';
import { shown, UserError, withoutPassword } from '../system/errors.ts';
import { commandName, flagOf, quoted } from '../system/paths.ts';
import { print } from '../system/process.ts';
import { fold } from '../text/fold.ts';
import { KeyTable, keyOf } from '../text/key-table.ts';
import { amount, counted } from '../text/printable.ts';
import { type ImportFlags, lossOf, readOptionsOf } from './import-checks.ts';
import { ProgressDisplay } from './progress.ts';
import { foodsOf, foodTable } from './tables.ts';

const FIRST = 5;

/** @throws UserError for anything that would stop the import, after printing what is known by then */
export async function dryRun(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const display = new ProgressDisplay();
  const report = new ImportReport((progress) => display.update(progress));
  const foods: string[] = [];
  const names = new NameCounts();
  try {
    for await (const batch of openSources(sources, readOptionsOf(flags), report)) {
      foods.push(...batch.slice(0, FIRST - foods.length).map(renderEntry));
      for (const { description } of batch) names.add(description);
    }
    const loss = lossOf(report, flags);
    if (loss !== undefined) throw new UserError(`${loss} An import would write nothing.`);
  } finally {
    display.stop();
    // Even if an import would fail: the columns, as they were read, may show why.
    if (report.sources.some(({ columns, rows }) => columns.length > 0 || rows > 0))
      print([...report.sources.flatMap((source) => source.lines(true)), ...names.lines, ...tableOf(foods)]);
  }
  print(['Nothing was written. To import:', '', `  ${importCommand(sources, flags)}`]);
}

/** @param foods as entries of an answer */
const tableOf = (foods: readonly string[]): string[] =>
  foods.length === 0 ? [] : ['', 'First foods', ...foodTable(foodsOf(`[${foods.join(',')}]`)), ''];

/** Foods of one name, from which on it is reported. */
const MANY = 3;

const LISTED = 3;

/** Counts the names of foods: one that occurs many times is probably a group or a column mixed up. */
class NameCounts {
  readonly #names = new KeyTable();
  readonly #counts: number[] = [];
  readonly #many = new Map<number, { readonly name: string; readonly count: number }>();

  add(name: string): void {
    const { low, high } = keyOf(fold(name));
    const number = this.#names.numberOf(low, high);
    const count = (this.#counts[number] ?? 0) + 1;
    this.#counts[number] = count;
    if (count >= MANY) this.#many.set(number, { name, count });
  }

  get lines(): string[] {
    if (this.#many.size === 0) return [];
    const most = [...this.#many.values()].toSorted((a, b) => b.count - a.count).slice(0, LISTED);
    const listed = most.map(({ name, count }) => `${shown(name)} ${amount(count)} times`).join('; ');
    return [`suspicious: ${counted(this.#many.size, 'name')} of many foods: ${listed}`];
  }
}

/** The command line that imports the sources with these flags, to be copied into a shell. Passwords in addresses are left out. */
export function importCommand(sources: readonly string[], flags: ImportFlags): string {
  const { to = targetFor(sources[0] ?? ''), dryRun: _, ...others } = flags;
  const target = isPostgresUrl(to) ? withoutPassword(to).replace('***@', 'USER:PASSWORD@') : to;
  const args = [...sources.map((source) => withoutPassword(source)), '--to', target];
  for (const [name, value] of Object.entries(others)) {
    if (value === true) args.push(flagOf(name));
    else for (const each of [value ?? []].flat()) args.push(flagOf(name), String(each));
  }
  return `${commandName()} import ${args.map((each) => quoted(each)).join(' ')}`;
}

/** The name of an index file for a source: `foods.idx` for `data/foods.csv.gz`. */
function targetFor(source: string): string {
  const path = /^https?:/i.test(source) ? new URL(source).pathname : source;
  const name = basename(path)
    .replace(/^.*:/, '')
    .replace(/(\.\w{1,8}){1,2}$/, '');
  const target = `${name === '' || name === '-' ? 'foods' : name}.idx`;
  // An index as a source cannot be its own target.
  return target === basename(path) ? `new-${target}` : target;
}
