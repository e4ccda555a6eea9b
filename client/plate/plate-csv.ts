/**
 * The plate as CSV (RFC 4180), with exact figures and a decimal point in every locale.
 */
import { decimalText } from '../foods/decimal.ts';
import { NUTRIENTS } from '../foods/food.ts';
import { amount, type Plate, total } from '../foods/plate.ts';

const HEADER = ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g', 'note'];

export function plateCsv(plate: Plate): string {
  const rows = plate.map((portion) => [
    portion.food.description,
    portion.grams ?? '',
    ...NUTRIENTS.map(({ key }) => {
      const figure = amount(portion, key);
      return figure === null ? '' : decimalText(figure);
    }),
    '',
  ]);
  const totals = NUTRIENTS.map((nutrient) => ({ ...nutrient, ...total(plate, nutrient.key) }));
  const incomplete = totals.filter(({ unknown }) => unknown > 0);
  const note = incomplete.map(({ name, unknown }) => `${name} without ${unknown} of ${plate.length} foods`);
  rows.push(['Total', '', ...totals.map(({ sum }) => decimalText(sum)), note.join('; ')]);
  return [HEADER, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** The beginnings of a spreadsheet formula. A leading apostrophe makes it a text. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+$)/;

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
