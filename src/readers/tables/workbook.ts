/** Reads the sheets of an Excel workbook (.xlsx; ECMA-376, part 1, chapter 18): the cells as they are stored, row by row. */
import { posix } from 'node:path';
import { shown, UserError } from '../../system/errors.ts';
import type { Archive } from '../bytes/archive.ts';
import { readXml, type XmlHandler } from '../bytes/xml.ts';

export interface SheetRow {
  /** As the sheet numbers it, from 1. */
  readonly row: number;
  /** By column, with holes where nothing is stored. */
  readonly cells: readonly (string | number | undefined)[];
}

/** The longest text that Excel stores in a cell is 32,767 characters. */
const MAX_TEXT = 64 * 1024;
/** Characters of all shared texts: a sheet of a million rows with long descriptions has half of it. */
const MAX_SHARED = 128 * 1024 * 1024;
const MAX_SHEETS = 1000;
const MAX_COLUMNS = 16_384;

/** The cell of a formula without its value: its program does not calculate. */
export const UNCALCULATED = '#formula without its value';

export interface Workbook {
  /** The names of the sheets, those that the program hides last, and how many are visible. */
  readonly sheets: readonly string[];
  readonly visible: number;
  rows(sheet: string): AsyncIterable<SheetRow>;
}

export async function openWorkbook(archive: Archive): Promise<Workbook> {
  const [book = 'xl/workbook.xml'] = (await partsOf(archive, ''))('officeDocument').values();
  const partsOfType = await partsOf(archive, book);
  const { sheets, visible } = await sheetsOf(archive, book, partsOfType('worksheet'));
  if (sheets.size === 0) throw new UserError(`${archive.where}: the workbook has no sheet with cells.`);
  const partOf = (type: string) => [...partsOfType(type).values()].find((path) => archive.has(path));
  const strings = partOf('sharedStrings');
  const shared = strings === undefined ? [] : await textsOf(archive, strings);
  const styles = partOf('styles');
  const dates = new Dates();
  if (styles !== undefined) await readPart(archive, styles, dates);
  const rows = async function* (sheet: string) {
    const where = `${archive.where}, sheet ${shown(sheet)}`;
    const reader = new SheetReader(shared, dates, where);
    for await (const _ of readXml(archive.read(sheets.get(sheet) ?? ''), where, reader)) yield* reader.take();
  };
  return { sheets: [...sheets.keys()], visible, rows };
}

/** The parts that a part refers to, by type: the path of each by its id. @param path empty for the whole archive */
async function partsOf(
  archive: Archive,
  path: string,
): Promise<(type: string) => ReadonlyMap<string, string>> {
  const folder = posix.dirname(path);
  const relations = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  const found: { readonly id: string; readonly type: string; readonly part: string }[] = [];
  if (archive.has(relations)) {
    await readPart(archive, relations, {
      open: (name, { Id = '', Type = '', Target = '' }) => {
        const part = posix.resolve('/', folder, Target).slice(1);
        if (name === 'Relationship') found.push({ id: Id, type: Type, part });
      },
    });
  }
  // The types are addresses; those of the strict form have another beginning.
  return (wanted) =>
    new Map(found.filter(({ type }) => type.endsWith(`/${wanted}`)).map(({ id, part }) => [id, part]));
}

/** The path of each sheet by its name, and the number of those that are visible, which are first. */
async function sheetsOf(
  archive: Archive,
  book: string,
  worksheets: ReadonlyMap<string, string>,
): Promise<{ sheets: ReadonlyMap<string, string>; visible: number }> {
  const visible = new Map<string, string>();
  const hidden = new Map<string, string>();
  await readPart(archive, book, {
    open: (tag, attributes) => {
      if (tag !== 'sheet') return;
      const [, id = ''] = Object.entries(attributes).find(([name]) => /(^|:)id$/.test(name)) ?? [];
      const path = worksheets.get(id);
      // A sheet may be a chart.
      if (path === undefined || !archive.has(path)) return;
      const { name = '', state = 'visible' } = attributes;
      (state === 'visible' ? visible : hidden).set(name, path);
      if (visible.size + hidden.size > MAX_SHEETS)
        throw new UserError(`${archive.where}: the workbook has more than ${MAX_SHEETS} sheets.`);
    },
  });
  return { sheets: new Map([...visible, ...hidden]), visible: visible.size };
}

async function textsOf(archive: Archive, path: string): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let total = 0;
  await readPart(archive, path, {
    open: (name) => {
      if (name === 'si') text = '';
    },
    close: (name) => {
      if (name !== 'si') return;
      total += text.length;
      if (total > MAX_SHARED)
        throw new UserError(
          `${archive.where}: its texts are too long to be those of a table. Save it as CSV.`,
        );
      texts.push(unescaped(text));
    },
    text: (part, tags) => {
      text += textOfCell(part, tags, text.length, archive.where);
    },
  });
  return texts;
}

async function readPart(archive: Archive, path: string, handler: XmlHandler): Promise<void> {
  for await (const _ of readXml(archive.read(path), `${archive.where}, ${path}`, handler));
}

/** What a text adds to a cell or a shared text of this length: nothing if it says how the cell is pronounced. */
function textOfCell(text: string, path: readonly string[], length: number, where: string): string {
  const tag = path.at(-1);
  if ((tag !== 't' && tag !== 'v') || path.includes('rPh')) return '';
  if (length + text.length > MAX_TEXT)
    throw new UserError(`${where}: a cell has more than ${MAX_TEXT} characters, more than Excel writes.`);
  return text;
}

class SheetReader implements XmlHandler {
  readonly #shared: readonly string[];
  readonly #dates: Dates;
  readonly #where: string;
  #rows: SheetRow[] = [];
  #row = 0;
  #column = -1;
  #type = '';
  #cells: (string | number | undefined)[] = [];
  #isFormula = false;
  #style = '';
  #text = '';

  constructor(shared: readonly string[], dates: Dates, where: string) {
    this.#shared = shared;
    this.#dates = dates;
    this.#where = where;
  }

  take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, { r = '', s = '', t = 'n' }: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#row = /^\d{1,7}$/.test(r) ? Number(r) : this.#row + 1;
      this.#cells = [];
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = columnOf(r) ?? this.#column + 1;
      this.#type = t;
      this.#style = s;
      this.#isFormula = false;
      this.#text = '';
    } else if (name === 'f') this.#isFormula = true;
  }

  text(text: string, path: readonly string[]): void {
    this.#text += textOfCell(text, path, this.#text.length, this.#where);
  }

  close(name: string): void {
    if (name === 'row') {
      if (this.#cells.length > 0) this.#rows.push({ row: this.#row, cells: this.#cells });
    } else if (name === 'c') this.#endCell();
  }

  #endCell(): void {
    const text = this.#text;
    if (this.#column >= MAX_COLUMNS) throw this.#fault('has a cell beyond the last column of Excel');
    if (this.#isFormula && text === '' && this.#type !== 'str') this.#cells[this.#column] = UNCALCULATED;
    if (text !== '') this.#cells[this.#column] = this.#valueOf(text);
  }

  #valueOf(text: string): string | number {
    switch (this.#type) {
      case 's': {
        const shared = this.#shared[Number(text)];
        if (shared === undefined)
          throw this.#fault(`refers to the text ${shown(text)}, which the workbook lacks`);
        return shared;
      }
      case 'b':
        return text === '1' ? 'TRUE' : 'FALSE';
      case 'n':
        return this.#dates.value(this.#style, text);
      default:
        return unescaped(text);
    }
  }

  #fault(what: string): UserError {
    return new UserError(
      `${this.#where}, row ${this.#row}: it ${what}. Open the workbook and save it again.`,
    );
  }
}

/** XML has no way to write some characters, so workbooks write them as `_x000D_`. */
const unescaped = (text: string): string =>
  text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

function columnOf(reference: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}(?=\d)/.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** The built-in formats of dates and times, also those of East Asian languages, and of percentages. */
const DATE_IDS = /^(?:1[4-9]|2[0-27-9]|3[0-6]|4[5-7]|5[0-8])$/;
const PERCENTAGE_IDS = /^(?:9|10)$/;

/** Parts of a format that are shown as they are, and conditions, colours and currencies. */
const LITERALS = /"[^"]*"|\\.|[_*].|\[[^\]]*\]/g;

/** ms of the day before the first that Excel knows, as it counts 1900-02-29. */
const EPOCH = Date.UTC(1899, 11, 30);
const DAY = 86_400_000;

/** Which cells are dates, stored as a number of days, or percentages, 12.6% as 0.126, by the styles (chapter 18.8.30). */
class Dates implements XmlHandler {
  readonly #formats = new Map<string, string>();
  /** The kind of each style, which the attribute `s` of a cell names by its position. */
  readonly #kinds: ('date' | 'percentage' | undefined)[] = [];

  open(
    name: string,
    { numFmtId = '', formatCode = '' }: Readonly<Record<string, string>>,
    path: readonly string[],
  ): void {
    if (name === 'numFmt') this.#formats.set(numFmtId, formatCode.replace(LITERALS, ''));
    if (name !== 'xf' || path.at(-2) !== 'cellXfs') return;
    const format = this.#formats.get(numFmtId);
    const isDate = format === undefined ? DATE_IDS.test(numFmtId) : /[dmyhs]/i.test(format);
    const isPercentage = format === undefined ? PERCENTAGE_IDS.test(numFmtId) : format.includes('%');
    this.#kinds.push(isDate ? 'date' : isPercentage ? 'percentage' : undefined);
  }

  value(style: string, text: string): string | number {
    const number = Number(text);
    const kind = style === '' ? undefined : this.#kinds[Number(style)];
    if (kind === 'date') return dateOf(number);
    if (kind === 'percentage') return `${rounded(number * 100)}%`;
    return Number.isFinite(number) ? rounded(number) : text;
  }
}

/** A number of days as a date, or as a time if it is less than one. */
function dateOf(days: number): string {
  const date = new Date(EPOCH + days * DAY);
  if (Number.isNaN(date.getTime())) return String(days);
  return days < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
}

/** Excel shows 15 digits of a binary number, and stores 17: 12.3 may be stored as 12.300000000000001. */
const rounded = (number: number): number => Number(number.toPrecision(15));
