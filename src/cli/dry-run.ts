/**
 * `food-lookup import FILE --dry-run`: reads the sources and shows what an import would make of them, without writing.
 */
import { UserError } from '../errors.ts';
import { fold } from '../fold.ts';
import { renderEntry } from '../food.ts';
import { KeyTable } from '../key-table.ts';
import { openSources } from '../readers/open-sources.ts';
import { ImportReport } from '../readers/report/report.ts';
import { keyOf } from '../text-key.ts';
import { type DryRun, plainLines, terminalLines } from './dry-run-view.ts';
import { type DryRunFlags, lossOf, readOptionsOf } from './import-checks.ts';
import { importCommand } from './import-command.ts';
import { print } from './print.ts';
import { ProgressDisplay } from './progress.ts';

/** Foods that are shown. */
const FIRST = 5;

/** @throws UserError for anything that would stop the import, after printing what is known by then */
export async function dryRun(sources: readonly string[], flags: DryRunFlags): Promise<void> {
  const display = new ProgressDisplay();
  const report = new ImportReport((progress) => display.update(progress));
  const options = readOptionsOf(flags);
  const foods: string[] = [];
  const names = new RepeatedNames();
  let failure: unknown;
  try {
    for await (const food of openSources(sources, options, report)) {
      if (foods.length < FIRST) foods.push(renderEntry(food));
      names.add(food.description);
    }
  } catch (error) {
    // The columns, as they were read, may show why.
    if (!(error instanceof UserError) || report.sources.every(({ columns }) => columns.length === 0))
      throw error;
    failure = error;
  } finally {
    display.stop();
  }
  const loss = failure === undefined ? lossOf(report, flags) : undefined;
  const isFine = failure === undefined && loss === undefined;
  const found: DryRun = {
    sources: report.sources,
    foods,
    names: names.many,
    command: isFine ? importCommand(sources, flags) : undefined,
  };
  const { isTTY, columns } = process.stdout;
  print(isTTY ? terminalLines(found, columns) : plainLines(found));
  if (failure !== undefined) throw failure;
  if (loss !== undefined) throw new UserError(`${loss} An import would write nothing.`);
}

/** Foods of one name, from which on it is reported. */
const MANY = 3;

/** Counts the names of foods: one that occurs many times is probably a group or a column mixed up. */
class RepeatedNames {
  readonly #names = new KeyTable();
  readonly #counts: number[] = [];
  /** The names that occur many times, by their numbers. */
  readonly #many = new Map<number, string>();

  add(name: string): void {
    const { low, high } = keyOf(fold(name));
    const number = this.#names.numberOf(low, high);
    const count = (this.#counts[number] ?? 0) + 1;
    this.#counts[number] = count;
    if (count === MANY) this.#many.set(number, name);
  }

  /** The names that occur many times, the most frequent first. */
  get many(): readonly (readonly [name: string, count: number])[] {
    return [...this.#many]
      .map(([number, name]) => [name, this.#counts[number] ?? 0] as const)
      .toSorted(([, a], [, b]) => b - a);
  }
}
