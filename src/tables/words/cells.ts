/** Cells into figures: exact decimals from whatever programs and people write. */
import { canonicalDecimal, decimalOfExponent, decimalOfNumber, scaleDecimal, shown } from '#core';
import type { SourceReport } from '../report/source-report.ts';
import { isScaled, parseHeading } from './headings.ts';
import { DECIMAL_COMMA, DOUBTFUL, type Mark, other } from './numbers.ts';
import { conversion, type Unit } from './units.ts';

export type Cell = string | number | bigint | boolean | Uint8Array | null | undefined;

/** With the decimals that a number has; "" for an empty cell. */
export const cellText = (cell: Cell): string =>
  typeof cell === 'number' ? (decimalOfNumber(cell) ?? '') : String(cell ?? '');

export interface TableRow {
  readonly width: number;
  readonly cell: (index: number) => Cell;
  /** The row within its table: `line 7`, `row 3`. Called only to report something. */
  readonly place: () => string;
}

export interface CellColumn {
  readonly field: string;
  /** Undefined if the heading does not say: kcal, or g. */
  readonly unit: Unit | undefined;
}

const UNKNOWN = new Set(
  '- -- --- – — ― － na n/a #n/a <na> nan null none \\n n.a. nd n.d. n/d n k.a. k.a s/d s.d. nq nr un н/д . .. ... … * ** ? •'.split(
    ' ',
  ),
);

/** A cell as the lists of words have it: national tables write `k. A.`. */
const wordOf = (text: string): string => text.replace(BLANKS, '').toLowerCase();

/** More characters than those words have. */
const LONG = /^(?:\s*\S){6}/;

export function isUnknown(text: string): boolean {
  if (LONG.test(text)) return false;
  const word = wordOf(text);
  return word === '' || UNKNOWN.has(word);
}

const TRACES = new Set(
  't t. tr tr. trace traces spuren spur sp sp. spor sporen traza trazas tracce traço traços stopy ślad ślady śl. следы сл. 微量'.split(
    ' ',
  ),
);

export const isTrace = (text: string): boolean => TRACES.has(wordOf(text));

/** What tables write around a figure that is estimated, borrowed, or explained in a note: `(12.6)`, `[12.6]`, `12.6*`. */
const MARKED = /^(?:\((.+)\)|\[(.+)\]|(.*[^*†‡])[*†‡]+)$/;

/** A figure and its unit: `91.27 g`, `418kJ`. */
const WITH_UNIT = /^([^\p{L}%]*\d[^\p{L}%]*)(\p{L}+)\.?$/u;

/** Digits of which each can be read in one way: otherwise a long cell would take the square of its length. */
const ERROR = String.raw`(?:\d+(?:[.,]\d+)?|[.,]\d+)`;
/** A mean and its error: `61.46±0.60`, `61.46 (0.6)`, or `61.46 ± 0.60a` with the letters of a test of significance, or `(3)` samples. */
const WITH_ERROR = new RegExp(
  String.raw`^(\d[\d.,]*) ?(?:(?:±|∓|\+\/?-) ?${ERROR}(?: ?(?:%|[a-f]{1,3}|\p{Lm}{1,3}|s[de]m?))?(?: ?\(\d+\))?|[([] ?(?:±|\+\/?-|s[de])? ?(${ERROR}) ?[)\]])$`,
  'iu',
);
/** Of a mean, or of 1; kcal in brackets are a larger share of kJ. */
const MOST_ERROR = 0.2;

/** `< 0.5`, `<LOQ`: too little to measure. */
const BELOW = /^<\s*(?:\d+(?:[.,]\d+)?|lo[dq])$/i;

const BLANKS = /[\s\u00a0\u202f\u2007]+/g;
/** Groups of three digits between blanks or apostrophes are thousands, whatever the decimal mark. */
const GROUPED = /^([+-]?\d{1,3})((?:[ '’]\d{3})+)((?:[.,]\d+)?)$/;
/** From here on, what looks like thousands between blanks is two figures: `54 237` is 54 kcal, 237 kJ; no energy is `9 237`. */
const TOO_MANY_GRAMS = 1000;
const TOO_MUCH_ENERGY = 10_000;
/** Groups of three digits between marks: with the other mark before decimals, or two marks and more. */
const MARKED_GROUPS = /^[+-]?\d{1,3}([.,])\d{3}(?:(?:\1\d{3})*(?!\1)[.,]\d+|(?:\1\d{3})+)$/;

const TWO_FIGURES = /^\d[\d.,]*(?: ?[/;|–-] ?| \(?)\d/;

const REMEDIES: readonly (readonly [text: RegExp, remedy: string])[] = [
  [/^[+-]?\d+,\d+$/, 'Write a decimal point where commas separate the cells.'],
  [
    /^[+-]?[\d., ]*\d ?(?:%|kcal|cal|kJ|[mµμ]?g|gr|grams?|oz)\.?$/i,
    'Write only figures in the cells; units belong in the heading.',
  ],
  [
    /^#[\p{L}/\d]+[!?]?$/u,
    'The spreadsheet could not calculate this cell: correct its formula, or empty it.',
  ],
  [
    /^\d{1,2}(?:-|\. ?)\p{L}{3}|^\p{L}{3}[-. ]\d{1,4}$|^\d{1,2}([./-])\d{1,2}\1\d{2,4}$|^\d{4}-\d\d-\d\d|^\d\d:\d\d$/u,
    'The spreadsheet took the figure for a date or time: format the column as numbers, and type it again.',
  ],
  [TWO_FIGURES, 'Write one figure into each cell.'],
];

export function remedyFor(cell: Cell, field: string): string {
  const text = String(cell).replace(BLANKS, ' ').trim();
  const [pattern, remedy] = REMEDIES.find(([each]) => each.test(text)) ?? [];
  if (pattern === TWO_FIGURES && field === 'kcal')
    return 'Write one figure into each cell: kcal and kJ have columns of their own.';
  return remedy ?? 'Leave the cell empty where the figure is not known.';
}

export interface FigureSource {
  readonly report: Pick<SourceReport, 'repaired' | 'leftEmpty' | 'place'>;
  /** Whether a comma may be the decimal mark: not if commas separate cells. */
  readonly commas: boolean;
  /** The decimal mark if the first rows show it; the other one then separates thousands. */
  readonly mark?: Mark | undefined;
}

export class FigureCells {
  readonly #source: FigureSource;
  /** The marks that certainly are decimal marks. */
  readonly #marks = new Set<Mark>();
  /** The first figure by its mark that may be thousands or decimals, and its place. */
  readonly #doubtful = new Map<Mark, string>();
  #column!: CellColumn;

  constructor(source: FigureSource) {
    this.#source = source;
  }

  /** A canonical decimal in the unit of the column; null if the figure is unknown, undefined if the cell has no figure. */
  read(cell: Cell, column: CellColumn): string | null | undefined {
    this.#column = column;
    if (typeof cell === 'string') return this.#readText(cell);
    if (cell === null || cell === undefined) return null;
    if (typeof cell === 'number') return Number.isNaN(cell) ? null : decimalOfNumber(cell);
    return typeof cell === 'bigint' ? decimalOfNumber(cell) : undefined;
  }

  /** The decimal mark as far as it is known: that of the source, or the only one that figures certainly have. */
  get mark(): Mark | undefined {
    const { mark, commas } = this.#source;
    const [one, another] = this.#marks;
    return mark ?? (commas ? (another === undefined ? one : undefined) : '.');
  }

  /** Why figures may mean two things; undefined if they do not. */
  doubt(): string | undefined {
    for (const [mark, figure] of this.#doubtful) {
      const needed = this.#isOfThousands(mark) ? other(mark) : mark;
      const isShown = this.#marks.has(needed) || this.#source.mark === needed;
      if (isShown && !this.#marks.has(other(needed))) continue;
      return `${figure} may mean thousands or decimals. Write all figures without separators of thousands, and decimals with one mark.`;
    }
    return undefined;
  }

  /** Whether `1,234`, or `1.234`, is read as one thousand and more. */
  #isOfThousands(mark: Mark): boolean {
    return this.#source.mark === other(mark) || (mark === ',' && !this.#source.commas);
  }

  #readText(text: string): string | null | undefined {
    const plain = canonicalDecimal(text);
    if (plain !== undefined) {
      if (!text.includes('.')) return plain;
      if (this.#source.commas && DOUBTFUL.test(text)) return this.#readDoubtful(text, '.');
      this.#marks.add('.');
      return plain;
    }
    const trimmed = text.replace(BLANKS, ' ').trim().replace('\u2212', '-');
    if (trimmed === '') return null;
    const isPlain = trimmed !== text && canonicalDecimal(trimmed) !== undefined;
    return isPlain ? this.#readText(trimmed) : this.#readUnusual(trimmed);
  }

  #readUnusual(text: string): string | null | undefined {
    const word = wordOf(text);
    if (UNKNOWN.has(word)) return null;
    if (isTrace(text)) {
      this.#source.report.repaired.add('traces, read as 0');
      return '0';
    }
    if (BELOW.test(text)) {
      this.#source.report.leftEmpty.add('figure below a limit ("<")');
      return null;
    }
    const [, round, square, noted] = MARKED.exec(text) ?? [];
    const marked = round ?? square ?? noted;
    if (marked !== undefined) {
      const figure = this.#readText(marked);
      if (figure !== undefined) this.#source.report.repaired.add('figure in brackets or with a mark (*)');
      return figure;
    }
    const [, mean, error = '0'] = WITH_ERROR.exec(text) ?? [];
    const number = (digits: string): number => Number(digits.replace(',', '.'));
    if (mean !== undefined && number(error) <= MOST_ERROR * Math.max(1, number(mean))) {
      this.#source.report.repaired.add('figure with its error (±), read as the mean');
      return this.#readText(mean);
    }
    const [, bare, unit = ''] = WITH_UNIT.exec(text) ?? [];
    if (bare !== undefined) return this.#readWithUnit(bare, unit);
    const [, lead, groups = '', rest = ''] = GROUPED.exec(text) ?? [];
    if (lead !== undefined) {
      const figure = this.#readText(lead + groups.replace(/\D/g, '') + rest);
      return groups.includes(' ') && Number(figure) >= this.#tooMuch ? undefined : figure;
    }
    const separator = MARKED_GROUPS.exec(text)?.[1] as Mark | undefined;
    if (separator !== undefined) return this.#readMarked(text.replaceAll(separator, ''), other(separator));
    if (DOUBTFUL.test(text)) return this.#readDoubtful(text, ',');
    if (this.#source.commas && DECIMAL_COMMA.test(text)) return this.#readMarked(text, ',');
    return decimalOfExponent(this.#source.commas ? text.replace(',', '.') : text);
  }

  #readWithUnit(bare: string, name: string): string | null | undefined {
    // Indonesian and Polish write `kkal`.
    const { unit, key, basis } = parseHeading(name.replace(/^kk/i, 'kc'));
    const { field, unit: wanted = field === 'kcal' ? 'kcal' : 'g' } = this.#column;
    const ratio = unit && conversion(unit, wanted);
    if (ratio === undefined || key !== '' || basis !== undefined || field === 'popularity') return undefined;
    this.#column = { field, unit };
    const figure = this.#readText(bare);
    if (unit === wanted || figure === null || figure === undefined) return figure;
    this.#source.report.repaired.add(`figure in ${unit}, converted to ${wanted}`);
    return scaleDecimal(figure, ratio.times, ratio.by, wanted === 'kcal' ? 2 : 12);
  }

  #readMarked(text: string, mark: Mark): string | undefined {
    this.#marks.add(mark);
    return canonicalDecimal(text.replace(mark, '.'));
  }

  #readDoubtful(text: string, mark: Mark): string | undefined {
    const isOfThousands = this.#isOfThousands(mark);
    // 1.234 g of protein in 100 g have decimals, not thousands.
    if (!isOfThousands && this.#tooMuch <= TOO_MANY_GRAMS) this.#marks.add(mark);
    else if (!this.#doubtful.has(mark))
      this.#doubtful.set(mark, `${this.#source.report.place()}: ${shown(text)}`);
    return canonicalDecimal(text.replace(mark, isOfThousands ? '' : '.'));
  }

  get #tooMuch(): number {
    const { field, unit = 'g' } = this.#column;
    if (field === 'kcal') return TOO_MUCH_ENERGY;
    return isScaled(field) && unit === 'g' ? TOO_MANY_GRAMS : Number.POSITIVE_INFINITY;
  }
}

/** An amount of a nutrient, and its unit if it has one: `142 mg` is 142, mg; `12 %` stays as it is, and is no number. */
export function withoutUnit(cell: string): readonly [text: string, unit?: Unit] {
  const [, bare, name = ''] = WITH_UNIT.exec(cell.trim()) ?? [];
  if (bare === undefined) return [cell];
  const { unit, key, basis } = parseHeading(name);
  const isAmount = key === '' && basis === undefined && unit !== 'kcal' && unit !== 'kJ';
  return unit !== undefined && isAmount ? [bare, unit] : [cell];
}

/** What stands for no name, if it is unknown: `-`, `n/a`, `n.a.`, and what programs write; nan is a bread. */
const NAMELESS = /[^\p{L}\s]|^\s*(?:null|NULL|None|NaN)\s*$/u;

/** The name of a food as its cell has it, which may be a number, such as that of the beer 1664; "" if it says none. */
export function nameIn(cell: Cell): Cell {
  const name = typeof cell === 'number' || typeof cell === 'bigint' ? cellText(cell) : (cell ?? '');
  return typeof name === 'string' && NAMELESS.test(name) && isUnknown(name) ? '' : name;
}
