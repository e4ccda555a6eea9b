/** Foods from JSON objects, whose names are the headings of a table, and from Parquet files. */
import { type FoodRecord, UserError } from '#core';
import { type JsonPlace, type JsonRow, type JsonValue, jsonRows, KEY } from '../rows/json-objects.ts';
import { basisOfTitle, parseHeading } from '../words/headings.ts';
import { isUnitHeading } from './amounts.ts';
import { candidateOf, countFields } from './candidates.ts';
import type { OwnText } from './csv-foods.ts';
import { FIRST_ROWS_OF_LONG } from './long-table.ts';
import { OwnFoods } from './own-foods.ts';

const FIRST_ROWS = 1000;

/** The heading of the keys of objects, unless a name within them names the food. */
export const KEY_HEADING = 'name';

const EXAMPLE = 'Expected: objects such as {"description": "Egg", "kcal": 143, "protein_g": 12.6, …}.';

export async function* readJson(
  { bytes, where, report, options }: OwnText,
  place: JsonPlace,
): AsyncGenerator<FoodRecord[]> {
  if (place.level === 0) report.kind = 'JSON lines';
  const foods = new OwnFoods({ where, report, options, commas: true });
  let known = new Set<string>();
  let names: readonly string[] = [];
  const take = (rows: readonly JsonRow[]): void => {
    if (names.length === 0) {
      known = new Set(namesIn(rows, where));
      const units = new Set(Array.from(known, (name) => measuredIn(name, (each) => known.has(each))?.unit));
      // A unit is read with its figure.
      names = [...known].filter((name) => !units.has(name));
      const texts = ({ values }: JsonRow) => names.map((name) => String(cellOf(values, name) ?? ''));
      foods.header({ headings: headingsOf(names, known), place: where }, () =>
        rows.slice(0, FIRST_ROWS_OF_LONG).map(texts),
      );
    }
    for (const { values, line, row } of rows) {
      const placeOf = () => `line ${line}, object ${row}`;
      for (const name of values.keys()) {
        // A name that occurs this late is ignored, unless it may be that of a figure.
        const field = known.has(name) ? undefined : candidateOf(headingOf(name), 0)?.field;
        if (field !== undefined && field !== 'names')
          foods.faults.add(
            `${placeOf()}: the name ${JSON.stringify(headingOf(name))} is in none of the first ${FIRST_ROWS} objects`,
            'Give the first object every name, with null where the value is not known.',
          );
        known.add(name);
      }
      const cell = (index: number) => cellOf(values, names[index] ?? KEY);
      foods.row({ width: names.length, cell, place: placeOf });
    }
  };
  let first: JsonRow[] = [];
  for await (const row of jsonRows(bytes, place, where)) {
    if (first.push(row) < FIRST_ROWS && names.length === 0) continue;
    take(first);
    first = [];
    if (foods.isBatch) yield foods.take();
  }
  if (names.length === 0 && first.length === 0) throw new UserError(`${where} has no object. ${EXAMPLE}`);
  take(first);
  yield foods.end();
}

function namesIn(rows: readonly JsonRow[], where: string): readonly string[] {
  const names = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))];
  const areLists = rows.every(({ object }) => Object.values(object).every(Array.isArray));
  if (areLists || names.every((name) => /\n\d+$/.test(name)))
    throw new UserError(
      `${where} is organized by columns, not as one object for each food. Write it row by row; pandas: to_json(orient="records").`,
    );
  return names;
}

function headingsOf(all: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const names = all.map((name) => measuredIn(name, (each) => known.has(each))?.object ?? name);
  const headings = names.map(headingOf);
  const isNamed = countFields(headings, {}) > 0;
  const depths = new Map<string, number>();
  const depthOf = (name = ''): number => name.split('\n').length;
  for (const [i, heading] of headings.entries())
    depths.set(heading, Math.min(depths.get(heading) ?? Number.POSITIVE_INFINITY, depthOf(names[i])));
  return headings.map((heading, i) => {
    if (names[i] === KEY && !isNamed) return KEY_HEADING;
    // One further out is plainer: `protein` beside `dailyValues`, `protein`.
    const isPlainest = depthOf(names[i]) === depths.get(heading);
    return isPlainest ? heading : (names[i]?.replaceAll('\n', ' ') ?? '');
  });
}

/** A value; with its unit if it is that of an object such as `{"value": 12600, "unit": "mg"}`. */
function cellOf(values: JsonRow['values'], name: string): JsonValue | undefined {
  const value = values.get(name);
  if (typeof value !== 'string' || value.trim() === '') return value;
  const measured = measuredIn(name, (each) => typeof values.get(each) === 'string');
  return measured === undefined ? value : `${value} ${values.get(measured.unit)}`;
}

const UNIT_NAMES = ['unit', 'units', 'unitName', 'uom'];

/** The object that a value is the figure of, and the name of its unit; undefined if it has none. */
function measuredIn(name: string, isThere: (name: string) => boolean) {
  const [, object = ''] = /^(.+)\n(?:value|amount|quantity|val)$/is.exec(name) ?? [];
  const unit = UNIT_NAMES.map((each) => `${object}\n${each}`).find(isThere);
  return object === '' || unit === undefined ? undefined : { object, unit };
}

/** The name of a nested value, or the end of it that is a heading: `nutrition`, `fat`, `total`. */
function headingOf(name: string): string {
  const names = name.split('\n');
  const ends = names.map((_, i) => names.slice(i).join(' '));
  const last = ends.at(-1) ?? '';
  const known = ends.findIndex((end) => candidateOf(end, 0) !== undefined);
  // The unit of a figure is not that of an amount: `protein`, `unit`.
  if (known < 0) return isUnitHeading(last) ? (ends[0] ?? '') : last;
  // What is left out may say what the figure is for: `nutrition_per_serving`, `protein`.
  const around = names.slice(0, known).join(' ');
  const basis = parseHeading(around).basis ?? basisOfTitle(around);
  return basis === undefined ? (ends[known] ?? '') : `${ends[known]} per ${basis}`;
}
