/**
 * The plate as rows of cells for spreadsheets and documents, with exact figures.
 */
import { amountText, isGrams, typedText, weightOf } from '../foods/amount.ts';
import { NUTRIENTS } from '../foods/food.ts';
import { figureOf, type Plate, totals } from '../foods/plate.ts';

const HEADER = ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g', 'note'];

/** Figures have the decimal mark of the browser's language, which a spreadsheet on the same machine reads. */
export function plateRows(plate: Plate): readonly (readonly string[])[] {
  const rows = plate.map((item) => [
    textCell(item.food.description),
    typedText(weightOf(item)?.toFixed() ?? ''),
    ...NUTRIENTS.map(({ key }) => typedText(figureOf(item, key)?.toFixed() ?? '')),
    isGrams(item.unit) ? '' : textCell(amountText(item)),
  ]);
  const all = totals(plate);
  const incomplete = all.filter(({ unknown }) => unknown > 0);
  const note = incomplete.map(({ name, unknown }) => `${name} without ${unknown} of ${plate.length} foods`);
  const total = ['Total', '', ...all.map(({ sum }) => typedText(sum.toFixed())), note.join('; ')];
  return [HEADER, ...rows, total];
}

/** A leading apostrophe keeps spreadsheets from reading a text as a formula. */
const textCell = (text: string): string => (/^[=+@\t\r-]/.test(text) ? `'${text}` : text);
