/** The plate for others: as a link, and as rows of cells for spreadsheets and documents, with exact figures. */
import { base64ToUint8Array, stringToBase64 } from 'uint8array-extras';
import { amountText, BROWSER_MARK, GRAMS, isGrams, typedText, weightOf } from '../foods/amount.ts';
import { NUTRIENTS } from '../foods/food.ts';
import { exclusions, figureOf, type Plate, readPlate, totals } from '../foods/plate.ts';
import { t } from '../texts/texts.ts';

/** Browsers do not send the fragment of an address to servers. */
export const PREFIX = '#plate=';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export function plateLink(plate: Plate, page: string): string {
  const rows = plate.map(({ food, count, unit }) => [
    food.description,
    ...NUTRIENTS.map(({ key }) => food[key]),
    count,
    ...(isGrams(unit) ? [] : [unit.portion, unit.grams]),
  ]);
  const address = new URL(page);
  // A link shares the plate, not the search.
  address.searchParams.delete('q');
  address.hash = PREFIX + stringToBase64(JSON.stringify(rows), { urlSafe: true });
  return address.href;
}

/** The plate of a link; undefined if the fragment contains no readable one. */
export function plateOfLink(hash: string): Plate | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    const rows: unknown = JSON.parse(UTF8.decode(base64ToUint8Array(hash.slice(PREFIX.length))));
    if (!Array.isArray(rows)) return undefined;
    const plate = readPlate(rows.map(itemOfRow));
    // An edited link must not open only a part of its plate.
    return plate?.length === rows.length ? plate : undefined;
  } catch {
    return undefined;
  }
}

/** An amount in grams takes one cell, in portions three. */
function itemOfRow(row: unknown): unknown {
  if (!Array.isArray(row) || (row.length !== 6 && row.length !== 8)) return undefined;
  const [description, kcal, protein, fat, carbohydrate, count, portion, grams] = row;
  const unit = row.length === 6 ? GRAMS : { portion, grams };
  return { food: { description, kcal, protein, fat, carbohydrate }, count, unit };
}

const HEADER = ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g', 'note'];

/** Figures have the decimal mark of the browser's language, which a spreadsheet on the same machine reads. */
export function plateRows(plate: Plate): readonly (readonly string[])[] {
  const rows = plate.map((item) => [
    textCell(item.food.description),
    cellText(weightOf(item)?.toFixed()),
    ...NUTRIENTS.map(({ key }) => cellText(figureOf(item, key)?.toFixed())),
    isGrams(item.unit) ? '' : textCell(amountText(item)),
  ]);
  const sums = totals(plate).map(({ sum }) => cellText(sum.toFixed()));
  return [HEADER, ...rows, [t('total'), '', ...sums, exclusions(plate)]];
}

const cellText = (figure = ''): string => typedText(figure, BROWSER_MARK);

/** A leading apostrophe keeps spreadsheets from reading a text as a formula. */
const textCell = (text: string): string => (/^[=+@\t\r-]/.test(text) ? `'${text}` : text);
