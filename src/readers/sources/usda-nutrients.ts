/**
 * Maps numbers in `food_nutrient.csv` to nutrients, by the archive's own `nutrient.csv`: the survey download has
 * nutrient numbers (208) where the others have ids (1008).
 */
import { canonicalDecimal } from '../../foods/decimal.ts';
import type { Row } from '../tables/row-splitter.ts';
import { scanEntry, type UsdaSource } from './food-table.ts';

const NUTRIENTS = [
  { name: 'energy', id: 1008, number: 208, unit: 'KCAL' },
  { name: 'energySpecific', id: 2048, number: 958, unit: 'KCAL' },
  { name: 'energyGeneral', id: 2047, number: 957, unit: 'KCAL' },
  { name: 'kilojoules', id: 1062, number: 268, unit: 'KJ' },
  { name: 'protein', id: 1003, number: 203, unit: 'G' },
  { name: 'carbohydrate', id: 1005, number: 205, unit: 'G' },
  { name: 'carbohydrateBySummation', id: 1050, number: 205.2, unit: 'G' },
  { name: 'fat', id: 1004, number: 204, unit: 'G' },
  { name: 'fatNlea', id: 1085, number: 298, unit: 'G' },
  { name: 'saturated', id: 1258, number: 606, unit: 'G' },
  { name: 'monounsaturated', id: 1292, number: 645, unit: 'G' },
  { name: 'polyunsaturated', id: 1293, number: 646, unit: 'G' },
] as const;

/** The positions in {@link NUTRIENTS}. */
export const NUTRIENT = Object.fromEntries(NUTRIENTS.map(({ name }, position) => [name, position])) as Record<
  (typeof NUTRIENTS)[number]['name'],
  number
>;

/**
 * The position in {@link NUTRIENTS} of the nutrient in a cell, or -1.
 * @param numbersFirst whether foods of this kind usually have nutrient numbers in their rows
 */
type NutrientOf = (row: Row, cell: number, numbersFirst: boolean) => number;

/** Reads `nutrient.csv`; an old archive without it has the usual ids. */
export async function readNutrients(source: UsdaSource): Promise<NutrientOf> {
  const { notes } = source.report;
  const byId = new Map<number, number>();
  const byNumber = new Map<number, number>();
  // -1 for a nutrient that is not read, so that it is not mistaken for another.
  const add = (nutrient: number, id: number, number: number): void => {
    if (!byId.has(id)) byId.set(id, nutrient);
    if (!byNumber.has(number)) byNumber.set(number, nutrient);
  };
  if (!source.archive.has('nutrient.csv')) {
    for (const [nutrient, { id, number }] of NUTRIENTS.entries()) add(nutrient, id, number);
    notes.push('the archive has no nutrient.csv: the usual ids and numbers of nutrients were taken');
  } else
    await scanEntry(source, 'nutrient.csv', (header) => {
      const at = header.columns(['id'], ['unit_name', 'nutrient_nbr']);
      return (row, fault) => {
        if (fault !== undefined) return;
        const id = numberOf(row.text(at.id));
        const number = numberOf(row.text(at.nutrient_nbr));
        const unit = row.text(at.unit_name).trim().toUpperCase();
        const byNumber = NUTRIENTS.findIndex((wanted) => wanted.number === number);
        const nutrient = byNumber >= 0 ? byNumber : NUTRIENTS.findIndex((wanted) => wanted.id === id);
        const expected = NUTRIENTS[nutrient]?.unit;
        const isWrong = expected !== undefined && at.unit_name >= 0 && unit !== expected;
        add(isWrong ? -1 : nutrient, id, number);
        if (isWrong) notes.push(`nutrient ${id} is in ${unit} where ${expected} is expected: not used`);
      };
    });
  return (row, cell, numbersFirst) => {
    const whole = row.integer(cell);
    const key = whole < 0 ? numberOf(row.text(cell)) : whole;
    if (Number.isNaN(key)) return -1;
    const [first, second] = numbersFirst ? [byNumber, byId] : [byId, byNumber];
    return first.get(key) ?? second.get(key) ?? -1;
  };
}

/** An id or a number of a nutrient, which programs also write as `208.0`; NaN for anything else. */
const numberOf = (text: string): number => Number(canonicalDecimal(text.trim()) ?? Number.NaN);
