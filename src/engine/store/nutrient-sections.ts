/**
 * The nutrients of foods as bytes: four for each food, two or three for most amounts, and about two for which nutrients they are,
 * since many foods of a source have the same. 10 nutrients take about 25 bytes a food.
 */
import { type FoodRecord, growingNumbers, KeyTable, NONE, type Nutrient, textOfUtf8, utf8 } from '#core';
import { isPartition } from './portion-sections.ts';
import { putVarint, VarintReader, VarintWriter, varintLength } from './varints.ts';

/** If no food has nutrients, all of them are empty. */
export interface NutrientSections {
  /** f + 1 positions: the row of food i is the bytes [starts[i], starts[i + 1]); empty if it has no nutrients. */
  readonly starts: Uint32Array;
  /** For each row where its shape is, and the amounts as varints (see `writeAmount`). */
  readonly rows: Uint8Array;
  /** For each distinct list of nutrients their count and their kinds, as varints. */
  readonly shapes: Uint8Array;
  /** The kinds: JSON of pairs of a name and a unit. */
  readonly kinds: Uint8Array;
}

export const NO_NUTRIENTS: NutrientSections = {
  starts: new Uint32Array(0),
  rows: new Uint8Array(0),
  shapes: new Uint8Array(0),
  kinds: new Uint8Array(0),
};

type Kind = readonly [nutrient: string, unit: string];

/** The shape of a food without nutrients. */
const NO_KINDS = 0;

/** Numbers values from 0 on, in the order of their first occurrence. */
class Numbering {
  readonly numbers = new Map<string, number>();

  of(value: string): number {
    const number = this.numbers.get(value) ?? this.numbers.size;
    this.numbers.set(value, number);
    return number;
  }
}

export class NutrientsBuilder {
  /** JSON of the kinds, which are numbered again in the order of the foods. */
  readonly #kinds = new Numbering();
  /** The numbers of kinds by unit and nutrient: their JSON would be made for each amount. */
  readonly #numbers = new Map<string, Map<string, number>>();
  /** Of each shape but the empty one, by its number less 1, the shape without its last kind, and this. */
  readonly #shapes = new KeyTable();
  readonly #shorter: number[] = [];
  readonly #lastKinds: number[] = [];
  /** The nutrients of the food before, and its shape: those of most foods are the same, and even the same strings. */
  #before: readonly Nutrient[] = [];
  #shape = NO_KINDS;
  /** Where each shape is in the sections. */
  #places = new Int32Array(0);
  #shapeOf = growingNumbers();
  #starts = growingNumbers();
  #amounts = new VarintWriter();

  add({ nutrients = [] }: FoodRecord): void {
    this.#starts.push(this.#amounts.length);
    if (!areAlike(nutrients, this.#before)) this.#shape = this.#shapeFor(nutrients);
    for (const { amount } of nutrients) writeAmount(this.#amounts, amount);
    this.#shapeOf.push(this.#shape);
    this.#before = nutrients;
  }

  #shapeFor(nutrients: readonly Nutrient[]): number {
    let shape = NO_KINDS;
    for (const { nutrient, unit } of nutrients)
      shape = this.#shapeWith(shape, this.#numberOf(nutrient, unit));
    return shape;
  }

  #shapeWith(shape: number, kind: number): number {
    const number = this.#shapes.numberOf(shape, kind);
    if (number === this.#shorter.length) {
      this.#shorter.push(shape);
      this.#lastKinds.push(kind);
    }
    return number + 1;
  }

  #kindsOf(shape: number): number[] {
    const kinds: number[] = [];
    for (let each = shape; each !== NO_KINDS; each = this.#shorter[each - 1]!)
      kinds.unshift(this.#lastKinds[each - 1]!);
    return kinds;
  }

  #numberOf(nutrient: string, unit: string): number {
    const ofUnit = this.#numbers.get(unit) ?? new Map<string, number>();
    this.#numbers.set(unit, ofUnit);
    const number = ofUnit.get(nutrient) ?? this.#kinds.of(JSON.stringify([nutrient, unit]));
    ofUnit.set(nutrient, number);
    return number;
  }

  /** The nutrients of the foods in this order, without the rows, which {@link fill} fills in. */
  finish(order: Uint32Array): NutrientSections {
    const [amounts, from, shapeOf] = [this.#amounts.written, this.#starts.all, this.#shapeOf.all];
    if (amounts.length === 0) return NO_NUTRIENTS;
    const kindTexts = [...this.#kinds.numbers.keys()];
    const starts = new Uint32Array(order.length + 1);
    const [shapes, kinds] = [new VarintWriter(), new Numbering()];
    const places = new Int32Array(this.#shorter.length + 1).fill(NONE);
    for (const [i, food] of order.entries()) {
      const shape = shapeOf[food]!;
      let length = (from[food + 1] ?? amounts.length) - from[food]!;
      if (length > 0) {
        if (places[shape] === NONE) {
          places[shape] = shapes.length;
          const members = this.#kindsOf(shape).map((kind) => kinds.of(kindTexts[kind]!));
          for (const number of [members.length, ...members]) shapes.number(number);
        }
        length += varintLength(places[shape]!);
      }
      starts[i + 1] = starts[i]! + length;
    }
    this.#places = places;
    return {
      starts,
      rows: new Uint8Array(starts.at(-1)!),
      shapes: shapes.written.slice(),
      kinds: utf8(`[${[...kinds.numbers.keys()].join()}]`),
    };
  }

  /** Empties the builder. */
  fill(order: Uint32Array, { starts, rows }: NutrientSections): void {
    const [amounts, from, shapeOf] = [this.#amounts.written, this.#starts.all, this.#shapeOf.all];
    for (let i = 0; i < starts.length - 1; i++) {
      const food = order[i]!;
      const end = starts[i + 1]!;
      let at = starts[i]!;
      if (at < end) at = putVarint(this.#places[shapeOf[food]!]!, rows, at);
      // A row has a few bytes, for which a view takes longer.
      for (let k = from[food]!; at < end; k++) rows[at++] = amounts[k]!;
    }
    this.#amounts = new VarintWriter();
    this.#starts = growingNumbers();
    this.#shapeOf = growingNumbers();
  }
}

/** Whether two foods have the same nutrients, in the same order. */
const areAlike = (one: readonly Nutrient[], other: readonly Nutrient[]): boolean =>
  one.length === other.length &&
  one.every(({ nutrient, unit }, i) => nutrient === other[i]!.nutrient && unit === other[i]!.unit);

/** Digits of an amount after the point, and in all, that are stored as a number. */
const MOST_DIGITS = 14;
const SCALES = 16;
/** Instead of a scale: the text follows, and the number is its length. */
const AS_TEXT = SCALES - 1;

function writeAmount(to: VarintWriter, amount: string): void {
  const number = numberOf(amount);
  if (number !== undefined) {
    to.number(number);
    return;
  }
  const text = utf8(amount);
  to.number(text.length * SCALES + AS_TEXT);
  to.bytes(text);
}

/** The digits of `2.40` as a number, and how many of them are after the point, in its lowest bits; undefined if `readAmount` has another text. */
function numberOf(amount: string): number | undefined {
  const { length } = amount;
  const point = amount.indexOf('.');
  const digits = point < 0 ? length : length - 1;
  // A point is between digits, and the first one is 0 only by itself.
  const isPlain = point !== 0 && point !== length - 1 && (amount[0] !== '0' || point === 1 || length === 1);
  if (digits === 0 || digits > MOST_DIGITS || !isPlain) return undefined;
  let number = 0;
  for (let i = 0; i < length; i++) {
    if (i === point) continue;
    const digit = amount.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return undefined;
    number = 10 * number + digit;
  }
  return number * SCALES + (length - digits === 0 ? 0 : length - point - 1);
}

function readAmount(from: VarintReader): string {
  const number = from.number();
  const scale = number % SCALES;
  const rest = Math.floor(number / SCALES);
  return scale === AS_TEXT ? textOfUtf8(from.bytes(rest)) : decimalOf(rest, scale);
}

function decimalOf(number: number, scale: number): string {
  if (scale === 0) return String(number);
  const digits = String(number).padStart(scale + 1, '0');
  return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

export const hasNutrients = ({ starts }: NutrientSections): boolean => starts.length > 0;

/** Whether these sections are consistent with each other and with the number of foods. */
export function areConsistentNutrients({ starts, rows, kinds }: NutrientSections, foods: number): boolean {
  return starts.length === foods + 1 && isPartition(starts, rows.length) && Array.isArray(kindsOf(kinds));
}

function kindsOf(kinds: Uint8Array): readonly Kind[] | undefined {
  try {
    return JSON.parse(textOfUtf8(kinds)) as Kind[];
  } catch {
    return undefined;
  }
}

/** Reads the nutrients of foods. */
export class Nutrients {
  readonly #sections: NutrientSections;
  /** Read at the first look-up, which few indexes get. */
  #kinds: readonly Kind[] | undefined;

  constructor(sections: NutrientSections) {
    this.#sections = sections;
  }

  of(food: number): Nutrient[] {
    const { starts, rows, shapes, kinds } = this.#sections;
    const start = starts[food] ?? 0;
    if (start === (starts[food + 1] ?? 0)) return [];
    this.#kinds ??= kindsOf(kinds) ?? [];
    const row = new VarintReader(rows, start);
    const shape = new VarintReader(shapes, row.number());
    return Array.from({ length: shape.number() }, () => {
      const [nutrient, unit] = this.#kinds![shape.number()]!;
      return { nutrient, amount: readAmount(row), unit };
    });
  }

  /** A JSON array. */
  render(food: number): string {
    return JSON.stringify(this.of(food));
  }
}
