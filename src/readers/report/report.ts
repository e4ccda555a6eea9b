/**
 * What happened during an import: a line for every thing that was counted, for people and as JSON. Nothing
 * else in this room reads a clock.
 */
import type { DataSetLabel } from '../../catalog.ts';
import { type Clock, Stopwatch } from './stopwatch.ts';

/** How often something was met, and where it was first. */
export interface Tally {
  readonly count: number;
  /** The first three places: file and line, or the food's id. */
  readonly first: readonly string[];
}

/** How a food's kcal came about: a USDA nutrient by id, a column of kcal, from kJ, or from the macronutrients. */
export type EnergyRule = '1008' | '2048' | '2047' | 'kcal' | 'kJ' | '4/9/4';

/** The time that is spent outside of this room, by whoever takes the foods. */
export const INDEX_PHASE = 'index';

const PLACES = 3;

/** Tallies by reason, in the order in which the reasons were first met. */
class Tallies {
  readonly #tallies = new Map<string, { count: number; first: string[] }>();

  add(reason: string, place: () => string, count = 1): void {
    let tally = this.#tallies.get(reason);
    if (tally === undefined) {
      tally = { count: 0, first: [] };
      this.#tallies.set(reason, tally);
    }
    tally.count += count;
    if (tally.first.length < PLACES) tally.first.push(place());
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
 * The counts of one source. Every row read ends as exactly one of: kept, duplicate, passed over, dropped.
 */
export class SourceReport {
  /** The kind as it was told from the content, in words. */
  kind = '';
  label: DataSetLabel | undefined;
  rows = 0;
  kept = 0;
  /** Bytes of the source as it is stored, compressed or not, that were read. */
  bytes = 0;
  /** The same food with the same figures was there before. */
  readonly duplicates = new Tallies();
  /** Rows that are no food or not current, as the source itself says. */
  readonly passedOver = new Tallies();
  /** Rows that cannot be used. */
  readonly dropped = new Tallies();
  /** Figures that cannot be right or be read, left empty. */
  readonly leftEmpty = new Tallies();
  /** Figures and names that were mended. */
  readonly repaired = new Tallies();
  readonly energy = new Map<EnergyRule, number>();
  readonly notes: string[] = [];
  /** As it was given on the command line. */
  readonly name: string;
  readonly #clock: Clock;
  readonly #stopwatch: Stopwatch;
  #lent = 0;

  constructor(name: string, clock: Clock) {
    this.name = name;
    this.#clock = clock;
    this.#stopwatch = new Stopwatch(clock);
  }

  countEnergy(rule: EnergyRule): void {
    this.energy.set(rule, (this.energy.get(rule) ?? 0) + 1);
  }

  /** Ends the phase that ran and begins the one of this name; undefined only ends. */
  phase(name: string | undefined): void {
    this.#stopwatch.phase(name);
  }

  get phaseName(): string {
    return this.#stopwatch.phaseName;
  }

  /** A food is handed on: until {@link takeBack} the time is not that of the phase but of {@link INDEX_PHASE}. */
  lend(): void {
    this.#lent = this.#clock();
  }

  takeBack(): void {
    this.#stopwatch.lend(INDEX_PHASE, this.#lent);
  }

  get seconds(): Readonly<Record<string, number>> {
    return this.#stopwatch.seconds;
  }

  toJSON(): object {
    const { name, kind, label, rows, kept, bytes, seconds, notes } = this;
    const { duplicates, passedOver, dropped, leftEmpty, repaired } = this;
    return {
      name,
      kind,
      label: label ?? null,
      rows,
      kept,
      duplicates: { count: duplicates.total, first: duplicates.entries()[0]?.[1].first ?? [] },
      passedOver,
      dropped,
      leftEmpty,
      repaired,
      energy: Object.fromEntries(this.energy),
      bytes,
      seconds,
      notes,
    };
  }

  lines(): string[] {
    const lines = [`${this.name}${this.kind === '' ? '' : ` (${this.kind})`}`];
    lines.push(`  rows read      ${amount(this.rows)}, ${amount(this.kept)} foods kept`);
    const groups: [string, Tallies][] = [
      ['duplicate', this.duplicates],
      ['passed over', this.passedOver],
      ['dropped', this.dropped],
      ['left empty', this.leftEmpty],
      ['repaired', this.repaired],
    ];
    for (const [title, tallies] of groups) {
      for (const [reason, { count, first }] of tallies.entries()) {
        lines.push(
          `  ${title.padEnd(14)} ${amount(count)} ${reason}: ${first.join('; ')}${count > PLACES ? '; …' : ''}`,
        );
      }
    }
    if (this.energy.size > 0) {
      const rules = [...this.energy].map(([rule, count]) => `${amount(count)} by ${rule}`);
      lines.push(`  energy         ${rules.join(', ')}`);
    }
    for (const note of this.notes) lines.push(`  note           ${note}`);
    lines.push(`  time           ${timesOf(this.seconds)}; ${amount(this.bytes)} bytes read`);
    return lines;
  }
}

/** The report of an import of one or more sources. */
export class ImportReport {
  readonly sources: SourceReport[] = [];
  readonly #stopwatch: Stopwatch;
  readonly #clock: Clock;
  readonly #now: () => Date;

  /**
   * @param clock milliseconds that only grow
   * @param now the date of today
   */
  constructor(clock: Clock = () => performance.now(), now: () => Date = () => new Date()) {
    this.#clock = clock;
    this.#stopwatch = new Stopwatch(clock);
    this.#now = now;
  }

  /** Begins the report of a source. */
  source(name: string): SourceReport {
    const source = new SourceReport(name, this.#clock);
    this.sources.push(source);
    return source;
  }

  /** Ends what was done with the foods of all sources and begins the phase of this name; undefined only ends. */
  phase(name: string | undefined): void {
    this.#stopwatch.phase(name);
  }

  /** Today as YYYY-MM-DD. */
  get today(): string {
    return this.#now().toISOString().slice(0, 10);
  }

  /** The label of all sources together: names joined, the newest date, every source and licence once. */
  get label(): DataSetLabel {
    const labels = this.sources.flatMap(({ label }) => (label === undefined ? [] : [label]));
    // A source that is an index may be joined of several already.
    const joined = (texts: (string | null)[], by: string) => {
      const known = new Set(texts.filter((text) => text !== null).flatMap((text) => text.split(by)));
      return known.size === 0 ? null : [...known].join(by);
    };
    return {
      name:
        joined(
          labels.map(({ name }) => name),
          ' + ',
        ) ?? '',
      date:
        labels
          .map(({ date }) => date)
          .toSorted()
          .at(-1) ?? this.today,
      source: joined(
        labels.map(({ source }) => source),
        '; ',
      ),
      licence: joined(
        labels.map(({ licence }) => licence),
        '; ',
      ),
    };
  }

  /** What must be said of the data set wherever it goes, such as figures that the source does not have so. */
  get notes(): string[] {
    return [...new Set(this.sources.flatMap(({ notes }) => notes))];
  }

  /** Whether a row was dropped or a figure left out that the source has; what it marks as no food does not count. */
  get anyDropped(): boolean {
    return this.sources.some(({ dropped, leftEmpty }) => dropped.total > 0 || leftEmpty.total > 0);
  }

  /** The report for people, a line each. */
  lines(): string[] {
    const { seconds } = this.#stopwatch;
    const build = Object.keys(seconds).length === 0 ? [] : [`index`, `  time           ${timesOf(seconds)}`];
    return [...this.sources.flatMap((source) => source.lines()), ...build];
  }

  toJSON(): object {
    const { label, notes, sources, anyDropped } = this;
    const sum = (count: (source: SourceReport) => number) =>
      sources.reduce((all, each) => all + count(each), 0);
    const totals = {
      rows: sum(({ rows }) => rows),
      kept: sum(({ kept }) => kept),
      duplicates: sum(({ duplicates }) => duplicates.total),
      passedOver: sum(({ passedOver }) => passedOver.total),
      dropped: sum(({ dropped }) => dropped.total),
      leftEmpty: sum(({ leftEmpty }) => leftEmpty.total),
      repaired: sum(({ repaired }) => repaired.total),
      bytes: sum(({ bytes }) => bytes),
    };
    return { label, notes, anyDropped, totals, sources, seconds: this.#stopwatch.seconds };
  }
}

const amount = (count: number): string => count.toLocaleString('en');

const timesOf = (seconds: Readonly<Record<string, number>>): string =>
  Object.entries(seconds)
    .map(([phase, spent]) => `${phase} ${spent.toFixed(1)} s`)
    .join(', ');
