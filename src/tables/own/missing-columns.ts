/** Refuses tables that lack columns, or whose columns do not say what their figures are for. */
import { FATTY_ACIDS, FOOD_COLUMNS, shown, UserError } from '#core';
import { type Field, keysFor, parseHeading } from '../words/headings.ts';
import { gramsOf, placeOf, WAYS_ON } from './amounts.ts';
import type { ColumnCandidate, HeadingRow } from './candidates.ts';

const FIGURE = /^\s*[+-]?\d+(?:[.,]\d+)?\s*$/;

const isFattyAcid = (field: string): boolean => FATTY_ACIDS.some((each) => each === field);

/** @param otherBases columns of figures that are for an unknown weight */
export function refuseMissing(
  columns: ReadonlyMap<Field, ColumnCandidate>,
  otherBases: readonly ColumnCandidate[],
  { headings, options, where }: HeadingRow,
): void {
  const isGiven = (field: Field): boolean =>
    columns.has(field) || (field !== 'description' && options.columns?.get(field) === '');
  const missing: readonly Field[] = FOOD_COLUMNS.filter(
    (field) => !isGiven(field) && !(isFattyAcid(field) && isGiven('fat_g')),
  );
  if (missing.length === 0) return;
  const other = otherBases.find(({ field }) => missing.includes(field) || field === 'fat_g');
  if (other !== undefined)
    throw new UserError(
      `${where}: ${other.said} says that ${other.field} is per ${other.basis}, whose weight is not known. ${WAYS_ON}`,
    );
  const names = shown(headings.map((heading) => heading.trim()).join(','));
  if (headings.filter((heading) => FIGURE.test(heading)).length > 1)
    throw new UserError(
      `${where}: there are figures where the headings should be: ${names}. Add a line above that names the columns, such as Food,Calories,Protein,Carbs,Fat.`,
    );
  const hasNoFat = FATTY_ACIDS.every((field) => missing.includes(field));
  const wanted = hasNoFat
    ? missing.map((field) => (field === 'fa_sat_g' ? 'fat_g' : field)).filter((field) => !isFattyAcid(field))
    : missing;
  const partOfFat = missing.some(isFattyAcid) ? ', and total fat may stand for the fatty acids' : '';
  const instead = hasNoFat ? ', and fa_sat_g, fa_mono_g and fa_poly_g may stand for fat_g' : partOfFat;
  const [first] = wanted;
  const none = first === 'description' ? '' : `, or with --column ${first}= where there is none`;
  const blank = wanted.includes('description') ? headings.findIndex((heading) => heading.trim() === '') : -1;
  const unnamed =
    blank < 0 ? '' : ` Column ${blank + 1} has no heading: if it names the foods, call it Food.`;
  throw new UserError(
    `${where}: the header lacks ${wanted.join(', ')}; it names ${names}.${unnamed} Add what is missing (cells may be empty${instead}), ` +
      `or import it with --column ${first}=HEADING${none}.`,
  );
}

/** Beside a heading that says "per 30 g", one that does not may be for 30 g or for 100 g. */
export function refuseMixed(scaled: readonly ColumnCandidate[], where: string): void {
  const stated = scaled.find(({ basis }) => basis !== undefined);
  const silent = scaled.find(({ basis }) => basis === undefined);
  if (stated === undefined || silent === undefined) return;
  throw new UserError(
    `${where}: ${stated.said} says that ${stated.field} is per ${stated.basis}, but ${placeOf(silent)}, does not say what it is for. ${WAYS_ON}`,
  );
}

/** A title with the weight of a serving may say what the figures are for: `Serving size: 30 g`. */
export function refusePerhapsBased(titles: readonly string[], where: string): void {
  const title = titles.find((text) => {
    const { key, basis } = parseHeading(text);
    const isAmount = basis !== undefined || key.split(' ').some((word) => keysFor('weight').has(word));
    return isAmount && gramsOf(text) !== undefined;
  });
  if (title === undefined) return;
  throw new UserError(`${where}: the title ${shown(title)} may say what the figures are for. ${WAYS_ON}`);
}
