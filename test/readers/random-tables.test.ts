/** Random tables in random dialects, whatever their figures are for and however they say so, are read back exactly or refused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderEntry, UserError } from '#core';
import { readFoods } from '#tables';
import { type FIELDS, HEADINGS } from '../../src/tables/words/headings.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();

/** How a program writes a table. */
const dialect = fc.record({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8 with a mark', 'utf16le', 'utf16be'),
  comma: fc.boolean(),
  quotesAll: fc.boolean(),
  above: fc.constantFrom('', '\n', '\n\n', 'sep='),
});
type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function write(rows: readonly (readonly string[])[], written: ValueOf<typeof dialect>) {
  const { separator, lineEnd, encoding, quotesAll } = written;
  const above = written.above === 'sep=' ? `sep=${separator}\n` : written.above;
  const quote = (cell: string): string =>
    quotesAll || cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = rows.map((cells) => cells.map(quote).join(separator) + lineEnd);
  const text = `${encoding === 'utf8' ? '' : '\ufeff'}${above.replaceAll('\n', lineEnd)}${lines.join('')}`;
  const bytes = Buffer.from(text, encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
  return folder.write('table', encoding === 'utf16be' ? bytes.swap16() : bytes);
}

/** Tenths of a gram in 100 g; the serving in grams. */
const food = fc
  .record({
    protein: fc.nat(300),
    carbohydrate: fc.nat(300),
    acids: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
    serving: fc.integer({ min: 5, max: 400 }),
    name: fc.string({ unit: fc.constantFrom(...'aéß🧀, ;|\t"\'\n100g-='), minLength: 1, maxLength: 8 }),
  })
  .filter(({ name }) => /[aéß]/.test(name) && name === name.trim());
type Food = ValueOf<typeof food>;

const totalOf = ({ acids }: Food): number => acids.reduce((sum, part) => sum + part);
const kcalOf = (each: Food): number =>
  Math.round((4 * each.protein + 4 * each.carbohydrate + 9 * totalOf(each)) / 10);

const namesOf = (field: (typeof FIELDS)[number], unit?: string): readonly string[] =>
  HEADINGS.filter((each) => each.field === field && each.unit === unit).flatMap(({ names }) => names);
const oneOf = (field: (typeof FIELDS)[number]) => fc.constantFrom(...namesOf(field));
const wordOf = (words: string) => fc.constantFrom(...words.split('|'));

const BASES = ['silent', 'per 100 g', 'per row', 'per row, stated', 'per title', 'unknown'] as const;
const table = fc.record({
  foods: fc.array(food, { minLength: 1, maxLength: 9 }),
  basis: fc.constantFrom(...BASES),
  isKilojoules: fc.boolean(),
  fat: fc.constantFrom('total', 'acids', 'both'),
  names: fc.record({
    description: oneOf('description'),
    kcal: fc.constantFrom(...namesOf('kcal', 'kcal'), ...namesOf('kcal')),
    kJ: fc.constantFrom(...namesOf('kcal', 'kJ'), ...namesOf('kcal').map((name) => `${name} (kJ)`)),
    protein: oneOf('protein_g'),
    carbohydrate: oneOf('carbohydrate_g'),
    total: oneOf('fat_g'),
    acids: fc.tuple(oneOf('fa_sat_g'), oneOf('fa_mono_g'), oneOf('fa_poly_g')),
  }),
  amount: wordOf('Serving size|Portion|Menge|Quantité|Amount|serving_weight|Porción|份量'),
  weight: fc.constantFrom('in heading', 'in words', 'with unit'),
  extra: wordOf('id|Category|Salt (g)|Sugars (g)|Refuse %|Calories from fat|Net weight (g)'),
  hasUnits: fc.boolean(),
  dialect,
});

/** `units / 10^digits` without an error. */
function decimal(units: bigint, digits: number): string {
  const text = String(units).padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`.replace(/\.?0+$/, '');
}

function rowsOf(given: ValueOf<typeof table>) {
  const { foods, basis, isKilojoules, fat, names, amount, weight, extra, hasUnits } = given;
  const serving = basis === 'per title' ? (foods[0]?.serving ?? 1) : undefined;
  const isPer100 = basis === 'silent' || basis === 'per 100 g';
  const said = basis === 'per 100 g' ? ' per 100 g' : basis === 'per row, stated' ? ' per serving' : '';
  const gramsOf = (each: Food) => BigInt(isPer100 ? 100 : (serving ?? each.serving));
  const figure = (each: Food, tenths: number): string =>
    decimal(BigInt(tenths) * gramsOf(each), 3) + (hasUnits ? ' g' : '');
  const energy = (each: Food): string => {
    const kcal = BigInt(kcalOf(each)) * gramsOf(each);
    return isKilojoules ? decimal(kcal * 4184n, 5) : decimal(kcal, 2);
  };
  const amountOf = (each: Food): string => {
    if (basis === 'unknown') return '1 cup';
    if (weight === 'in heading') return `${gramsOf(each)}`;
    return weight === 'in words' ? `1 slice (${gramsOf(each)} g)` : `${gramsOf(each)}g`;
  };
  const columns: [heading: string, cell: (each: Food) => string][] = [
    [names.description, (each) => each.name],
    [(isKilojoules ? names.kJ : names.kcal) + said, energy],
    [names.protein + said, (each) => figure(each, each.protein)],
    [names.carbohydrate + said, (each) => figure(each, each.carbohydrate)],
  ];
  if (fat !== 'acids') columns.push([names.total + said, (each) => figure(each, totalOf(each))]);
  if (fat !== 'total')
    for (const [i, name] of names.acids.entries())
      columns.push([
        name + said,
        (each) => (fat === 'both' && i > 0 ? '' : figure(each, each.acids[i] ?? 0)),
      ]);
  if (!isPer100 && serving === undefined)
    columns.push([basis !== 'unknown' && weight === 'in heading' ? `${amount} (g)` : amount, amountOf]);
  columns.push([extra, () => '7']);
  const title = serving === undefined ? [] : [[`Values per ${serving} g serving`]];
  const rows = foods.map((each) => columns.map(([, cell]) => cell(each)));
  return [...title, columns.map(([heading]) => heading), ...rows];
}

test('a random table is read back exactly or refused', async () => {
  const outcomes = new Map<string, number>();
  const check = fc.asyncProperty(table, async (each) => {
    const rows = rowsOf(each).map((cells) =>
      cells.map((cell, column) =>
        each.dialect.comma && column > 0 && /^[\d.]+(?: g)?$/.test(cell) ? cell.replace('.', ',') : cell,
      ),
    );
    const found = await collect(
      readFoods(await write(rows, each.dialect), undefined, { nutrients: false }),
    ).catch((error: unknown) => {
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
  });
  await fc.assert(check, { numRuns: 500 });
  for (const basis of BASES.slice(0, -1)) {
    const [ok = 0, no = 0] = ['read', 'refused'].map((what) => outcomes.get(`${basis}: ${what}`));
    expect([basis, ok > 2 * no]).toEqual([basis, true]);
  }
});
