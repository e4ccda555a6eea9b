/**
 * The plate as CSV (RFC 4180), with exact figures and a decimal point in every locale.
 */
import { amountText, isGrams, weightOf } from '../foods/amount.ts';
import { NUTRIENTS } from '../foods/food.ts';
import { figureOf, type Plate, totals } from '../foods/plate.ts';

const HEADER = ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g', 'note'];

export function plateCsv(plate: Plate): string {
  const rows = plate.map((item) => [
    item.food.description,
    weightOf(item)?.toFixed() ?? '',
    ...NUTRIENTS.map(({ key }) => figureOf(item, key)?.toFixed() ?? ''),
    isGrams(item.unit) ? '' : amountText(item),
  ]);
  const all = totals(plate);
  const incomplete = all.filter(({ unknown }) => unknown > 0);
  const note = incomplete.map(({ name, unknown }) => `${name} without ${unknown} of ${plate.length} foods`);
  rows.push(['Total', '', ...all.map(({ sum }) => sum.toFixed()), note.join('; ')]);
  return [HEADER, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** The beginnings of a spreadsheet formula. A leading apostrophe makes it a text. */
const FORMULA = /^[=+@\t\r]|^-(?![\d.]+$)/;

function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
