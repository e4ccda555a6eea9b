/** Reads the sheets of an Excel workbook (.xlsx; ECMA-376, part 1, chapter 18): the cells as they are stored, row by row. */
import { posix } from 'node:path';
import sax from 'sax';
import { shown, UserError } from '#core';
import type { Archive } from '../bytes/archive.ts';
import { decoded, UTF8 } from '../bytes/encoding.ts';
import type { Bytes } from '../bytes/streams.ts';

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

export type Workbook = Awaited<ReturnType<typeof openWorkbook>>;

/** Has the names of the sheets, those that the program hides last, how many are visible, and what reads the rows of one. */
export async function openWorkbook(archive: Archive) {
  const [book = 'xl/workbook.xml'] = (await relatedParts(archive, ''))('officeDocument').values();
  const partsOfType = await relatedParts(archive, book);
  const { sheets, visible } = await sheetsOf(archive, book, partsOfType('worksheet'));
  if (sheets.size === 0) throw new UserError(`${archive.where}: the workbook has no sheet with cells.`);
  const partOf = (type: string) => [...partsOfType(type).values()].find((path) => archive.has(path));
  const shared = await textsOf(archive, partOf('sharedStrings'));
  const numberOf = await numbersOf(archive, partOf('styles'));
  const rows = async function* (sheet: string) {
    const where = `${archive.where}, sheet ${shown(sheet)}`;
    const found: SheetRow[] = [];
    const handler = sheetHandler(shared, numberOf, where, found);
    for await (const _ of readXml(archive.read(sheets.get(sheet) ?? ''), where, handler))
      yield* found.splice(0);
  };
  return { sheets: [...sheets.keys()], visible, rows };
}

/** The parts that a part refers to, by type: the path of each by its id. @param path empty for the whole archive */
async function relatedParts(archive: Archive, path: string) {
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
  return (wanted: string) =>
    new Map(found.filter(({ type }) => type.endsWith(`/${wanted}`)).map(({ id, part }) => [id, part]));
}

/** The path of each sheet by its name, and the number of those that are visible, which are first. */
async function sheetsOf(archive: Archive, book: string, worksheets: ReadonlyMap<string, string>) {
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

async function textsOf(archive: Archive, path: string | undefined): Promise<string[]> {
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

async function readPart(archive: Archive, path: string | undefined, handler: XmlHandler): Promise<void> {
  if (path === undefined) return;
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

/** The rows of a sheet are added to `rows` as its tags and texts come. */
function sheetHandler(
  shared: readonly string[],
  numberOf: Awaited<ReturnType<typeof numbersOf>>,
  where: string,
  rows: SheetRow[],
): XmlHandler {
  let row = 0;
  let cells: (string | number | undefined)[] = [];
  let column = -1;
  let type = '';
  let style = '';
  let isFormula = false;
  let text = '';
  const fault = (what: string): UserError =>
    new UserError(`${where}, row ${row}: it ${what}. Open the workbook and save it again.`);
  const value = (): string | number => {
    if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
    if (type === 'n') return numberOf(style, text);
    if (type !== 's') return unescaped(text);
    const found = shared[Number(text)];
    if (found !== undefined) return found;
    throw fault(`refers to the text ${shown(text)}, which the workbook lacks`);
  };
  return {
    open: (name, { r = '', s = '', t = 'n' }) => {
      if (name === 'row') {
        row = /^\d{1,7}$/.test(r) ? Number(r) : row + 1;
        cells = [];
        column = -1;
      } else if (name === 'c') {
        column = columnOf(r) ?? column + 1;
        type = t;
        style = s;
        isFormula = false;
        text = '';
      } else if (name === 'f') isFormula = true;
    },
    text: (part, path) => {
      text += textOfCell(part, path, text.length, where);
    },
    close: (name) => {
      if (name === 'row' && cells.length > 0) rows.push({ row, cells });
      if (name !== 'c') return;
      if (column >= MAX_COLUMNS) throw fault('has a cell beyond the last column of Excel');
      if (text !== '') cells[column] = value();
      else if (isFormula && type !== 'str') cells[column] = UNCALCULATED;
    },
  };
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
async function numbersOf(archive: Archive, styles: string | undefined) {
  const formats = new Map<string, string>();
  /** The kind of each style, which the attribute `s` of a cell names by its position. */
  const kinds: ('date' | 'percentage' | undefined)[] = [];
  await readPart(archive, styles, {
    open: (name, { numFmtId = '', formatCode = '' }, path) => {
      if (name === 'numFmt') formats.set(numFmtId, formatCode.replace(LITERALS, ''));
      if (name !== 'xf' || path.at(-2) !== 'cellXfs') return;
      const format = formats.get(numFmtId);
      const isDate = format === undefined ? DATE_IDS.test(numFmtId) : /[dmyhs]/i.test(format);
      const isPercentage = format === undefined ? PERCENTAGE_IDS.test(numFmtId) : format.includes('%');
      kinds.push(isDate ? 'date' : isPercentage ? 'percentage' : undefined);
    },
  });
  return (style: string, text: string): string | number => {
    const number = Number(text);
    const kind = style === '' ? undefined : kinds[Number(style)];
    if (kind === 'date') return dateOf(number);
    if (kind === 'percentage') return `${rounded(number * 100)}%`;
    return Number.isFinite(number) ? rounded(number) : text;
  };
}

/** A number of days as a date, or as a time if it is less than one. */
function dateOf(days: number): string {
  const date = new Date(EPOCH + days * DAY);
  if (Number.isNaN(date.getTime())) return String(days);
  return days < 1 ? date.toISOString().slice(11, 16) : date.toISOString().slice(0, 10);
}

/** Excel shows 15 digits of a binary number, and stores 17: 12.3 may be stored as 12.300000000000001. */
const rounded = (number: number): number => Number(number.toPrecision(15));

/** Names have no prefix, because each program may choose its own. */
interface XmlHandler {
  open(name: string, attributes: Readonly<Record<string, string>>, path: readonly string[]): void;
  close?(name: string): void;
  /** A long text comes in several parts. */
  text?(text: string, path: readonly string[]): void;
}

/** Files of office programs nest less than ten deep, and have a dozen attributes. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 100;

/** Calls the handler for the tags and texts in order, and yields after each chunk. @throws UserError */
async function* readXml(bytes: Bytes, where: string, handler: XmlHandler): AsyncGenerator<void> {
  const parser = sax.parser(true, { position: false });
  const path: string[] = [];
  let attributes = 0;
  parser.onopentagstart = () => {
    attributes = 0;
    if (path.length >= MAX_DEPTH) throw brokenXml(where, `tags nest more than ${MAX_DEPTH} deep`);
  };
  parser.onattribute = () => {
    if (++attributes > MAX_ATTRIBUTES)
      throw brokenXml(where, `a tag has more than ${MAX_ATTRIBUTES} attributes`);
  };
  parser.onopentag = ({ name: whole, attributes }) => {
    const name = whole.slice(whole.indexOf(':') + 1);
    path.push(name);
    handler.open(name, attributes as Readonly<Record<string, string>>, path);
  };
  parser.onclosetag = () => {
    const name = path.pop() ?? '';
    handler.close?.(name);
  };
  parser.ontext = (text) => handler.text?.(text, path);
  parser.oncdata = parser.ontext;
  parser.onerror = (error) => {
    throw brokenXml(where, error.message.split('\n', 1)[0] ?? '');
  };
  for await (const text of decoded(bytes, UTF8, brokenXml(where, 'the text is not UTF-8'))) {
    parser.write(text);
    yield;
  }
  parser.close();
  yield;
}

const brokenXml = (where: string, reason: string): UserError =>
  new UserError(`${where}: the XML cannot be read (${shown(reason).slice(1, -1)}). Save the file again.`);
