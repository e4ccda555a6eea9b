/** Random tables in random dialects, whatever their figures are for and however they say so, are read back exactly or refused. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FoodRecord, renderEntry } from '../../src/foods/food.ts';
import { type FIELDS, HEADINGS } from '../../src/readers/own/headings.ts';
import { readFoods } from '../../src/readers/read-foods.ts';
import { UserError } from '../../src/system/errors.ts';
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
});
type ValueOf<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function write(rows: readonly (readonly string[])[], written: ValueOf<typeof dialect>, above = '') {
  const { separator, lineEnd, encoding, quotesAll } = written;
  const quote = (cell: string): string =>
    quotesAll || cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = rows.map((cells) => cells.map(quote).join(separator) + lineEnd);
  const text = `${encoding === 'utf8' ? '' : '\ufeff'}${above.replaceAll('\n', lineEnd)}${lines.join('')}`;
  const bytes = Buffer.from(text, encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
  return folder.write('table', encoding === 'utf16be' ? bytes.swap16() : bytes);
}

/** Headings that programs write, by field. */
const WRITTEN = {
  description: 'description|Food|Name|food_name|Lebensmittel|Aliment|Product name',
  kcal: 'kcal|Calories|Calories (kcal)|energy_kcal|kcal_per_100g|Brennwert (kcal)|Énergie (kcal/100 g)',
  protein_g: 'protein_g|Protein|Protein (g)|proteinG|Eiweiß|protéines|PROTEINS_100G',
  carbohydrate_g: 'carbohydrate_g|Carbs|Total carbohydrate (g)|Kohlenhydrate|glucides|CARBS_G',
  fa_sat_g: 'fa_sat_g|Saturated fat|of which saturates (g)|davon gesättigte Fettsäuren|AG saturés',
  fa_mono_g: 'fa_mono_g|Monounsaturated fat (g)|mono_unsaturated_fat|einfach ungesättigte Fettsäuren',
  fa_poly_g: 'fa_poly_g|Polyunsaturated fat (g)|polyunsaturatedFat|AG polyinsaturés',
};
type Column = keyof typeof WRITTEN;
const COLUMNS = Object.keys(WRITTEN) as Column[];

const layout = fc.record({
  /** The separator of thousands; `mark` is the one that decimals do not have. */
  thousands: fc.constantFrom('', ' ', '\u202f', "'", 'mark'),
  unknown: fc.constantFrom('', 'NA', 'N/A', 'NaN', 'NULL', 'None', '-', ' '),
  above: fc.constantFrom('', '\n', '\n\n', 'sep='),
  order: fc.shuffledSubarray(COLUMNS, { minLength: COLUMNS.length }),
  headings: fc.tuple(...COLUMNS.map((column) => fc.constantFrom(...WRITTEN[column].split('|')))),
});

/** Figures of foods, as canonical decimals. */
const figure = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 99_999 }), fc.stringMatching(/^[0-9]{0,4}$/))
    .map(([whole, fraction]) => `${whole}.${fraction}`.replace(/\.?0*$/, '')),
  { freq: 5 },
);

const record: fc.Arbitrary<FoodRecord> = fc.record({
  description: fc.string({ unit: fc.constantFrom(...'aé🧀 ,;|\t"\'\n1.-='), minLength: 1, maxLength: 8 }),
  kcal: figure,
  protein_g: figure,
  carbohydrate_g: figure,
  fa_sat_g: figure,
  fa_mono_g: figure,
  fa_poly_g: figure,
});

test('a random table in a random dialect is read back exactly', async () => {
  const check = fc.asyncProperty(
    fc.array(record, { maxLength: 12 }),
    dialect,
    layout,
    async (foods, written, { thousands, unknown, above, order, headings }) => {
      const marks =
        written.comma && written.separator !== ',' ? ([',', '.'] as const) : (['.', ','] as const);
      const textOf = (decimal: string): string => {
        const [whole = '', fraction] = decimal.split('.');
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands === 'mark' ? marks[1] : thousands);
        return fraction === undefined ? grouped : `${grouped}${marks[0]}${fraction}`;
      };
      const cellOf = (food: Partial<FoodRecord>, column: Column): string => {
        const value = food[column] ?? null;
        if (column === 'description') return value ?? '';
        return value === null ? unknown : textOf(value);
      };
      // The first shows the decimal mark, without which 1.234 could have thousands.
      const half = Object.fromEntries(COLUMNS.map((column) => [column, '0.5']));
      const rows = [half, ...foods].map((food) => order.map((column) => cellOf(food, column)));
      const names = order.map((column) => headings[COLUMNS.indexOf(column)] ?? '');
      const first = above === 'sep=' ? `sep=${written.separator}\n` : above;
      const found = collect(
        readFoods(await write([names, ...rows], written, first), undefined, { forceFigures: true }),
      );
      // `54 237` may be two figures: as thousands, it would be more than any food has.
      const looksLikeTwo = ({ description, kcal, ...grams }: FoodRecord) =>
        Number(kcal) >= 10_000 || Object.values(grams).some((value) => Number(value) >= 1000);
      if (/\s/.test(thousands) && foods.some(looksLikeTwo))
        await expect(found).rejects.toThrow('Write one figure into each cell');
      else expect((await found).slice(1)).toEqual(foods);
    },
  );
  await fc.assert(check, { numRuns: 400 });
});

/** Tenths of a gram in 100 g; the serving in grams. */
const food = fc
  .record({
    protein: fc.nat(300),
    carbohydrate: fc.nat(300),
    acids: fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100)),
    serving: fc.integer({ min: 5, max: 400 }),
    name: fc.string({ unit: fc.constantFrom(...'aéß, ;|100g'), minLength: 1, maxLength: 8 }),
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

function rowsOf({
  foods,
  basis,
  isKilojoules,
  fat,
  names,
  amount,
  weight,
  extra,
  hasUnits,
}: ValueOf<typeof table>) {
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
  return [
    ...title,
    columns.map(([heading]) => heading),
    ...foods.map((each) => columns.map(([, cell]) => cell(each))),
  ];
}

test('a random table is read back exactly or refused', async () => {
  const outcomes = new Map<string, number>();
  const check = fc.asyncProperty(table, async (each) => {
    const rows = rowsOf(each).map((cells) =>
      cells.map((cell, column) =>
        each.dialect.comma && column > 0 && /^[\d.]+(?: g)?$/.test(cell) ? cell.replace('.', ',') : cell,
      ),
    );
    const found = await collect(readFoods(await write(rows, each.dialect))).catch((error: unknown) => {
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
