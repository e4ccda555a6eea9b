/**
 * The report of one source: a line for everything that was counted, for people and as JSON.
 */
import type { DataSetLabel } from '../../catalog.ts';
import { foodCount } from '../../food.ts';
import type { OnProgress } from './progress.ts';
import { type Clock, Stopwatch, timesOf } from './stopwatch.ts';

/** How often something occurred, and where it occurred first. */
export interface Tally {
  readonly count: number;
  /** The first three places: file and line, or the food's id. */
  readonly first: readonly string[];
}

/** What a column of a user's table was read as. */
export interface TakenColumn {
  /** `kcal`, `fat_g` … */
  readonly field: string;
  /** Counted from 1. */
  readonly column: number;
  readonly heading: string;
  /** Which column and why, in words. */
  readonly note: string;
  /** Whether the heading is the field's own name, so that nothing needs saying. */
  readonly isExact: boolean;
}

/** The origin of a food's kcal: a USDA nutrient by id, a column of kcal, kJ, or the macronutrients. */
export type EnergyRule = '1008' | '2048' | '2047' | 'kcal' | 'kJ' | '4/9/4';

/** Why a row without a description is dropped; the data set's label counts these rows. */
export const NO_DESCRIPTION = 'no description';

/** The time that the caller spends on the foods. */
const INDEX_PHASE = 'index';

const PLACES = 3;

/** Tallies by reason, in the order in which the reasons first occurred. */
class Tallies {
  readonly #tallies = new Map<string, { count: number; first: string[] }>();

  add(reason: string, place: () => string): void {
    let tally = this.#tallies.get(reason);
    if (tally === undefined) {
      tally = { count: 0, first: [] };
      this.#tallies.set(reason, tally);
    }
    tally.count++;
    if (tally.first.length < PLACES) tally.first.push(place());
  }

  count(reason: string): number {
    return this.#tallies.get(reason)?.count ?? 0;
  }

  get total(): number {
    return [...this.#tallies.values()].reduce((sum, { count }) => sum + count, 0);
  }

  entries(): [string, Tally][] {
    return [...this.#tallies.entries()];
  }

  toJSON(): Record<string, Tally> {
    return Object.fromEntries(this.#tallies);
  }
}

/**
 * The counts of one source. Every row ends as exactly one of: kept, duplicate, passed over, dropped.
 */
export class SourceReport {
  /** The kind of the file, in words. */
  kind = '';
  /** The part of the file that was read, such as an entry of a zip; empty if it is the whole file. */
  part = '';
  label: DataSetLabel | undefined;
  rows = 0;
  /** Rows of tables other than that of the foods, such as amounts, which only count for the progress. */
  otherRows = 0;
  kept = 0;
  /** Portions of the foods that are kept. */
  portions = 0;
  /** Bytes of the source as it is stored, compressed or not, that were read. */
  bytes = 0;
  /** All bytes to read, if their number is known. */
  totalBytes: number | undefined;
  /** The same food with the same figures came before. */
  readonly duplicates = new Tallies();
  /** Rows that the source itself marks as not a food or as outdated. */
  readonly passedOver = new Tallies();
  /** Rows that cannot be used. */
  readonly dropped = new Tallies();
  /** Figures that are impossible or unreadable, left empty. */
  readonly leftEmpty = new Tallies();
  /** Figures and names that were repaired. */
  readonly repaired = new Tallies();
  /** Figures of users' tables that are kept unchanged, but are probably wrong. */
  readonly suspicious = new Tallies();
  /** Portions that are left out: their foods lose nothing else. */
  readonly portionsLeftOut = new Tallies();
  /** The fields of the columns of a user's table. */
  columns: readonly TakenColumn[] = [];
  /** The headings of the other columns of a user's table. */
  unused: readonly string[] = [];
  readonly energy = new Map<EnergyRule, number>();
  readonly notes: string[] = [];
  /** As given on the command line. */
  readonly name: string;
  readonly #onProgress: OnProgress;
  readonly #stopwatch: Stopwatch;

  constructor(name: string, clock: Clock, onProgress: OnProgress) {
    this.name = name;
    this.#onProgress = onProgress;
    this.#stopwatch = new Stopwatch(clock);
  }

  countEnergy(rule: EnergyRule): void {
    this.energy.set(rule, (this.energy.get(rule) ?? 0) + 1);
  }

  /** Ends the running phase and begins the one of this name; undefined only ends. */
  phase(name: string | undefined): void {
    this.#stopwatch.phase(name);
  }

  /** Counts bytes that were read, and reports the progress. */
  read(bytes: number): void {
    this.bytes += bytes;
    this.progress();
  }

  /** Reports how far the phase is. */
  progress(share = this.#share, phase = this.#stopwatch.phaseName ?? ''): void {
    this.#onProgress({ name: this.name, phase, share, rows: this.rows + this.otherRows });
  }

  get #share(): number | undefined {
    const { bytes, totalBytes = 0 } = this;
    return totalBytes > 0 ? Math.min(1, bytes / totalBytes) : undefined;
  }

  /** Stops the time of the phase while the caller works on a food. */
  pause(): void {
    this.#stopwatch.pause();
  }

  resume(): void {
    this.#stopwatch.resume(INDEX_PHASE);
  }

  get seconds(): Readonly<Record<string, number>> {
    return this.#stopwatch.seconds;
  }

  toJSON(): object {
    const { name, kind, part, label, columns, rows, kept, portions, bytes, seconds, notes } = this;
    const { duplicates, passedOver, dropped, leftEmpty, repaired, suspicious, portionsLeftOut } = this;
    return {
      name,
      kind,
      part,
      label: label ?? null,
      columns,
      rows,
      kept,
      duplicates: { count: duplicates.total, first: duplicates.entries()[0]?.[1].first ?? [] },
      passedOver,
      dropped,
      leftEmpty,
      repaired,
      suspicious,
      portions,
      portionsLeftOut,
      energy: Object.fromEntries(this.energy),
      bytes,
      seconds,
      notes,
    };
  }

  get title(): string {
    const what = [this.kind, this.part].filter((text) => text !== '').join(', ');
    return what === '' ? this.name : `${this.name} (${what})`;
  }

  lines(): string[] {
    const lines = [this.title];
    for (const { field, note, isExact } of this.columns)
      if (!isExact) lines.push(`  column         ${field}: ${note}`);
    lines.push(`  rows read      ${amount(this.rows)}, ${foodCount(this.kept)} kept`);
    lines.push(...linesOf('duplicate', this.duplicates));
    lines.push(...linesOf('passed over', this.passedOver));
    lines.push(...linesOf('dropped', this.dropped));
    lines.push(...linesOf('left empty', this.leftEmpty));
    lines.push(...linesOf('repaired', this.repaired));
    lines.push(...linesOf('suspicious', this.suspicious));
    if (this.portions > 0) lines.push(`  portions       ${amount(this.portions)}`);
    lines.push(...linesOf('left out', this.portionsLeftOut));
    if (this.energy.size > 0) {
      const rules = [...this.energy].map(([rule, count]) => `${amount(count)} by ${rule}`);
      lines.push(`  energy         ${rules.join(', ')}`);
    }
    for (const note of this.notes) lines.push(`  note           ${note}`);
    lines.push(`  time           ${timesOf(this.seconds)}; ${amount(this.bytes)} bytes read`);
    return lines;
  }

  /** What a user must know of a file that is served without an import; nothing if all is as expected. */
  get remarks(): string[] {
    return [
      ...this.columns.flatMap(({ field, note, isExact }) => (isExact ? [] : [`${field}: ${note}`])),
      ...[...this.leftEmpty.entries(), ...this.repaired.entries()].map(([reason, { count }]) =>
        counted(count, reason),
      ),
      ...this.suspicious
        .entries()
        .map(
          ([reason, { count, first }]) => `suspicious: ${counted(count, reason)}: ${placesOf(first, count)}`,
        ),
    ];
  }
}

const linesOf = (title: string, tallies: Tallies): string[] =>
  tallies
    .entries()
    .map(
      ([reason, { count, first }]) =>
        `  ${title.padEnd(14)} ${counted(count, reason)}: ${placesOf(first, count)}`,
    );

/** The first places of so many. */
export const placesOf = (first: readonly string[], count: number): string =>
  `${first.join('; ')}${count > first.length ? '; …' : ''}`;

/** So many of what a reason names in the singular: "2 figures below a limit", "3 no description". */
export const counted = (count: number, reason: string): string =>
  `${amount(count)} ${count === 1 ? reason : reason.replace(COUNTABLE, '$1s').replace('that is not a number', 'that are not numbers')}`;

const COUNTABLE = /^(amount|figure|food|name|portion|row|weight)\b/;

export const amount = (count: number): string => count.toLocaleString('en');
