/**
 * The abbreviated table of the USDA National Nutrient Database: Latin-1, unless a program has saved it in UTF-8, and
 * a header whose names are malformed (`Copper_mg)`, `Choline_Tot_ (mg)`), so columns are found by what stands before
 * the unit. Nothing in it says of which release it is, but the number of its rows.
 */
import type { FoodRecord } from '../../food.ts';
import type { Bytes } from '../bytes/streams.ts';
import { ABBREVIATED_28 } from '../report/releases.ts';
import type { SourceReport } from '../report/report.ts';
import { Amounts, type FigureOptions, FigureRules } from '../rules/figures.ts';
import { cleanName, rawName } from '../rules/names.ts';
import { COMMAS, type Row } from '../tables/rows.ts';
import {
  type Advance,
  type Header,
  inBatches,
  isWhole,
  readTable,
  type TableReader,
} from '../tables/table.ts';

/**
 * The foods, some at a time; `&` and all else in a name stays as it is. At the end the report has the label of the
 * release, where that is known.
 * @throws UserError
 */
export async function* readAbbreviated(
  bytes: Bytes,
  where: string,
  report: SourceReport,
  options: FigureOptions,
  advance: Advance,
): AsyncGenerator<FoodRecord[]> {
  const foods: FoodRecord[] = [];
  const rules = new FigureRules(report, options);
  const amounts = new Amounts();
  let at: ReturnType<typeof columnsOf>;
  let encoding: Encoding | undefined;
  const reader: TableReader = {
    header: (header, row) => {
      at = columnsOf(header);
      encoding = encodingOf(row);
    },
    row: (row) => {
      report.rows++;
      encoding ??= encodingOf(row);
      const place = () => `line ${row.line}`;
      if (!isWhole(row, at.width, report, place)) return;
      const idPlace = () => `NDB_No ${row.text(at.id)}`;
      const raw =
        encoding === 'latin1' ? row.text(at.name, 'latin1') : rawName(row, at.name, report, idPlace);
      const name = cleanName(raw, report, idPlace);
      if (name === '') return report.dropped.add('no description', idPlace);
      const figure = (cell: number): number => figureOf(row, cell, report, idPlace);
      amounts.kcal = [['kcal', figure(at.kcal)]];
      amounts.protein = figure(at.protein);
      amounts.carbohydrate = figure(at.carbohydrate);
      amounts.totalFat = figure(at.fat);
      amounts.saturated = figure(at.saturated);
      amounts.monounsaturated = figure(at.monounsaturated);
      amounts.polyunsaturated = figure(at.polyunsaturated);
      const food = rules.food(name, amounts, idPlace);
      if (food !== undefined) foods.push(food);
    },
  };
  yield* inBatches(readTable(bytes, COMMAS, where, reader), foods, report, advance);
  rules.end();
  if (report.rows === ABBREVIATED_28.rows) report.label = ABBREVIATED_28.label;
}

type Encoding = 'utf8' | 'latin1';

/**
 * The encoding of the table, by its first row with a character beyond ASCII, which most often is the header
 * (`Selenium_(µg)`). One for all rows: the bytes of `É®` in Latin-1 are a letter in UTF-8.
 */
function encodingOf(row: Row): Encoding | undefined {
  const cells = Array.from({ length: row.count }, (_, cell) => cell);
  if (!cells.every((cell) => row.isUtf8(cell))) return 'latin1';
  return cells.some((cell) => /[^\p{ASCII}]/u.test(row.text(cell))) ? 'utf8' : undefined;
}

function figureOf(row: Row, cell: number, report: SourceReport, place: () => string): number {
  const figure = row.figure(cell);
  if (figure === undefined) report.leftEmpty.add('figure that is not a number', place);
  return figure ?? Number.NaN;
}

function columnsOf(header: Header) {
  const plain = header.renamed((name) => name.replace(/_ ?\(?[a-zµ\ufffd]+\)$|\s/gu, ''));
  return {
    id: plain.need('ndb_no'),
    name: plain.need('shrt_desc'),
    kcal: plain.need('energ_kcal'),
    protein: plain.need('protein'),
    carbohydrate: plain.need('carbohydrt'),
    fat: plain.find('lipid_tot'),
    saturated: plain.need('fa_sat'),
    monounsaturated: plain.need('fa_mono'),
    polyunsaturated: plain.need('fa_poly'),
    width: header.width,
  };
}
