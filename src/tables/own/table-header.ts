/** Finds the header among the first rows of a table: its row of headings, the groups above or the rest below it, titles. */
import { FOOD_COLUMNS, UserError } from '#core';
import type { TableRow } from '../words/cells.ts';
import { isUnit, parseHeading } from '../words/headings.ts';
import { amountColumns } from './amounts.ts';
import { type ColumnOptions, candidateOf, countFields, isFigure, isNamed, ungrouped } from './candidates.ts';
import { isNumber, refuseLong } from './long-table.ts';

export interface HeaderRow {
  readonly headings: readonly string[];
  readonly place: string;
}

const HEADER_ROWS = 20;
const MORE_HEADER_ROWS = 3;
/** The most rows that a header consists of: three, and those below. */
const HEADING_ROWS = 6;
/** Cells of a line such as `Serving size,30,g`. */
const MOST_OF_TITLE = 3;

export class TableHeader {
  readonly #options: ColumnOptions;
  readonly #where: string;
  readonly #above: HeaderRow[] = [];
  /** The header, until the next row shows whether it has another row. */
  #found: HeaderRow | undefined;
  #more = MORE_HEADER_ROWS;
  /** Whether the row above the headings has groups of them. */
  #isGrouped = false;
  /** The last rows, as they stand. */
  #rows: readonly (readonly string[])[] = [];
  /** Whether cells are padded with blanks, as in a Markdown table. */
  isPadded = false;

  constructor(options: ColumnOptions, where: string) {
    this.#options = options;
    this.#where = where;
  }

  get width(): number | undefined {
    return this.#found?.headings.length;
  }

  /** Whether a row says in these cells what a row of the header does, as printed tables repeat it on each page. */
  repeats(row: TableRow, indexes: readonly number[]): boolean {
    return this.#rows.some((texts) => {
      let isAny = false;
      for (const index of indexes) {
        const text = texts[index] ?? '';
        if (String(row.cell(index) ?? '') !== text) return false;
        isAny ||= isFilled(text);
      }
      return isAny;
    });
  }

  /** The rows of a few texts above the header that are no groups of headings. */
  get titles(): readonly string[] {
    return this.#above.flatMap(({ headings }, i) => {
      const filled = headings.filter(isFilled);
      const isGroups = this.#isGrouped && i === this.#above.length - 1;
      return filled.length <= (isGroups ? 1 : MOST_OF_TITLE) ? filled.join(' ') : [];
    });
  }

  /** Takes a row. @returns the header if it is complete; the row is then the first below it */
  take(headings: readonly string[], place: string): HeaderRow | undefined {
    const header = this.#take(headings, place);
    if (header === undefined) this.#rows = [...this.#rows.slice(1 - HEADING_ROWS), headings];
    return header;
  }

  #take(headings: readonly string[], place: string): HeaderRow | undefined {
    const found = this.#found;
    const fields = countFields(headings, this.#options);
    // A line of metadata may name two: `name,Anna,calories,2000`.
    const isMore = found !== undefined && fields > countFields(found.headings, this.#options);
    if (isMore) this.#above.push(found);
    if (found !== undefined && !isMore) {
      const all = this.#more-- > 0 ? this.#with(found.headings, headings) : undefined;
      if (all === undefined) return found;
      this.#found = { ...found, headings: all };
    } else if (fields >= 2) {
      const [above = [], first = []] = this.#above
        .slice(-2)
        .map((row) => row.headings)
        .reverse();
      const groups = mended(first, above);
      const all = this.#grouped(groups, headings);
      this.#isGrouped = all.some((text, i) => text !== headings[i]?.trim());
      this.#found = { headings: all, place };
    } else if (this.#above.push({ headings, place }) >= HEADER_ROWS) return this.end();
    return undefined;
  }

  /** Headings with the groups above them, unless these name nothing: a line of metadata, such as `export,2`, would hide a weight. */
  #grouped(groups: readonly string[], headings: readonly string[]): readonly string[] {
    if (!groups.slice(1).some(isFilled) || groups.some((text) => /^\s*\d+\s*$/.test(text))) return headings;
    const all = joined(groups, headings);
    const named = (row: readonly string[]) =>
      countFields(row, this.#options) +
      Number(amountColumns(ungrouped(row)).some(({ doubt }) => doubt === undefined));
    const saysBasis = groups.some((text) => parseHeading(text).basis !== undefined);
    if (saysBasis) return countFields(all, this.#options) > 0 ? all : headings;
    // What stands above the names of foods, and does not belong there, shows that the row has no groups.
    const isMisplaced = groups.some((text, i) => {
      const below = headings[i] ?? '';
      return isFilled(text) && candidateOf(below, i)?.field === 'description' && !isNamed(`${text} ${below}`);
    });
    return named(all) >= named(headings) + Number(isMisplaced) ? all : headings;
  }

  /** The header, or the row that is most like one and shows what is missing. @throws UserError */
  end(): HeaderRow {
    if (this.#found !== undefined) return this.#found;
    const fields = ({ headings }: HeaderRow) =>
      countFields(headings, this.#options) || headings.filter(isFigure).length;
    // A food has figures where the header has words, though perhaps none above the names.
    const words = ({ headings }: HeaderRow) =>
      headings.filter((text) => isFilled(text) && !isNumber(text)).length;
    const [best] = this.#above.toSorted((a, b) => fields(b) - fields(a) || words(b) - words(a));
    const columns = FOOD_COLUMNS.join(',');
    if (best === undefined)
      throw new UserError(`${this.#where} is empty. The first line names the columns: ${columns}.`);
    const isTitle = ({ headings }: HeaderRow) => headings.filter(isFilled).length < 2;
    const [first = best, ...below] = this.#above.filter((row) => !isTitle(row));
    refuseLong(
      first.headings,
      below.map(({ headings: cells }) => cells),
      first.place,
    );
    const down = this.#above.filter(({ headings: [first = ''] }) => isFigure(first)).length;
    if (down > Math.max(1, fields(best)))
      throw new UserError(
        `${this.#where}: the first column names the figures, so each food is a column. Transpose the table, so that each food is a row (in a spreadsheet: copy, then Paste Special, Transpose).`,
      );
    return best;
  }

  /** The headings with a row below them: units, codes, another language, a line; undefined if it is not part of the header. */
  #with(headings: readonly string[], row: readonly string[]): readonly string[] | undefined {
    // A food may be named like a heading: `Fat,Food,900,0,0,100`.
    if (row.some(isNumber)) return undefined;
    if (isLine(row)) {
      this.isPadded = true;
      return headings;
    }
    const fields = ungrouped(headings).map((heading) => candidateOf(heading, 0)?.field);
    const chosen = this.#options.columns?.get('description')?.trim().toLowerCase();
    const isName = (i: number) =>
      fields[i] === 'description' || (chosen !== undefined && headings[i]?.trim().toLowerCase() === chosen);
    const hasName = row.some((text, i) => isFilled(text) && isName(i));
    // `unit,g,kcal`, `code,PROT,KCALS`: no food has words that are units or headings where its figures should be.
    const isOfFigures = (text: string, i: number) =>
      !isName(i) && fields[i] !== undefined && (isUnit(text) || isFigure(text));
    const isNamedRow = hasName && row.filter(isOfFigures).length >= 2;
    if (!hasName && row.some((text, i) => isFilled(text) && !isFilled(headings[i] ?? '')))
      return joined(headings, row);
    const units = row.map((text, i) => (isNamedRow && isName(i) ? '' : text));
    const filled = units.filter(isFilled);
    if ((!hasName || isNamedRow) && filled.length > 0 && filled.every(isUnit))
      return headings.map((heading, i) => `${heading} ${units[i] ?? ''}`.trim());
    if (isNamedRow) return headings;
    const cells = row.filter((text, i) => fields[i] !== undefined && isFilled(text));
    return !hasName && cells.length > 0 && cells.every((cell) => /^\s*[([]?\p{L}/u.test(cell))
      ? headings
      : undefined;
  }
}

/** The line below the header of a Markdown table. */
const isLine = (texts: readonly string[]): boolean =>
  texts.some(isFilled) && texts.every((text) => /^\s*(?::?-{2,}:?)?\s*$/.test(text));

const isFilled = (text: string): boolean => text.trim() !== '';

/** A row of headings with the one above it, if words there go on in it: `Carbo-` above `idrato`. */
function mended(above: readonly string[], row: readonly string[]): readonly string[] {
  if (!above.some((text) => BROKEN.test(text))) return row;
  return Array.from({ length: Math.max(above.length, row.length) }, (_, i) => {
    const [top, bottom] = [above[i]?.trim() ?? '', row[i]?.trim() ?? ''];
    return BROKEN.test(top) ? top.replace(BROKEN, '$1') + bottom : `${top} ${bottom}`.trim();
  });
}

const BROKEN = /(\p{L})-\s*$/u;

/** Whether a text goes on below it: `Número do`. */
function goesOn(text: string): boolean {
  const last = /\S+$/.exec(text)?.[0] ?? '';
  return text !== '' && parseHeading(last).key === '' && !isUnit(last);
}

/** Two rows of headings as one: `Fat`, merged above `saturated` and `total`, gives `Fat saturated` and `Fat total`. */
function joined(above: readonly string[], below: readonly string[]): string[] {
  let group = '';
  return Array.from({ length: Math.max(above.length, below.length) }, (_, i) => {
    const [top, bottom] = [above[i]?.trim() ?? '', below[i]?.trim() ?? ''];
    if (top !== '') group = top;
    if (bottom === '') return top;
    if (BROKEN.test(top)) return top.replace(BROKEN, '$1') + bottom;
    const both = `${group} ${bottom}`.trim();
    if (isNamed(both) || goesOn(top) || candidateOf(bottom, i) === undefined) return both;
    // The group is no part of the name: "Values per serving", "Macronutrients".
    const { basis } = parseHeading(group);
    return basis === undefined || !isFigure(bottom) ? bottom : `${bottom} per ${basis}`;
  });
}
