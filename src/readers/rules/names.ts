/**
 * Makes a description of the name and the brand that a public data set holds.
 */
import { decodeHTMLStrict } from 'entities';
import { fold } from '../../fold.ts';
import type { SourceReport } from '../report/report.ts';
import type { Row } from '../tables/rows.ts';

/** Control characters and the line breaks of Unicode; they only stand in names by mistake. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;
const BREAKS = /\s*[\p{Cc}\u2028\u2029][\s\p{Cc}]*/gu;
/** What needs more than trimming; most names have none of it. */
const UNUSUAL = /[^\x21-\x7e\u00a1-\u1fff\u3001-\ufffc ]|&|^ | $/;
/** `&amp;quot;` is a quote that was escaped twice. */
const MAX_ESCAPED = 3;

/** The name in a cell of a table in UTF-8, of which a few may be left over from the times of Latin-1. */
export function rawName(row: Row, cell: number, report: SourceReport, place: () => string): string {
  const name = row.text(cell);
  if (!name.includes('\ufffd') || row.isUtf8(cell)) return name;
  report.repaired.add('Latin-1 in the name', place);
  return row.text(cell, 'latin1');
}

/** The name without entities, control characters and blanks around it; what had to be mended is counted. */
export function cleanName(raw: string, report: SourceReport, place: () => string): string {
  if (!UNUSUAL.test(raw)) return raw;
  let name = raw;
  for (let i = 0; i < MAX_ESCAPED && name.includes('&'); i++) {
    const decoded = decodeHTMLStrict(name);
    if (decoded === name) break;
    name = decoded;
  }
  if (name !== raw) report.repaired.add('HTML entities in the name', place);
  if (raw.includes('\ufffd')) report.repaired.add('invalid UTF-8 in the name, replaced by U+FFFD', place);
  if (CONTROLS.test(name)) report.repaired.add('control characters or line breaks in the name', place);
  return name.replace(BREAKS, ' ').trim();
}

/** Appends a brand that the name does not hold, so that it can be found. */
export function withBrand(name: string, brand: string): string {
  return brand === '' || fold(name).includes(fold(brand)) ? name : `${name}, ${brand}`;
}
