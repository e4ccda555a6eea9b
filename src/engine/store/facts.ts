/**
 * What an index has of foods beside their entries: portions, nutrients, other names. Each fact is a kind, such as ["Iron", "mg"], and
 * its amount. Foods of a source have much the same kinds, so they are kept apart from the amounts: 10 nutrients take about 25
 * bytes a food.
 */
import {
  composed,
  type FactName,
  type FoodRecord,
  isPartition,
  type Nutrient,
  type Portion,
  textOfUtf8,
  utf8,
} from '#core';
import { readAmount, writeText } from './amounts.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/** If no food has facts, all of them are empty. */
export interface FactSections {
  /** f + 1 positions: the row of food i is the bytes [starts[i], starts[i + 1]); empty if it has no facts. */
  readonly starts: Uint32Array;
  /** For each row where its shape is, and the amounts of its kinds (see `amounts.ts`). */
  readonly rows: Uint8Array;
  /** Lists of kinds, each as two varints: how far before it the list without its last kind is, 0 if that is empty; and this kind. */
  readonly shapes: Uint8Array;
  /** A JSON array. */
  readonly kinds: Uint8Array;
}

export const NO_FACTS: FactSections = {
  starts: new Uint32Array(0),
  rows: new Uint8Array(0),
  shapes: new Uint8Array(0),
  kinds: new Uint8Array(0),
};

/**
 * A portion, whose amount is in g; a nutrient and its unit; and three of which a food has at most one each: its other names as a JSON
 * array, the length of the name in its description (UTF-16 code units) if a brand follows it, and its popularity.
 */
export type FactKind =
  | readonly [portionOrNutrient: string, unit?: string]
  | 'names'
  | 'nameLength'
  | 'popularity';

const NO_NUTRIENTS: readonly Nutrient[] = [];
const NO_PORTIONS: readonly Portion[] = [];

const IS: Readonly<Record<FactName, (kind: FactKind) => boolean>> = {
  portions: (kind) => typeof kind !== 'string' && kind.length === 1,
  nutrients: (kind) => typeof kind !== 'string' && kind.length === 2,
  names: (kind) => kind === 'names',
};

/** The kinds of what is known of a food. Many foods have the same nutrients, but for their portions, which are last. */
export function* kindsOf(food: FoodRecord): Generator<FactKind> {
  const { names = [], name, popularity = 0, nutrients = [], portions = [] } = food;
  if (names.length > 0) yield 'names';
  if (name) yield 'nameLength';
  if (popularity > 0) yield 'popularity';
  for (const { nutrient, unit } of nutrients) yield [nutrient, unit];
  for (const { portion } of portions) yield [portion];
}

/** The facts by which foods are also ordered and found; empty or 0 where there is none. */
export interface OrderFacts {
  readonly names: string;
  readonly nameLength: number;
  readonly popularity: number;
}

export const orderFactsOf = ({ names = [], name = '', popularity = 0 }: FoodRecord): OrderFacts => ({
  names: names.length > 0 ? JSON.stringify(names) : '',
  nameLength: composed(name).length,
  popularity,
});

/** Adds the amounts of {@link kindsOf}, in their order. Returns how many. */
export function addAmounts(
  { nutrients = [], portions = [] }: FoodRecord,
  { names, nameLength, popularity }: OrderFacts,
  to: (string | null)[],
): number {
  const before = to.length;
  for (const fact of [names, nameLength, popularity]) if (fact) to.push(String(fact));
  for (const { amount } of nutrients) to.push(amount);
  for (const { grams } of portions) to.push(grams);
  return to.length - before;
}

/** Whether two foods have the same kinds. Asked for each food, so that it makes nothing. */
export function areAlike(one: FoodRecord, other: FoodRecord): boolean {
  const { nutrients = NO_NUTRIENTS, portions = NO_PORTIONS } = one;
  const { nutrients: others = NO_NUTRIENTS, portions: otherPortions = NO_PORTIONS } = other;
  if (nutrients.length !== others.length || portions.length !== otherPortions.length) return false;
  for (let i = 0; i < nutrients.length; i++)
    if (nutrients[i]!.nutrient !== others[i]!.nutrient || nutrients[i]!.unit !== others[i]!.unit)
      return false;
  for (let i = 0; i < portions.length; i++)
    if (portions[i]!.portion !== otherPortions[i]!.portion) return false;
  return (
    !one.name === !other.name &&
    (one.popularity ?? 0) > 0 === (other.popularity ?? 0) > 0 &&
    !one.names?.length === !other.names?.length
  );
}

export interface PortionCounts {
  readonly foods: number;
  readonly portions: number;
}

export function portionCounts(sections: FactSections): PortionCounts {
  const facts = new Facts(sections);
  const counts = { foods: 0, portions: 0 };
  for (let food = 0; food < sections.starts.length - 1; food++) {
    const count = facts.count('portions', food);
    counts.portions += count;
    if (count > 0) counts.foods++;
  }
  return counts;
}

/** Whether any food has some. */
export const hasFacts = (what: FactName, { kinds }: FactSections): boolean => kindsIn(kinds).some(IS[what]);

const kindsIn = (kinds: Uint8Array): readonly FactKind[] =>
  kinds.length === 0 ? [] : (JSON.parse(textOfUtf8(kinds)) as FactKind[]);

/** The facts of foods that have nothing but other names. @param names the JSON array of each food, empty if it has none */
export function factsOfNames(names: readonly Uint8Array[]): FactSections {
  const rows = new VarintWriter(names.reduce((sum, { length }) => sum + length, 8 * names.length));
  const starts = new Uint32Array(names.length + 1);
  for (const [food, own] of names.entries()) {
    if (own.length > 0) {
      rows.number(0);
      writeText(rows, own);
    }
    starts[food + 1] = rows.length;
  }
  return { starts, rows: rows.written, shapes: Uint8Array.of(0, 0), kinds: utf8('["names"]') };
}

/** Whether these sections are consistent with each other and with the number of foods. */
export function areConsistentFacts({ starts, rows, shapes, kinds }: FactSections, foods: number): boolean {
  const count = kindsIn(kinds).length;
  const isShape = new Uint8Array(shapes.length);
  const shape = new VarintReader(shapes);
  while (shape.at < shapes.length) {
    const { at } = shape;
    const distance = shape.number();
    if (distance > at || (distance > 0 && isShape[at - distance] === 0) || shape.number() >= count)
      return false;
    isShape[at] = 1;
  }
  const row = new VarintReader(rows);
  return (
    shape.at === shapes.length &&
    starts.length === foods + 1 &&
    isPartition(starts, rows.length) &&
    starts.every((start, food) => {
      row.at = start;
      return start === (starts[food + 1] ?? start) || isShape[row.number()] === 1;
    })
  );
}

/** Reads the facts of foods. */
export class Facts {
  readonly #sections: FactSections;
  /** Read at the first look-up, which few indexes get. */
  #kinds: readonly FactKind[] | undefined;

  constructor(sections: FactSections) {
    this.#sections = sections;
  }

  /** How many portions or nutrients a food has; of other names at most 1. */
  count(what: FactName, food: number): number {
    return this.#kindsOf(this.#rowOf(food)).filter(IS[what]).length;
  }

  /** Whether a food has some. All of an index have nutrients, or none, so that none gets those of another one of its name. */
  has(what: FactName, food: number): boolean {
    return what === 'nutrients' ? this.#allKinds.some(IS.nutrients) : this.count(what, food) > 0;
  }

  /** The JSON array of what a food has; of none, `[]`. */
  render(what: FactName, food: number): string {
    const facts = this.#of(food).filter(({ kind }) => IS[what](kind));
    if (what === 'names') return facts[0]?.amount ?? '[]';
    return JSON.stringify(
      facts.map(({ kind: [name, unit], amount }) =>
        unit === undefined ? { portion: name, grams: Number(amount) } : { nutrient: name, amount, unit },
      ),
    );
  }

  record(food: number, description: string): Partial<FoodRecord> {
    const [nutrients, portions]: [Nutrient[], Portion[]] = [[], []];
    let record: Partial<FoodRecord> = {};
    for (const { kind, amount } of this.#of(food)) {
      const [name, unit] = kind;
      if (kind === 'nameLength') record = { ...record, name: composed(description).slice(0, Number(amount)) };
      else if (kind === 'popularity') record = { ...record, popularity: Number(amount) };
      else if (kind === 'names') record = { ...record, names: JSON.parse(amount) as string[] };
      else if (unit === undefined) portions.push({ portion: name!, grams: String(Number(amount)) });
      else nutrients.push({ nutrient: name!, amount, unit });
    }
    return {
      ...record,
      ...(portions.length > 0 && { portions }),
      ...(nutrients.length > 0 && { nutrients }),
    };
  }

  #of(food: number): { readonly kind: FactKind; readonly amount: string }[] {
    const row = this.#rowOf(food);
    return this.#kindsOf(row).map((kind) => ({ kind, amount: readAmount(row!) }));
  }

  get #allKinds(): readonly FactKind[] {
    this.#kinds ??= kindsIn(this.#sections.kinds);
    return this.#kinds;
  }

  /** Where the row of a food begins; undefined if it has no facts. */
  #rowOf(food: number): VarintReader | undefined {
    const { starts, rows } = this.#sections;
    const start = starts[food] ?? 0;
    return start < (starts[food + 1] ?? 0) ? new VarintReader(rows, start) : undefined;
  }

  /** Reads the kinds of a row, behind which its amounts are. */
  #kindsOf(row: VarintReader | undefined): FactKind[] {
    if (row === undefined) return [];
    const shape = new VarintReader(this.#sections.shapes);
    const found: FactKind[] = [];
    for (let at = row.number(), distance = -1; distance !== 0; at -= distance) {
      shape.at = at;
      distance = shape.number();
      found.push(this.#allKinds[shape.number()]!);
    }
    return found.reverse();
  }
}
