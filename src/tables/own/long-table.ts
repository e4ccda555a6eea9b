/** Recognizes tables with a row for each figure, such as `1;PROT;12.6`, which lack columns of figures. */
import { shown, UserError } from '#core';
import { keysFor, parseHeading } from '../words/headings.ts';
import { isFigure } from './candidates.ts';

/** Rows that show it; more would only repeat the figures. */
export const FIRST_ROWS_OF_LONG = 50;
const LEAST_FIGURES = 3;

export const isNumber = (text: string): boolean => /^\s*[+-]?[.,]?\d/.test(text);

/** @throws LongTable if a column names the figures, again for each food */
export function refuseLong(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  where: string,
): void {
  if (headings.some(isNumber)) return;
  const hasFigures = headings.some(isFigure);
  const isNaming = (heading: string, i: number): boolean => {
    if (!hasFigures && keysFor('which figure').has(parseHeading(heading).key)) return true;
    const named = rows.flatMap((row) => (isFigure(row[i] ?? '') ? (row[i] ?? '') : []));
    const { size } = new Set(named);
    return size >= LEAST_FIGURES && size < named.length;
  };
  const at = headings.findIndex(isNaming);
  if (at < 0 || !rows.some((row) => row.some((text, i) => i !== at && isNumber(text)))) return;
  throw new LongTable(
    `${where}: it has a row for each figure, which the column ${shown(headings[at] ?? '')} names; its headings are ${shown(headings.join(','))}. ` +
      'Make it a table with a row for each food and a column for each figure (in a spreadsheet: a pivot table), with the names of the foods.',
  );
}

export class LongTable extends UserError {}
