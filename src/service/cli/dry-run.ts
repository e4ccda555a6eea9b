/** `food-lookup import FILE --dry-run`: prints the report of an import, the first foods and the command, without writing. */
import { basename } from 'node:path';
import { commandName, flagOf, quoted, renderEntry, UserError, withoutPassword } from '#core';
import { isPostgresUrl } from '#postgres';
import { ImportReport, openSources } from '#tables';
import { type ImportFlags, lossOf, readOptionsOf } from './import.ts';
import { print } from './print.ts';
import { ProgressDisplay } from './progress.ts';
import { foodsOf, foodTable } from './tables.ts';

const FIRST = 5;

/** @throws UserError for anything that would stop the import, after printing what is known by then */
export async function dryRun(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const display = new ProgressDisplay();
  const report = new ImportReport((progress) => display.update(progress));
  /** As entries of an answer. */
  const foods: string[] = [];
  try {
    for await (const batch of openSources(sources, readOptionsOf(flags), report)) {
      const first = batch.filter(({ codesOf }) => codesOf === undefined).slice(0, FIRST - foods.length);
      foods.push(...first.map(renderEntry));
    }
    const loss = lossOf(report, flags);
    if (loss !== undefined) throw new UserError(`${loss} An import would write nothing.`);
  } finally {
    display.stop();
    // Even if an import would fail: the columns, as they were read, may show why.
    if (report.sources.some(({ columns, rows }) => columns.length > 0 || rows > 0))
      print([...report.sources.flatMap((source) => source.lines(true)), ...(report.names?.lines ?? [])]);
    if (foods.length > 0) print(['', 'First foods', ...foodTable(foodsOf(`[${foods.join(',')}]`)), '']);
  }
  print(['Nothing was written. To import:', '', `  ${importLine(sources, flags)}`]);
}

/** The command line that imports the sources with these flags, to be copied into a shell. Passwords in addresses are left out. */
export function importLine(sources: readonly string[], flags: ImportFlags): string {
  const { to = targetFor(sources[0] ?? ''), dryRun: _, nutrients, ...others } = flags;
  const target = isPostgresUrl(to) ? withoutPassword(to).replace('***@', 'USER:PASSWORD@') : to;
  const args = [...sources.map((source) => withoutPassword(source)), '--to', target];
  for (const [name, value] of Object.entries(others)) {
    if (value === true) args.push(flagOf(name));
    else for (const each of [value ?? []].flat()) args.push(flagOf(name), String(each));
  }
  if (nutrients === false) args.push('--no-nutrients');
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
