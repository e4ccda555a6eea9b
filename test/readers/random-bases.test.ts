/** A random table, whatever its figures are for and however it says so, is read back exactly or refused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderEntry } from '../../src/foods/food.ts';
import { type FIELDS, HEADINGS } from '../../src/readers/own/headings.ts';
import { readFoods } from '../../src/readers/read-foods.ts';
import { UserError } from '../../src/system/errors.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();

/** Tenths of a gram in 100 g. */
interface Food {
  readonly name: string;
  readonly protein: number;
  readonly carbohydrate: number;
  readonly acids: readonly [number, number, number];
  /** g */
  readonly serving: number;
}

const food: fc.Arbitrary<Food> = fc
  .record({
    protein: fc.nat(300),
    carbohydrate: fc.nat(300),
    acids: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
    serving: fc.integer({ min: 5, max: 400 }),
    name: fc.string({ unit: fc.constantFrom(...'aéß, ;|100g'), minLength: 1, maxLength: 8 }),
  })
  .filter(({ name }) => /[aéß]/.test(name) && name === name.trim());

const totalOf = ({ acids }: Food): number => acids.reduce((sum, part) => sum + part);
const kcalOf = (each: Food): number =>
  Math.round((4 * each.protein + 4 * each.carbohydrate + 9 * totalOf(each)) / 10);

const namesOf = (field: (typeof FIELDS)[number], unit?: string): readonly string[] =>
  HEADINGS.filter((each) => each.field === field && each.unit === unit).flatMap(({ names }) => names);

const AMOUNTS = 'Serving size|Portion|Menge|Quantité|Amount|serving_weight|Porción|份量'.split('|');
const table = fc.record({
  foods: fc.array(food, { minLength: 1, maxLength: 9 }),
  basis: fc.constantFrom('silent', 'per 100 g', 'per row', 'per row, stated', 'per title', 'unknown'),
  isKilojoules: fc.boolean(),
  fat: fc.constantFrom('total', 'acids', 'both'),
  names: fc.record({
    description: fc.constantFrom(...namesOf('description')),
    kcal: fc.constantFrom(...namesOf('kcal', 'kcal'), ...namesOf('kcal')),
    kJ: fc.constantFrom(...namesOf('kcal', 'kJ'), ...namesOf('kcal').map((name) => `${name} (kJ)`)),
    protein: fc.constantFrom(...namesOf('protein_g')),
    carbohydrate: fc.constantFrom(...namesOf('carbohydrate_g')),
    total: fc.constantFrom(...namesOf('fat_g')),
    acids: fc.tuple(
      fc.constantFrom(...namesOf('fa_sat_g')),
      fc.constantFrom(...namesOf('fa_mono_g')),
      fc.constantFrom(...namesOf('fa_poly_g')),
    ),
  }),
  amount: fc.record({ heading: fc.constantFrom(...AMOUNTS), inHeading: fc.boolean(), words: fc.boolean() }),
  extra: fc.constantFrom(
    ...'id|Category|Salt (g)|Sugars (g)|Refuse %|Calories from fat|Net weight (g)'.split('|'),
  ),
  dialect: fc.record({
    separator: fc.constantFrom(',', ';', '\t', '|'),
    comma: fc.boolean(),
    units: fc.boolean(),
    encoding: fc.constantFrom('UTF-8', 'UTF-8 with a mark', 'UTF-16'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  }),
});
type Table = typeof table extends fc.Arbitrary<infer Value> ? Value : never;

/** `units / 10^digits` without an error. */
function decimal(units: bigint, digits: number): string {
  const text = String(units).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

function written({ foods, basis, isKilojoules, fat, names, amount, extra, dialect }: Table): string {
  const serving = basis === 'per title' ? (foods[0]?.serving ?? 1) : undefined;
  const isPer100 = basis === 'silent' || basis === 'per 100 g';
  const said = basis === 'per 100 g' ? ' per 100 g' : basis === 'per row, stated' ? ' per serving' : '';
  const unit = amount.inHeading ? ' (g)' : '';
  const headings = [
    names.description,
    ...[isKilojoules ? names.kJ : names.kcal, names.protein, names.carbohydrate].map((name) => name + said),
    ...(fat === 'acids' ? [] : [names.total + said]),
    ...(fat === 'total' ? [] : names.acids.map((name) => name + said)),
    ...(isPer100 || basis === 'per title'
      ? []
      : [basis === 'unknown' ? amount.heading : amount.heading + unit]),
    extra,
  ];
  const rows = foods.map((each) => {
    const grams = BigInt(isPer100 ? 100 : (serving ?? each.serving));
    const figure = (tenths: number): string =>
      decimal(BigInt(tenths) * grams, 3) + (dialect.units ? ' g' : '');
    const kcal = BigInt(kcalOf(each)) * grams;
    const weight = amount.inHeading ? `${grams}` : amount.words ? `1 slice (${grams} g)` : `${grams}g`;
    return [
      each.name,
      isKilojoules ? decimal(kcal * 4184n, 5) : decimal(kcal, 2),
      figure(each.protein),
      figure(each.carbohydrate),
      ...(fat === 'acids' ? [] : [figure(totalOf(each))]),
      ...(fat === 'total' ? [] : fat === 'both' ? [figure(each.acids[0]), '', ''] : each.acids.map(figure)),
      ...(isPer100 || basis === 'per title' ? [] : [basis === 'unknown' ? '1 cup' : weight]),
      '7',
    ];
  });
  const { separator, comma, lineEnd } = dialect;
  const shown = (cell: string, column: number): string =>
    comma && column > 0 && /^[\d.]+(?: g)?$/.test(cell) ? cell.replace('.', ',') : cell;
  const quoted = (cell: string): string =>
    cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const line = (cells: readonly string[]): string => cells.map(shown).map(quoted).join(separator);
  const title = basis === 'per title' ? [`Values per ${serving} g serving`] : [];
  return [...title, line(headings), ...rows.map(line)].map((each) => each + lineEnd).join('');
}

function encoded(each: Table): Buffer {
  const text = written(each);
  if (each.dialect.encoding === 'UTF-8') return Buffer.from(text);
  return Buffer.from(`\ufeff${text}`, each.dialect.encoding === 'UTF-16' ? 'utf16le' : 'utf8');
}

test('a random table is read back exactly or refused', async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(table, async (each) => {
      const file = await folder.write('table', encoded(each));
      const found = await collect(readFoods(file)).catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error;
        return error.message;
      });
      const outcome = `${each.basis}: ${typeof found === 'string' ? 'refused' : 'read'}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (typeof found === 'string') return;
      expect(each.basis).not.toBe('unknown');
      expect(found.map((one) => JSON.parse(renderEntry(one)))).toEqual(
        each.foods.map((one) => ({
          description: one.name,
          kcal: kcalOf(one),
          protein_g: one.protein / 10,
          carbohydrate_g: one.carbohydrate / 10,
          fat_g: (totalOf(one) / 10).toFixed(2),
        })),
      );
    }),
    { numRuns: 500 },
  );
  for (const basis of ['silent', 'per 100 g', 'per row', 'per row, stated', 'per title']) {
    const [ok = 0, no = 0] = ['read', 'refused'].map((what) => outcomes.get(`${basis}: ${what}`));
    expect([basis, ok > 2 * no]).toEqual([basis, true]);
  }
});
