/** The codes of foods in ascending order: about three bytes for each as its distance from the one before, and four for its food. */
import { type FoodRecord, firstWhere } from '#core';
import { VarintReader, VarintWriter } from './varints.ts';

/** If no food has a code, all of them are empty. A food with several codes occurs several times. */
export interface CodeSections {
  /** As varints; the first of each block is the code itself. */
  readonly distances: Uint8Array;
  /** Where each block begins in them. */
  readonly starts: Uint32Array;
  /** The food of each code; foods with the same code are ascending. */
  readonly foods: Uint32Array;
}

export const NO_CODES: CodeSections = {
  distances: new Uint8Array(0),
  starts: new Uint32Array(0),
  foods: new Uint32Array(0),
};

/** Codes of a block, which a look-up reads. */
const BLOCK = 64;

export class CodesBuilder {
  #foods = 0;
  #codes: number[] = [];
  #owners: number[] = [];

  add(food: FoodRecord): void {
    this.addTo(this.#foods++, food);
  }

  /** Adds codes to an earlier food. @param food its number in the order of arrival */
  addTo(food: number, { codes = [] }: FoodRecord): void {
    for (const code of codes) {
      this.#codes.push(Number(code));
      this.#owners.push(food);
    }
  }

  /** The codes of the foods in this order. Empties the builder. */
  finish(order: Uint32Array): CodeSections {
    const codes = Float64Array.from(this.#codes);
    if (codes.length === 0) return NO_CODES;
    const places = new Uint32Array(order.length);
    for (const [i, food] of order.entries()) places[food] = i;
    const owners = Uint32Array.from(this.#owners, (food) => places[food]!);
    this.#codes = [];
    this.#owners = [];
    const sorted = Uint32Array.from(codes.keys())
      .sort((a, b) => codes[a]! - codes[b]! || owners[a]! - owners[b]!)
      // Equal foods may have the same code.
      .filter((each, i, all) => codes[each] !== codes[all[i - 1]!] || owners[each] !== owners[all[i - 1]!]);
    const distances = new VarintWriter();
    const starts = new Uint32Array(Math.ceil(sorted.length / BLOCK));
    for (const [i, each] of sorted.entries()) {
      const isFirst = i % BLOCK === 0;
      if (isFirst) starts[i / BLOCK] = distances.length;
      distances.number(codes[each]! - (isFirst ? 0 : codes[sorted[i - 1]!]!));
    }
    return { distances: distances.written.slice(), starts, foods: sorted.map((each) => owners[each]!) };
  }
}

/** Whether these sections are consistent with each other and with the number of foods. */
export function areConsistentCodes(
  { distances, starts, foods: owners }: CodeSections,
  foods: number,
): boolean {
  const count = distances.reduce((sum, byte) => sum + (byte < 0x80 ? 1 : 0), 0);
  return (
    count === owners.length &&
    starts.length === Math.ceil(count / BLOCK) &&
    starts.every(
      (start, i) => start < distances.length && (i === 0 ? start === 0 : start > starts[i - 1]!),
    ) &&
    owners.every((food) => food < foods)
  );
}

/** Visits the codes from a block on, each with its food, as long as the visit returns true. */
function visit(
  { distances, foods, starts }: CodeSections,
  block: number,
  each: (code: number, food: number) => boolean,
): void {
  const reader = new VarintReader(distances, starts[block]);
  let code = 0;
  for (let i = block * BLOCK; i < foods.length; i++) {
    code = reader.number() + (i % BLOCK === 0 ? 0 : code);
    if (!each(code, foods[i]!)) return;
  }
}

/** The first foods with this code, ascending. @param code as `foodCodeOf` has it */
export function foodsOfCode(sections: CodeSections, code: string, most: number): readonly number[] {
  const { distances, starts } = sections;
  const wanted = Number(code);
  const next = firstWhere(0, starts.length, (i) => new VarintReader(distances, starts[i]).number() >= wanted);
  const found: number[] = [];
  visit(sections, Math.max(0, next - 1), (each, food) => {
    if (each === wanted) found.push(food);
    return each <= wanted && found.length < most;
  });
  return found;
}

/** The codes of each food, ascending. */
export class CodesByFood {
  readonly #starts: Uint32Array;
  readonly #codes: Float64Array;

  constructor(sections: CodeSections, foods: number) {
    // While they are counted, those of food i are at i + 2; while they are put in place, its next one at i + 1.
    const starts = new Uint32Array(foods + 2);
    for (const food of sections.foods) starts[food + 2]!++;
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    this.#codes = new Float64Array(sections.foods.length);
    visit(sections, 0, (code, food) => {
      this.#codes[starts[food + 1]!++] = code;
      return true;
    });
    this.#starts = starts;
  }

  of(food: number): string[] {
    return Array.from(this.#codes.subarray(this.#starts[food], this.#starts[food + 1]), String);
  }
}
