/** The nutrients of FoodData Central: which of them make the five figures, and which are nutrients beside them. */
import { canonicalDecimal, decimalOfBillionths, type FoodRecord } from '#core';
import { codesOf } from '../food/codes.ts';
import { type Amounts, type FigureTarget, foodOf, type Named } from '../food/figures.ts';
import type { Nutrients } from '../food/nutrients.ts';
import type { SourceReport } from '../report/source-report.ts';
import { LABEL_NUTRIENTS } from '../words/labels.ts';
import { unitNamed } from '../words/units.ts';

export const FIGURES = {
  energy: { id: 1008, number: 208, unit: 'KCAL' },
  energySpecific: { id: 2048, number: 958, unit: 'KCAL' },
  energyGeneral: { id: 2047, number: 957, unit: 'KCAL' },
  kilojoules: { id: 1062, number: 268, unit: 'KJ' },
  protein: { id: 1003, number: 203, unit: 'G' },
  carbohydrate: { id: 1005, number: 205, unit: 'G' },
  carbohydrateBySummation: { id: 1050, number: 205.2, unit: 'G' },
  fat: { id: 1004, number: 204, unit: 'G' },
  fatNlea: { id: 1085, number: 298, unit: 'G' },
  saturated: { id: 1258, number: 606, unit: 'G' },
  monounsaturated: { id: 1292, number: 645, unit: 'G' },
  polyunsaturated: { id: 1293, number: 646, unit: 'G' },
} as const;
type Figure = keyof typeof FIGURES;
const NAMES = Object.keys(FIGURES) as Figure[];

/** The nutrients of a label, the more usual of two first. */
const LABELS = LABEL_NUTRIENTS.flatMap(({ name, usda }) => usda.map((each) => [...each, name] as const));

export type UsdaNutrient = NonNullable<ReturnType<typeof usdaNutrient>>;

/**
 * What is read of a nutrient: the figure that is made of it, and its kind beside the figures, which energy has not. Undefined if
 * nothing is read, or if it is in an unexpected unit, which is noted.
 */
export function usdaNutrient(
  id: number,
  number: number,
  name: string,
  unit: string | undefined,
  { notes }: SourceReport,
) {
  const written = unit?.trim() ?? '';
  const upper = written.normalize('NFKC').toUpperCase().replace('Μ', 'µ');
  const known =
    NAMES.find((each) => FIGURES[each].number === number) ?? NAMES.find((each) => FIGURES[each].id === id);
  const expected = known && FIGURES[known].unit;
  if (expected !== undefined && unit !== undefined && upper !== expected)
    return void notes.push(`nutrient ${id} is in ${upper} where ${expected} is expected: not used`);
  const rank = LABELS.findIndex((each) => each[0] === id || each[1] === number);
  const isAlone = (known === undefined || rank >= 0) && name !== '' && written !== '';
  const kind = isAlone
    ? { name, label: LABELS[rank]?.[2], rank, unit: unitNamed(written) ?? written }
    : undefined;
  return known === undefined && kind === undefined ? undefined : { figure: known, kind };
}

/** An id or a number of a nutrient, which programs also write as `208.0`; NaN for anything else. */
export const numberOf = (text: string): number => Number(canonicalDecimal(text) ?? Number.NaN);

/** The amounts of a food in billionths, in the order of the source, each nutrient once. */
export type UsdaAmounts = ReadonlyMap<UsdaNutrient, number>;

export function usdaFood(
  named: Named,
  code: string,
  amounts: UsdaAmounts,
  { report, options, nutrients }: FigureTarget & { readonly nutrients: Nutrients },
): FoodRecord | undefined {
  const codes = codesOf(options.nutrients === false ? [] : [code], report);
  const figures = new Map<Figure, number>();
  for (const [{ figure, kind }, amount] of amounts) {
    if (figure !== undefined) figures.set(figure, amount);
    if (kind !== undefined && options.nutrients !== false && Number.isFinite(amount))
      nutrients.add(kind, decimalOfBillionths(amount));
  }
  const get = (figure: Figure): number => figures.get(figure) ?? Number.NaN;
  return foodOf({ ...named, ...codes, ...nutrients.take() }, amountsOf(get, report), { report, options });
}

function amountsOf(get: (figure: Figure) => number, report: SourceReport): Amounts {
  const byDifference = get('carbohydrate');
  const bySummation = get('carbohydrateBySummation');
  const isSum = Number.isNaN(byDifference) && !Number.isNaN(bySummation);
  if (isSum) report.repaired.add('carbohydrate by summation, because that by difference is missing');
  const fat = get('fat');
  return {
    kcal: [
      ['1008', get('energy')],
      ['2048', get('energySpecific')],
      ['2047', get('energyGeneral')],
    ],
    kilojoules: get('kilojoules'),
    protein: get('protein'),
    carbohydrate: isSum ? bySummation : byDifference,
    fat: Number.isNaN(fat) ? get('fatNlea') : fat,
    saturated: get('saturated'),
    monounsaturated: get('monounsaturated'),
    polyunsaturated: get('polyunsaturated'),
  };
}
