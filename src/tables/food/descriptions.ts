/** Makes a description from a name and a brand in a public data set, and tells which foods and products are the same. */
import { decodeHTMLStrict } from 'entities';
import { type FoodRecord, fold } from '#core';
import type { SourceReport } from '../report/source-report.ts';
import type { Row } from '../rows/row-splitter.ts';

/** Control characters and the line breaks of Unicode, which are in names only by mistake. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;
const BREAKS = /\s*[\p{Cc}\u2028\u2029][\s\p{Cc}]*/gu;
/** Characters that need more than trimming; most names have none of them. */
const UNUSUAL = /[^\x21-\x7e\u00a1-\u1fff\u3001-\ufffc ]|&|^ | $/;
/** `&amp;quot;` is a quote escaped twice. */
const MAX_ESCAPED = 3;

/** The name in a cell of a table in UTF-8, where some cells may still be in Latin-1. */
export function rawName(row: Row, cell: number, report: SourceReport): string {
  const name = row.text(cell);
  if (!name.includes('\ufffd') || row.isUtf8(cell)) return name;
  report.repaired.add('Latin-1 in the name');
  return row.text(cell, 'latin1');
}

/** The name without entities, control characters and surrounding spaces; repairs are counted. */
export function cleanName(raw: string, report: SourceReport): string {
  if (!UNUSUAL.test(raw)) return raw;
  const name = withoutEntities(raw);
  if (name !== raw) report.repaired.add('HTML entities in the name');
  if (raw.includes('\ufffd')) report.repaired.add('invalid UTF-8 in the name, replaced by U+FFFD');
  if (CONTROLS.test(name)) report.repaired.add('control characters or line breaks in the name');
  return name.replace(BREAKS, ' ').trim();
}

export function withoutEntities(raw: string): string {
  let text = raw;
  for (let i = 0; i < MAX_ESCAPED && text.includes('&'); i++) {
    const decoded = decodeHTMLStrict(text);
    if (decoded === text) break;
    text = decoded;
  }
  return text;
}

/** Appends the brand if the name does not contain it, so that a search finds it; the name is then also returned. */
export function withBrand(name: string, brand: string): Pick<FoodRecord, 'description' | 'name'> {
  if (brand === '' || fold(name).includes(fold(brand))) return { description: name };
  return { description: `${name}, ${brand}`, name };
}
