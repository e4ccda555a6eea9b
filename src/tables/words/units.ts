/** The units of figures and of weights, and what they are of each other. */

export type Unit = 'kcal' | 'kJ' | 'g' | 'mg' | 'µg' | 'IU';

export interface Ratio {
  readonly times: bigint;
  readonly by: bigint;
}

/** How many of the smallest unit of the same quantity each has. */
const SIZES: Readonly<Record<Unit, bigint>> = {
  ...{ kcal: 4184n, kJ: 1000n },
  ...{ g: 1_000_000n, mg: 1000n, µg: 1n },
  IU: 1n,
};
const quantityOf = (unit: Unit): string =>
  unit === 'kcal' || unit === 'kJ' ? 'energy' : unit === 'IU' ? unit : 'mass';

export const conversion = (from: Unit, to: Unit): Ratio | undefined =>
  quantityOf(from) === quantityOf(to) ? { times: SIZES[from], by: SIZES[to] } : undefined;

const NAMED: ReadonlyMap<string, Unit> = new Map([
  ...(['kcal', 'g', 'mg'] as const).map((unit) => [unit, unit] as const),
  ['kj', 'kJ'],
  ['iu', 'IU'],
  // The Greek letter, to which the sign for micro is normalized.
  ['μg', 'µg'],
  ['ug', 'µg'],
]);

/** The unit that public data writes so: `UG`, `KCAL`. */
export const unitNamed = (text: string): Unit | undefined =>
  NAMED.get(text.trim().normalize('NFKC').toLowerCase());

/** The grams of a unit of weight, as floats; undefined for any other unit. */
export function gramsPer(unit: Unit): number | undefined {
  const ratio = conversion(unit, 'g');
  return ratio && Number(ratio.times) / Number(ratio.by);
}

/** Units of weight besides grams, as exact fractions of grams. A volume is stated for 100 ml as a weight is for 100 g. */
export const GRAMS_OF: Readonly<Record<string, readonly [times: bigint, by: bigint]>> = {
  ml: [1n, 1n],
  cl: [10n, 1n],
  dl: [100n, 1n],
  l: [1000n, 1n],
  'fl oz': [295_735_295_625n, 10_000_000_000n],
  kg: [1000n, 1n],
  oz: [28_349_523_125n, 1_000_000_000n],
  lb: [45_359_237n, 100_000n],
};
