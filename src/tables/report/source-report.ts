/** The report of one source: progress, seconds by phase, and everything that was counted, for people and as JSON. */
import { amount, counted, type DataSetLabel, shown } from '#core';

export interface Progress {
  /** The source or the target, as it was named; undefined while the index is built. */
  readonly name?: string;
  /** `download`, `read`, a table of the source, or a step after reading. */
  readonly phase: string;
  /** From 0 to 1: of the bytes of this phase; of all tables together if a source has several. */
  readonly share?: number | undefined;
  readonly rows?: number;
}

/** Called often, a few hundred times a second at most. */
export type OnProgress = (progress: Progress) => void;

export class Stopwatch {
  readonly #seconds = new Map<string, number>();
  #since = 0;
  /** The running phase; empty between phases. */
  phaseName = '';

  /** Ends the running phase and begins the one of this name; an empty one only ends. */
  phase(name: string): void {
    const now = performance.now();
    const before = this.phaseName;
    if (before !== '')
      this.#seconds.set(before, (this.#seconds.get(before) ?? 0) + (now - this.#since) / 1000);
    this.phaseName = name;
    this.#since = now;
  }

  /** s by phase, in the order in which the phases first ended. */
  get seconds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#seconds);
  }

  get times(): string {
    return [...this.#seconds].map(([phase, spent]) => `${phase} ${spent.toFixed(1)} s`).join(', ');
  }
}

export interface TakenColumn {
  readonly field: string;
  readonly column: number;
  readonly heading: string;
  /** How and why, in words; empty if nothing needs saying. */
  readonly note: string;
}

/** The origin of a food's kcal: a USDA nutrient by id, a column of kcal, kJ, or the macronutrients. */
export type EnergyRule = '1008' | '2048' | '2047' | 'kcal' | 'kJ' | '4/9/4';

/** Why a row without a description is dropped; the data set's label counts these rows. */
export const NO_DESCRIPTION = 'no description';

/** Places that are shown of each reason: file and line, or the food's id. */
const PLACES = 3;
/** Places of suspicious figures, which their owner may mend, in the report as JSON. */
const SUSPICIOUS_PLACES = 100;

/** How often each reason occurred, and where first. */
export class Tallies {
  readonly #tallies = new Map<string, { count: number; readonly first: string[] }>();
  readonly #report: SourceReport;
  readonly #places: number;

  constructor(report: SourceReport, places = PLACES) {
    this.#report = report;
    this.#places = places;
  }

  add(reason: string, place = this.#report.place): void {
    const tally = this.#tallies.get(reason) ?? { count: 0, first: [] };
    if (tally.count++ === 0) this.#tallies.set(reason, tally);
    if (tally.first.length < this.#places) tally.first.push(place());
  }

  count(reason: string): number {
    return this.#tallies.get(reason)?.count ?? 0;
  }

  get total(): number {
    return [...this.#tallies.values()].reduce((sum, { count }) => sum + count, 0);
  }

  entries() {
    return [...this.#tallies];
  }

  toJSON(): object {
    return Object.fromEntries(this.#tallies);
  }
}

/** What reasons count, at their beginning; one such as "no description" is the same in the plural. */
const COUNTED = ['amount', 'code', 'figure', 'name', 'note', 'portion', 'row', 'weight'];

function pluralOf(reason: string): string {
  const noun = COUNTED.find((each) => reason.startsWith(`${each} `));
  return noun === undefined ? reason : reason.replace(noun, `${noun}s`);
}

/** The counts of one source. Every row ends as exactly one of: kept, duplicate, passed over, dropped. */
export class SourceReport extends Stopwatch {
  /** Where the row is that is being read: `line 7`, `fdc_id 167512`. Called only to report something. */
  place: () => string = () => '';
  kind = '';
  part = '';
  label: DataSetLabel | undefined;
  rows = 0;
  /** Rows of tables other than that of the foods, such as amounts, which only count for the progress. */
  otherRows = 0;
  kept = 0;
  portions = 0;
  nutrients = 0;
  codes = 0;
  /** Bytes of the source as it is stored, compressed or not, that were read. */
  bytes = 0;
  totalBytes: number | undefined;
  readonly duplicates = new Tallies(this);
  /** Rows that the source itself marks as not a food or as outdated. */
  readonly passedOver = new Tallies(this);
  readonly dropped = new Tallies(this);
  /** Figures that are impossible or unreadable, left empty. */
  readonly leftEmpty = new Tallies(this);
  readonly repaired = new Tallies(this);
  /** Figures of users' tables that are kept unchanged, but are probably wrong. */
  readonly suspicious = new Tallies(this, SUSPICIOUS_PLACES);
  /** Portions that are left out: their foods lose nothing else. */
  readonly portionsLeftOut = new Tallies(this);
  readonly namesLeftOut = new Tallies(this);
  /** Other names of foods; the foods that have some; and the first of these, for example. */
  names = 0;
  namedFoods = 0;
  nameExample = '';
  /** Nutrients that are left out, and codes: their foods lose nothing else. */
  readonly nutrientsLeftOut = new Tallies(this);
  /** The columns that became nutrients or a code, and those that did not, in words. */
  readonly nutrientColumns = { nutrients: [] as string[], codes: [] as string[], leftOut: [] as string[] };
  columns: readonly TakenColumn[] = [];
  /** The columns of names in further languages, and by language the foods that have one; undefined if there are none. */
  languages: readonly TakenColumn[] | undefined;
  translations: Record<string, number> | undefined;
  unused: readonly string[] = [];
  readonly energy = new Map<EnergyRule, number>();
  readonly notes: string[] = [];
  readonly name: string;
  readonly #onProgress: OnProgress;

  constructor(name: string, onProgress: OnProgress) {
    super();
    this.name = name;
    this.#onProgress = onProgress;
  }

  countEnergy(rule: EnergyRule): void {
    this.energy.set(rule, (this.energy.get(rule) ?? 0) + 1);
  }

  read(bytes: number): void {
    this.bytes += bytes;
    this.progress();
  }

  progress(share = this.#share, phase = this.phaseName): void {
    this.#onProgress({ name: this.name, phase, share, rows: this.rows + this.otherRows });
  }

  get #share(): number | undefined {
    const { bytes, totalBytes = 0 } = this;
    return totalBytes > 0 ? Math.min(1, bytes / totalBytes) : undefined;
  }

  toJSON(): object {
    const { label = null, duplicates, energy, unused, otherRows, totalBytes, phaseName, ...counts } = this;
    return {
      ...counts,
      label,
      duplicates: { count: duplicates.total, first: duplicates.entries()[0]?.[1].first ?? [] },
      energy: Object.fromEntries(energy),
      seconds: this.seconds,
    };
  }

  get #findings() {
    const all = {
      duplicate: this.duplicates,
      'passed over': this.passedOver,
      suspicious: this.suspicious,
      'left empty': this.leftEmpty,
      repaired: this.repaired,
      dropped: this.dropped,
      'left out': this.portionsLeftOut,
      'name left out': this.namesLeftOut,
      'nutrient left out': this.nutrientsLeftOut,
    };
    return Object.entries(all).flatMap(([kind, tallies]) =>
      tallies.entries().map(([reason, { count, first }]) => {
        const places = first.slice(0, PLACES).join('; ') + (count > PLACES ? '; …' : '');
        return { kind, text: counted(count, reason, pluralOf(reason)), places };
      }),
    );
  }

  #columnTexts(isEvery: boolean): string[] {
    const isShown = ({ field, heading, note }: TakenColumn) => note !== '' || heading.trim() !== field;
    return this.columns.filter((column) => isEvery || isShown(column)).map(columnText);
  }

  get #namesText(): string {
    const { names, namedFoods, nameExample } = this;
    return names === 0 ? '' : `${amount(names)}, of ${counted(namedFoods, 'food')}, such as ${nameExample}`;
  }

  /** @param isDryRun names every column, and no times */
  lines(isDryRun = false): string[] {
    const energy = [...this.energy].map(([rule, count]) => `${amount(count)} by ${rule}`).join(', ');
    const named = Object.entries(this.translations ?? {}).map(
      ([language, foods]) => `${language} ${amount(foods)}`,
    );
    const what = [this.kind, this.part].filter((text) => text !== '').join(', ');
    const parts = [
      ...this.#columnTexts(isDryRun).map((text) => ['column', text]),
      ...(this.languages ?? []).map((column) => ['names', columnText(column)]),
      ...this.nutrientColumns.nutrients.map((text) => ['nutrients', text]),
      ...this.nutrientColumns.codes.map((text) => ['code', text]),
      ...this.nutrientColumns.leftOut.map((text) => ['not nutrients', text]),
      ['not used', isDryRun ? this.unused.map(shown).join(', ') : ''],
      ['rows read', `${amount(this.rows)}, ${counted(this.kept, 'food')} kept`],
      ['portions', this.portions > 0 ? amount(this.portions) : ''],
      ['other names', this.#namesText],
      ['translations', named.join(', ')],
      ['nutrients', this.nutrients > 0 ? amount(this.nutrients) : ''],
      ['codes', this.codes > 0 ? amount(this.codes) : ''],
      ...this.#findings.map(({ kind, text, places }) => [kind, `${text}: ${places}`]),
      ['energy', energy],
      ...this.notes.map((note) => ['note', note]),
      ['time', isDryRun ? '' : `${this.times}; ${amount(this.bytes)} bytes read`],
    ];
    const lines = parts.filter(([, text]) => text !== '');
    const title = what === '' ? this.name : `${this.name} (${what})`;
    return [title, ...lines.map(([name = '', text]) => `  ${name.padEnd(14)} ${text}`)];
  }

  /** What a user must know of a file that is served without an import; nothing if all is as expected. */
  get remarks(): string[] {
    const findings = this.#findings.flatMap(({ kind, text, places }) => {
      if (kind === 'suspicious' || kind === 'duplicate') return [`${kind}: ${text}: ${places}`];
      return kind === 'left empty' || kind === 'repaired' ? [text] : [];
    });
    const languages = (this.languages ?? []).map((column) => `names in ${columnText(column)}`);
    return [...this.#columnTexts(false), ...languages, ...findings];
  }
}

export const columnText = ({ field, column, heading, note }: TakenColumn): string =>
  `${field}: column ${column}, ${shown(heading)}${note === '' ? '' : `, ${note}`}`;
