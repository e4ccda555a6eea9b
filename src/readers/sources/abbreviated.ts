/**
 * The abbreviated table of the USDA National Nutrient Database: Latin-1, unless a program has saved it as UTF-8. The
 * names in its header are malformed (`Copper_mg)`, `Choline_Tot_ (mg)`), so columns are found by the part before the
 * unit. Only the number of its rows shows which release it is.
 */
import type { FoodRecord } from '../../food.ts';
import { ABBREVIATED_28 } from '../report/labels.ts';
import { NO_DESCRIPTION, type SourceReport } from '../report/source-report.ts';
import { Amounts, FigureRules } from '../rules/figures.ts';
import { cleanName, rawName } from '../rules/names.ts';
import { Portions } from '../rules/portions.ts';
import type { Row } from '../tables/row.ts';
import { COMMAS } from '../tables/row-splitter.ts';
import { type Input, readFoods } from './food-table.ts';

const COLUMNS = 'ndb_no shrt_desc energ_kcal protein carbohydrt fa_sat fa_mono fa_poly'.split(' ');

/** A name in lower case without its unit. */
const plain = (name: string): string => name.replace(/_ ?\(?[a-zµ\ufffd]+\)$|\s/gu, '');

/** Whether a first line is the header of the table. A part of the table is read as a user's own. */
export function isAbbreviated(line: string): boolean {
  const names = line.split(',').map((cell) => plain(cell.trim().replace(/^"|"$/g, '').toLowerCase()));
  return names[0] === COLUMNS[0] && COLUMNS.every((column) => names.includes(column));
}

/**
 * The foods, in batches; `&` and everything else in a name stays as it is. At the end the report has the label of the
 * release, if that is known.
 * @throws UserError
 */
export async function* readAbbreviated(input: Input): AsyncGenerator<FoodRecord[]> {
  const { report, options } = input;
  const rules = new FigureRules(report, options);
  const amounts = new Amounts();
  const portions = new Portions(report);
  yield* readFoods(input, COMMAS, (header, first) => {
    const named = header.renamed(plain);
    const at = {
      id: named.need('ndb_no'),
      name: named.need('shrt_desc'),
      kcal: named.need('energ_kcal'),
      protein: named.need('protein'),
      carbohydrate: named.need('carbohydrt'),
      fat: named.find('lipid_tot'),
      saturated: named.need('fa_sat'),
      monounsaturated: named.need('fa_mono'),
      polyunsaturated: named.need('fa_poly'),
      portions: [1, 2].map((n) => ({ text: named.find(`gmwt_desc${n}`), weight: named.find(`gmwt_${n}`) })),
    };
    let encoding = encodingOf(first);
    return {
      place: (row) => `line ${row.line}`,
      food: (row) => {
        encoding ??= encodingOf(row);
        const place = () => `NDB_No ${row.text(at.id)}`;
        const raw =
          encoding === 'latin1' ? row.text(at.name, 'latin1') : rawName(row, at.name, report, place);
        const name = cleanName(raw, report, place);
        if (name === '') return void report.dropped.add(NO_DESCRIPTION, place);
        const figure = (cell: number): number => figureOf(row, cell, report, place);
        amounts.kcal = [['kcal', figure(at.kcal)]];
        amounts.protein = figure(at.protein);
        amounts.carbohydrate = figure(at.carbohydrate);
        amounts.totalFat = figure(at.fat);
        amounts.saturated = figure(at.saturated);
        amounts.monounsaturated = figure(at.monounsaturated);
        amounts.polyunsaturated = figure(at.polyunsaturated);
        for (const { text, weight } of at.portions)
          portions.add(row.text(text, encoding), row.figure(weight), place);
        return rules.food({ description: name, ...portions.take() }, amounts, place);
      },
    };
  });
  if (report.rows === ABBREVIATED_28.rows) report.label = ABBREVIATED_28.label;
}

/**
 * The encoding of the table, from its first row with a character beyond ASCII, usually the header (`Selenium_(µg)`).
 * It applies to all rows: the bytes of `É®` in Latin-1 are a letter in UTF-8.
 */
function encodingOf(row: Row): 'utf8' | 'latin1' | undefined {
  const cells = Array.from({ length: row.count }, (_, cell) => cell);
  if (!cells.every((cell) => row.isUtf8(cell))) return 'latin1';
  return cells.some((cell) => /[^\p{ASCII}]/u.test(row.text(cell))) ? 'utf8' : undefined;
}

function figureOf(row: Row, cell: number, report: SourceReport, place: () => string): number {
  const figure = row.figure(cell);
  if (figure === undefined) report.leftEmpty.add('figure that is not a number', place);
  return figure ?? Number.NaN;
}
