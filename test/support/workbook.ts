/** Writes Excel workbooks part by part, even invalid ones. */
import { zipOf } from './packing.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

export interface Sheet {
  readonly name: string;
  /** The content of `sheetData`. */
  readonly data: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
}

export interface Parts {
  readonly sheets: readonly Sheet[];
  /** The content of `sst`. */
  readonly shared?: string;
  /** The content of `styleSheet`. */
  readonly styles?: string;
  /** Additional or replaced parts, by path. */
  readonly others?: Readonly<Record<string, string | Uint8Array>>;
}

export function workbookOf({ sheets, shared, styles, others = {} }: Parts): Promise<Buffer> {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
  const relations = sheets.map((_, i) => relation(`r${i}`, 'worksheet', `worksheets/sheet${i + 1}.xml`));
  const list = sheets.map(
    ({ name, state = 'visible' }, i) =>
      `<sheet name="${name}" sheetId="${i + 1}" state="${state}" r:id="r${i}"/>`,
  );
  return zipOf({
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}">${relation('r', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}">${relations.join('')}${
      shared === undefined ? '' : relation('s', 'sharedStrings', 'sharedStrings.xml')
    }${styles === undefined ? '' : relation('t', 'styles', 'styles.xml')}</Relationships>`,
    ...(shared === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${shared}</sst>` }),
    ...(styles !== undefined && { 'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
    ...Object.fromEntries(
      sheets.map(({ data }, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
    ...others,
  });
}

/** The cells of a row: numbers, inline texts, or raw XML if it begins with `<`. */
export function rowOf(...cells: readonly (string | number | null)[]): string {
  const xml = cells.map((cell) => {
    if (cell === null) return '<c/>';
    if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
    return cell.startsWith('<') ? cell : `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row>${xml.join('')}</row>`;
}
