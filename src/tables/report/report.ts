/** The report of an import, for people and as JSON. Nothing else in the readers looks at a clock. */
import type { DataSetLabel } from '#core';
import { NO_DESCRIPTION, type OnProgress, SourceReport, Stopwatch } from './source-report.ts';

const SUMMED = [
  ...(['rows', 'kept', 'portions', 'nutrients', 'codes', 'names'] as const),
  ...(['duplicates', 'passedOver', 'dropped'] as const),
  ...(['leftEmpty', 'repaired', 'bytes'] as const),
];

export class ImportReport extends Stopwatch {
  readonly sources: SourceReport[] = [];
  /** The user's own names of foods. */
  names: { readonly lines: readonly string[]; toJSON(): object } | undefined;
  readonly #onProgress: OnProgress;

  constructor(onProgress: OnProgress = () => {}) {
    super();
    this.#onProgress = onProgress;
  }

  source(name: string): SourceReport {
    const source = new SourceReport(name, this.#onProgress);
    this.sources.push(source);
    return source;
  }

  override phase(name: string): void {
    if (name === this.phaseName) return;
    super.phase(name);
    if (name !== '') this.#onProgress({ phase: name });
  }

  /** Reports how far the phase is. @param name the target, as it is shown */
  progress(name: string, share: number, rows: number): void {
    this.#onProgress({ name, phase: this.phaseName, share, rows });
  }

  get today(): string {
    return new Date().toISOString().slice(0, 10);
  }

  /** The label of all sources together: names joined, the newest date, every source and licence once, the language if it is the same. */
  get label(): DataSetLabel {
    const labels = this.sources.flatMap(({ label }) => (label === undefined ? [] : [label]));
    // An index as a source may already have the names of several.
    const joined = (part: 'name' | 'source' | 'licence', by: string) => {
      const known = new Set(labels.flatMap((label) => label[part]?.split(by) ?? []));
      return known.size === 0 ? null : [...known].join(by);
    };
    const dates = labels.map(({ date }) => date).toSorted();
    const [language, ...others] = new Set(labels.map((label) => label.language));
    return {
      name: joined('name', ' + ') ?? '',
      date: dates.at(-1) ?? this.today,
      source: joined('source', '; '),
      licence: joined('licence', '; '),
      ...(language !== undefined && others.length === 0 && { language }),
    };
  }

  get notes(): string[] {
    return [...new Set(this.sources.flatMap(({ notes }) => notes))];
  }

  get leftOut(): number {
    return this.sources.reduce((sum, { dropped }) => sum + dropped.count(NO_DESCRIPTION), 0);
  }

  /** Whether a row was dropped or a figure left empty; rows that the source marks as not a food do not count. */
  get anyDropped(): boolean {
    return this.sources.some(({ dropped, leftEmpty }) => dropped.total > 0 || leftEmpty.total > 0);
  }

  lines(): string[] {
    const index = this.times === '' ? [] : ['index', `  time           ${this.times}`];
    return [...this.sources.flatMap((source) => source.lines()), ...(this.names?.lines ?? []), ...index];
  }

  toJSON(): object {
    const { label, notes, sources, names, anyDropped, seconds } = this;
    const totals = SUMMED.map((name) => {
      const counts = sources.map(({ [name]: count }) => (typeof count === 'number' ? count : count.total));
      return [name, counts.reduce((sum, count) => sum + count, 0)] as const;
    });
    return { label, notes, anyDropped, totals: Object.fromEntries(totals), sources, names, seconds };
  }
}
