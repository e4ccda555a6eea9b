/**
 * Foods from JSON objects, whose names are the headings of a table.
 */
import { UserError } from '../../errors.ts';
import type { FoodRecord } from '../../food.ts';
import { type JsonRow, type JsonValue, jsonRows, KEY } from '../tables/json-objects.ts';
import type { JsonPlace } from '../tables/json-outline.ts';
import { isUnitHeading } from './amounts.ts';
import { candidateOf, countFields } from './candidates.ts';
import type { OwnText } from './csv.ts';
import { OwnFoods } from './own-foods.ts';

/** The number of objects whose names together are the headings. */
const FIRST_ROWS = 1000;

/** The heading of the keys of objects, unless a name within them names the food. */
export const KEY_HEADING = 'name';

const EXAMPLE = 'Expected: objects such as {"description": "Egg", "kcal": 143, "protein_g": 12.6, …}.';

/**
 * The foods, in batches, including those without a description.
 * @param place of the objects in the text
 * @throws UserError that names the lines and the names in the objects
 */
export async function* readJson(
  { bytes, where, report, options }: OwnText,
  place: JsonPlace,
): AsyncGenerator<FoodRecord[]> {
  report.kind = place.level === 0 ? 'JSON lines' : 'JSON';
  const foods = new OwnFoods({ where, report, options, commas: true });
  const rows = new JsonRows(foods, where);
  let first: JsonRow[] = [];
  for await (const row of jsonRows(bytes, place, where)) {
    if (first.push(row) < FIRST_ROWS && !rows.hasHeader) continue;
    rows.take(first);
    first = [];
    if (foods.isBatch) yield foods.take();
  }
  if (!rows.hasHeader && first.length === 0) throw new UserError(`${where} has no object. ${EXAMPLE}`);
  rows.take(first);
  yield foods.end();
}

/** Makes foods from objects. */
class JsonRows {
  readonly #foods: OwnFoods;
  readonly #where: string;
  #names: readonly string[] = [];
  readonly #known = new Set<string>();

  constructor(foods: OwnFoods, where: string) {
    this.#foods = foods;
    this.#where = where;
  }

  get hasHeader(): boolean {
    return this.#names.length > 0;
  }

  #header(rows: readonly JsonRow[]): void {
    for (const { values } of rows) for (const name of values.keys()) this.#known.add(name);
    this.#names = [...this.#known];
    if (areColumns(this.#names))
      throw new UserError(
        `${this.#where} is organized by columns, not as one object for each food. Write it row by row; pandas: to_json(orient="records").`,
      );
    const headings = this.#names.map(headingOf);
    const isNamed = countFields(headings, {}) > 0;
    this.#foods.header(
      headings.map((heading, i) => (this.#names[i] === KEY && !isNamed ? KEY_HEADING : heading)),
    );
  }

  /** The first rows together have the header. */
  take(rows: readonly JsonRow[]): void {
    if (!this.hasHeader) this.#header(rows);
    for (const row of rows) this.#food(row);
  }

  #food({ values, line, row }: JsonRow): void {
    const place = (): string => `line ${line}, object ${row}`;
    for (const name of values.keys()) if (!this.#known.has(name)) this.#checkNew(name, place);
    this.#foods.row(
      { width: this.#names.length, cell: (index) => cellOf(values, this.#names[index] ?? KEY) },
      place,
    );
  }

  /** A name that occurs this late is ignored, unless it may be that of a figure. */
  #checkNew(name: string, place: () => string): void {
    this.#known.add(name);
    if (candidateOf(headingOf(name), 0) === undefined) return;
    this.#foods.fault(
      `${place()}: the name ${JSON.stringify(headingOf(name))} is in none of the first ${FIRST_ROWS} objects`,
      'Give the first object every name, with null where the value is not known.',
    );
  }
}

/** A value; with its unit if it is that of an object such as `{"value": 12600, "unit": "mg"}`. */
function cellOf(values: JsonRow['values'], name: string): JsonValue | undefined {
  const value = values.get(name);
  const [, object = ''] = /^(.*\n)(?:value|amount|quantity|val)$/is.exec(name) ?? [];
  if (object === '' || typeof value !== 'string') return value;
  const unit = UNIT_NAMES.map((each) => values.get(object + each)).find((each) => typeof each === 'string');
  return unit === undefined || value.trim() === '' ? value : `${value} ${unit}`;
}

const UNIT_NAMES = ['unit', 'units', 'unitName', 'uom'];

/** The name of a nested value, or the end of it that is a heading: `nutrition`, `fat`, `total`. */
function headingOf(name: string): string {
  const names = name.split('\n');
  const ends = names.map((_, i) => names.slice(i).join(' '));
  const last = ends.at(-1) ?? '';
  // The unit of a figure is not that of an amount: `protein`, `unit`.
  return (
    ends.find((end) => candidateOf(end, 0) !== undefined) ?? (isUnitHeading(last) ? (ends[0] ?? '') : last)
  );
}

/** Whether the names are those of columns, each with its values by number: a table in one object. */
const areColumns = (names: readonly string[]): boolean => names.every((name) => /\n\d+$/.test(name));
