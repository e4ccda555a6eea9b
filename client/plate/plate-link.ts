/** The plate for others: as a link, and as rows of cells for spreadsheets and documents, with exact figures. */
import type { Nutrient } from '../../packages/browser/search-foods.ts';
import {
  type Amount,
  amountText,
  BROWSER_MARK,
  GRAMS,
  isGrams,
  typedText,
  weightOf,
} from '../foods/amount.ts';
import { type Food, NUTRIENTS } from '../foods/food.ts';
import { type LabelLine, nutrientTotals } from '../foods/label.ts';
import { exclusions, figureOf, type Plate, readPlate, totals, unknownIn } from '../foods/plate.ts';
import { t, translated } from '../texts/texts.ts';

/** Browsers do not send the fragment of an address to servers. */
export const PREFIX = '#plate=';

/** The portions that it makes, if more than one. */
const MAKES = /\.(\d\d?)$/;

export const makesOfLink = (hash: string): number => Number(MAKES.exec(hash)?.[1] ?? 1);

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Base 64 in the alphabet of addresses, of UTF-8. */
function encoded(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @throws Error if the text is not encoded */
function decoded(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return UTF8.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

export function plateLink(plate: Plate, page: string, makes = 1): string {
  const rows = plate.map(({ food, count, unit }) => [
    food.description,
    ...NUTRIENTS.map(({ key }) => food[key]),
    count,
    ...(isGrams(unit) ? [] : [unit.portion, unit.grams]),
  ]);
  const address = new URL(page);
  // A link shares the plate, not the search.
  address.searchParams.delete('q');
  address.hash = PREFIX + encoded(JSON.stringify(rows));
  if (makes > 1) address.hash += `.${makes}`;
  return address.href;
}

/** The plate of a link; undefined if the fragment contains no readable one. */
export function plateOfLink(hash: string): Plate | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  try {
    const rows: unknown = JSON.parse(decoded(hash.slice(PREFIX.length).replace(MAKES, '')));
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

const HEADER = ['food', 'grams', 'kcal', 'protein_g', 'fat_g', 'carbohydrate_g'];

/**
 * Figures have the decimal mark of the browser's language, which a spreadsheet on the same machine reads.
 * @param nutrients of each food
 */
export function plateRows(
  plate: Plate,
  nutrients: readonly (readonly Nutrient[])[] = [],
  makes = 1,
): readonly (readonly string[])[] {
  const added = nutrientTotals(plate, nutrients);
  const header = [
    ...HEADER,
    ...added.map(({ name, unit }) => `${name.toLowerCase().replace(' ', '_')}_${unit}`),
    'note',
  ];
  const cellsOf = (items: Plate, theirs: typeof nutrients, portions = 1) => {
    const sums = new Map(nutrientTotals(items, theirs, portions).map(({ name, sum }) => [name, sum]));
    return added.map(({ name }) => cellText(sums.get(name)?.toFixed()));
  };
  const rows = plate.map((item, i) => [
    textCell(item.food.description),
    cellText(weightOf(item)?.toFixed()),
    ...NUTRIENTS.map(({ key }) => cellText(figureOf(item, key)?.toFixed())),
    ...cellsOf([item], [nutrients[i] ?? []]),
    isGrams(item.unit) ? '' : textCell(amountText(item)),
  ]);
  const lacking = added
    .filter(({ known }) => known < plate.length)
    .map(({ name, known }) => unknownIn(translated(name), plate.length - known, plate.length));
  const sums = (name: string, portions: number) => [
    name,
    '',
    ...totals(plate, portions).map(({ sum }) => cellText(sum.toFixed())),
    ...cellsOf(plate, nutrients, portions),
    [exclusions(plate), ...lacking].filter(Boolean).join('; '),
  ];
  const total = sums(t('total'), 1);
  return [header, ...rows, total, ...(makes > 1 ? [sums(`${t('perPortion')} (${makes})`, makes)] : [])];
}

/** A row for each figure: its name, amount and unit. */
export const labelRows = (food: Food, amount: Amount, lines: readonly LabelLine[]) => [
  [textCell(food.description), textCell(amountText(amount)), ''],
  ...lines.flatMap(({ name, figures }) =>
    figures.map(([figure, unit]) => [
      textCell(translated(name)),
      cellText(figure?.toFixed()),
      textCell(unit),
    ]),
  ),
];

const cellText = (figure = ''): string => typedText(figure, BROWSER_MARK);

/** A leading apostrophe keeps spreadsheets from reading a text as a formula. */
const textCell = (text: string): string => (/^[=+@\s-]/.test(text) ? `'${text}` : text);
