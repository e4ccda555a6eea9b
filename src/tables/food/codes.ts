/** The codes on packets, in the one form in which they are compared. */
import { type FoodRecord, foodCodeOf, hasCheckDigit } from '#core';
import type { SourceReport } from '../report/source-report.ts';

/** `5.01E+12`, as spreadsheets write a long number: its last digits are lost. */
const EXPONENT = /^\s*\d[.,]?\d*e\+?\d+\s*$/i;

/** The codes of a food as it has them; without any, it has no such field. @param texts as written, perhaps as `5010029000023.0` */
export function codesOf(texts: readonly string[], report: SourceReport): Pick<FoodRecord, 'codes'> {
  const codes: string[] = [];
  for (const text of texts) {
    const written = text.includes('.') ? text.trim().replace(/\.0+$/, '') : text;
    const code = foodCodeOf(written);
    if (code === undefined) {
      if (EXPONENT.test(written)) report.nutrientsLeftOut.add('code that a spreadsheet has shortened');
    } else if (!codes.includes(code)) codes.push(code);
  }
  return codes.length === 0 ? {} : { codes };
}

/** Whether a text without blanks is a code by its length and its check digit. Spreadsheets drop leading zeros. */
export function looksLikeCode(text: string): boolean {
  const digits = text.trim().replace(/\.0+$/, '');
  return /^\d{7,14}$/.test(digits) && hasCheckDigit(digits);
}
