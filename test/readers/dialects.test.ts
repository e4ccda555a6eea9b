/** Random tables, as random programs write them, are read back exactly. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FoodRecord } from '../../src/foods/food.ts';
import { readFoods } from '../../src/readers/read-foods.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/files.ts';

const folder = temporaryFolder();

/** Headings that programs write, by field. */
const HEADINGS = {
  description: 'description|Food|Name|food_name|Lebensmittel|Aliment|Product name',
  kcal: 'kcal|Calories|Calories (kcal)|energy_kcal|kcal_per_100g|Brennwert (kcal)|Énergie (kcal/100 g)',
  protein_g: 'protein_g|Protein|Protein (g)|proteinG|Eiweiß|protéines|PROTEINS_100G',
  carbohydrate_g: 'carbohydrate_g|Carbs|Total carbohydrate (g)|Kohlenhydrate|glucides|CARBS_G',
  fa_sat_g: 'fa_sat_g|Saturated fat|of which saturates (g)|davon gesättigte Fettsäuren|AG saturés',
  fa_mono_g: 'fa_mono_g|Monounsaturated fat (g)|mono_unsaturated_fat|einfach ungesättigte Fettsäuren',
  fa_poly_g: 'fa_poly_g|Polyunsaturated fat (g)|polyunsaturatedFat|AG polyinsaturés',
};
type Column = keyof typeof HEADINGS;
const COLUMNS = Object.keys(HEADINGS) as Column[];

/** How a program writes a table. */
const dialect = fc.record({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'utf8 with a mark', 'utf16le', 'utf16be'),
  comma: fc.boolean(),
  /** The separator of thousands; `mark` is the one that decimals do not have. */
  thousands: fc.constantFrom('', ' ', '\u202f', "'", 'mark'),
  unknown: fc.constantFrom('', 'NA', 'N/A', 'NaN', 'NULL', 'None', '-', ' '),
  quotesAll: fc.boolean(),
  above: fc.constantFrom('', '\n', '\n\n', 'sep='),
  order: fc.shuffledSubarray(COLUMNS, { minLength: COLUMNS.length }),
  headings: fc.record(
    Object.fromEntries(
      COLUMNS.map((column) => [column, fc.constantFrom(...HEADINGS[column].split('|'))]),
    ) as {
      [Each in Column]: fc.Arbitrary<string>;
    },
  ),
});
type Written = typeof dialect extends fc.Arbitrary<infer Value> ? Value : never;

/** Figures of foods, as canonical decimals. */
const figure = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 99_999 }), fc.stringMatching(/^[0-9]{0,4}$/))
    .map(([whole, fraction]) => {
      const decimals = fraction.replace(/0+$/, '');
      return decimals === '' ? String(whole) : `${whole}.${decimals}`;
    }),
  { freq: 5 },
);

const food: fc.Arbitrary<FoodRecord> = fc.record({
  description: fc.string({ unit: fc.constantFrom(...'aé🧀 ,;|\t"\'\n1.-='), minLength: 1, maxLength: 8 }),
  kcal: figure,
  protein_g: figure,
  carbohydrate_g: figure,
  fa_sat_g: figure,
  fa_mono_g: figure,
  fa_poly_g: figure,
});

function writeFigure(decimal: string, { comma, thousands, separator }: Written): string {
  const mark = comma && separator !== ',' ? ',' : '.';
  const [whole = '', fraction] = decimal.split('.');
  const between = thousands === 'mark' ? (mark === ',' ? '.' : ',') : thousands;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, between);
  return fraction === undefined ? grouped : `${grouped}${mark}${fraction}`;
}

function writeTable(foods: readonly FoodRecord[], written: Written): Buffer {
  const { separator, lineEnd, quotesAll, unknown, above, order, headings, encoding } = written;
  const quote = (cell: string): string =>
    quotesAll || cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const line = (cells: readonly string[]): string => cells.map(quote).join(separator);
  const rows = foods.map((each) =>
    order.map((column) => {
      const value = each[column];
      if (column === 'description') return value ?? '';
      return value === null ? unknown : writeFigure(value, written);
    }),
  );
  // A row that shows the decimal mark, without which 1.234 could have thousands.
  const half = writeFigure('0.5', written);
  const shows = order.map((column) => (column === 'description' ? 'shows the mark' : half));
  const first = above === 'sep=' ? `sep=${separator}\n` : above;
  const lines = [order.map((column) => headings[column]), shows, ...rows].map(line);
  const text = first.replaceAll('\n', lineEnd) + lines.map((each) => each + lineEnd).join('');
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf8 with a mark') return Buffer.from(`\ufeff${text}`);
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  return encoding === 'utf16le' ? little : little.swap16();
}

/** `54 237` may be two figures: as thousands, it would be more than any food has. */
const looksLikeTwo = (foods: readonly FoodRecord[], { thousands }: Written): boolean =>
  /\s/.test(thousands) &&
  foods.some((food) =>
    COLUMNS.some(
      (column) => column !== 'description' && Number(food[column]) >= (column === 'kcal' ? 10_000 : 1000),
    ),
  );

test('a random table in a random dialect is read back exactly', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(food, { maxLength: 12 }), dialect, async (foods, written) => {
      const file = await folder.write('table', writeTable(foods, written));
      const found = collect(readFoods(file, undefined, { forceFigures: true }));
      if (looksLikeTwo(foods, written))
        await expect(found).rejects.toThrow('Write one figure into each cell');
      else expect((await found).slice(1)).toEqual(foods);
    }),
    { numRuns: 400 },
  );
});
