/**
 * `food-lookup import FILE --dry-run`: reads the sources and shows what an import would make of them, without writing: as
 * tables in a terminal, and elsewhere as plain lines for programs.
 */
import { basename } from 'node:path';
import { renderEntry } from '../foods/food.ts';
import { openSources } from '../readers/read-foods.ts';
import { ImportReport } from '../readers/report/report.ts';
import { columnText, type Finding, firstPlaces, type SourceReport } from '../readers/report/source-report.ts';
import { isPostgresUrl } from '../settings/postgres-url.ts';
import { shown, UserError, withoutPassword } from '../system/errors.ts';
import { commandName, flagOf, quoted } from '../system/paths.ts';
import { print } from '../system/process.ts';
import { fold } from '../text/fold.ts';
import { KeyTable, keyOf } from '../text/key-table.ts';
import { amount, counted, printable } from '../text/printable.ts';
import { type ImportFlags, lossOf, readOptionsOf } from './import-checks.ts';
import { ProgressDisplay } from './progress.ts';
import { foodsOf, foodTable, tableLines } from './tables.ts';

const FIRST = 5;

interface Found {
  readonly sources: readonly SourceReport[];
  /** The first foods, as entries of an answer. */
  readonly foods: readonly string[];
  readonly findings: readonly Finding[];
  /** The command for the import; undefined if it would fail. */
  readonly command: string | undefined;
}

/** @throws UserError for anything that would stop the import, after printing what is known by then */
export async function dryRun(sources: readonly string[], flags: ImportFlags): Promise<void> {
  const display = new ProgressDisplay();
  const report = new ImportReport((progress) => display.update(progress));
  const foods: string[] = [];
  const names = new RepeatedNames();
  let failure: unknown;
  try {
    for await (const batch of openSources(sources, readOptionsOf(flags), report)) {
      foods.push(...batch.slice(0, FIRST - foods.length).map(renderEntry));
      for (const { description } of batch) names.add(description);
    }
    const loss = lossOf(report, flags);
    if (loss !== undefined) failure = new UserError(`${loss} An import would write nothing.`);
  } catch (error) {
    // The columns, as they were read, may show why.
    if (!(error instanceof UserError) || report.sources.every(({ columns }) => columns.length === 0))
      throw error;
    failure = error;
  } finally {
    display.stop();
  }
  const found: Found = {
    sources: report.sources,
    foods,
    findings: [...report.sources.flatMap(({ doubts }) => doubts), ...names.findings],
    command: failure === undefined ? importCommand(sources, flags) : undefined,
  };
  const { isTTY, columns } = process.stdout;
  print(isTTY ? terminalLines(found, columns) : plainLines(found));
  if (failure !== undefined) throw failure;
}

/** Foods of one name, from which on it is reported. */
const MANY = 3;

const LISTED = 3;

/** Counts the names of foods: one that occurs many times is probably a group or a column mixed up. */
class RepeatedNames {
  readonly #names = new KeyTable();
  readonly #counts: number[] = [];
  readonly #many = new Map<number, string>();

  add(name: string): void {
    const { low, high } = keyOf(fold(name));
    const number = this.#names.numberOf(low, high);
    const count = (this.#counts[number] ?? 0) + 1;
    this.#counts[number] = count;
    if (count === MANY) this.#many.set(number, name);
  }

  get findings(): Finding[] {
    if (this.#many.size === 0) return [];
    const listed = Array.from(this.#many, ([number, name]) => ({ name, count: this.#counts[number] ?? 0 }))
      .toSorted((a, b) => b.count - a.count)
      .slice(0, LISTED)
      .map(({ name, count }) => `${shown(name)} ${amount(count)} times`);
    const text = `${amount(this.#many.size)} ${this.#many.size === 1 ? 'name occurs' : 'names occur'} many times`;
    return [{ kind: 'suspicious', text, places: firstPlaces(listed, this.#many.size) }];
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

function plainLines({ sources, foods, findings, command }: Found): string[] {
  const lines: (readonly [word: string, text: string])[] = [];
  for (const source of sources) {
    lines.push(['source', source.title]);
    for (const column of source.columns) lines.push(['column', columnText(column)]);
    if (source.unused.length > 0) lines.push(['not used', unusedOf(source)]);
    lines.push(['rows', countsOf(source)]);
  }
  for (const food of foods) lines.push(['food', food]);
  for (const { kind, text, places } of findings) lines.push([kind, `${text}: ${places}`]);
  if (command !== undefined) lines.push(['import', command]);
  return lines.map(([word, text]) => `${word.padEnd(11)}${text}`);
}

function terminalLines({ sources, foods, findings, command }: Found, width: number): string[] {
  const lines: string[] = [];
  for (const source of sources) {
    lines.push(`${source.title}: ${countsOf(source)}`, '');
    if (source.columns.length > 0) lines.push(...columnTable(source, width));
    if (source.unused.length > 0) lines.push(`Not used: ${unusedOf(source)}`);
    if (source.columns.length > 0) lines.push('');
  }
  if (foods.length > 0) {
    lines.push(foods.length === 1 ? 'The first food' : `The first ${foods.length} foods`);
    lines.push(...foodTable(foodsOf(`[${foods.join(',')}]`), width), '');
  }
  if (findings.length > 0) lines.push('To be checked', ...findingTable(findings, width), '');
  else if (command !== undefined) lines.push('Nothing is suspicious.', '');
  if (command !== undefined) lines.push('Nothing was written. To import:', '', `  ${command}`);
  return lines;
}

function countsOf({ rows, kept, portions, duplicates, passedOver, dropped }: SourceReport): string {
  const counts: (readonly [number, string])[] = [
    [duplicates.total, 'duplicate'],
    [passedOver.total, 'passed over'],
    [dropped.total, 'dropped'],
  ];
  const others = counts.filter(([count]) => count > 0).map(([count, what]) => `, ${counted(count, what)}`);
  const also = portions === 0 ? '' : `; ${counted(portions, 'portion')}`;
  return `${counted(rows, 'row')}: ${amount(kept)} kept${others.join('')}${also}`;
}

const unusedOf = ({ unused }: SourceReport): string => unused.map(shown).join(', ');

/** Columns of the terminal for fields, numbers and frame; heading and note share the rest. */
const FIELDS_WIDTH = 29;
const LEAST_WIDTH = 12;

function columnTable({ columns }: SourceReport, width: number): string[] {
  const rows = columns.map(({ field, column, heading, note }) => [
    field,
    String(column),
    printable(heading),
    printable(note),
  ]);
  const longest = (place: number): number => Math.max(...rows.map((row) => row[place]?.length ?? 0)) + 2;
  const [headings, notes] = [longest(2), longest(3)];
  const room = width - FIELDS_WIDTH;
  const forHeadings = Math.min(headings, Math.max(LEAST_WIDTH, Math.floor(room / 2)));
  const forNotes = Math.max(LEAST_WIDTH, room - forHeadings);
  const shownColumns = columns.some(({ note }) => note !== '') ? 4 : 3;
  const head = ['field', 'column', 'heading', 'note'].slice(0, shownColumns);
  return tableLines(
    rows.map((row) => row.slice(0, shownColumns)),
    {
      head,
      colAligns: ['left', 'right', 'left', 'left'],
      colWidths: headings + notes > room ? [null, null, forHeadings, forNotes] : [],
    },
  );
}

/** Columns of the terminal for the kind of finding and the frame; text and places share the rest. */
const KIND_WIDTH = 16;

function findingTable(findings: readonly Finding[], width: number): string[] {
  const half = Math.max(20, Math.floor((width - KIND_WIDTH) / 2));
  const rows = findings.map(({ kind, text, places }) => [kind, printable(text), printable(places)]);
  return tableLines(rows, { colWidths: [null, half, half] });
}
