/**
 * The abbreviated table of the USDA National Nutrient Database, release 28: Latin-1, and a header whose names
 * are malformed (`Copper_mg)`, `Choline_Tot_ (mg)`), so columns are found by what stands before the unit.
 */
import type { FoodRecord } from '../food.ts';
import { Amounts, type FigureOptions, FigureRules } from './figures.ts';
import { cleanName } from './names.ts';
import type { SourceReport } from './report.ts';
import { COMMAS, type Row } from './rows.ts';
import type { Bytes } from './streams.ts';
import { type Advance, type Header, inBatches, isWhole, readTable, type TableReader } from './table.ts';

/** The foods, some at a time; `&` and all else in a name stays as it is. @throws UserError */
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
  const reader: TableReader = {
    header: (header) => {
      at = columnsOf(header);
    },
    row: (row) => {
      report.rows++;
      const place = () => `line ${row.line}`;
      if (!isWhole(row, at.width, report, place)) return;
      const idPlace = () => `NDB_No ${row.text(at.id)}`;
      const name = cleanName(row.text(at.name, 'latin1'), report, idPlace);
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
