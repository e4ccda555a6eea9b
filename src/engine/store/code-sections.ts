/**
 * The codes of foods in the order of their last 15 digits, which are a safe number: about three bytes for each as its distance
 * from the one before, and four for its food.
 */
import { type FoodRecord, firstWhere, Growing, growingNumbers } from '#core';
import { placesIn } from './packed.ts';
import { VarintReader, VarintWriter } from './varints.ts';

/** If no food has a code, all of them are empty. A food with several codes occurs several times. */
export interface CodeSections {
  /** As varints, twice the distance; one more if the digits before the last 15 follow. The first of each block has no one before. */
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

/** Digits of the low part of a code. */
const LOW = 15;
const lowOf = (code: string): number => Number(code.slice(-LOW));
const highOf = (code: string): number => Number(code.slice(0, -LOW));
const codeOf = (low: number, high: number): string =>
  high === 0 ? String(low) : `${high}${String(low).padStart(LOW, '0')}`;

export class CodesBuilder {
  #foods = 0;
  #lows = new Growing(new Float64Array(2 ** 10));
  #highs = new Growing(new Uint16Array(2 ** 10));
  #owners = growingNumbers();

  add(food: FoodRecord): void {
    this.addTo(this.#foods++, food);
  }

  /** Adds codes to an earlier food. @param food its number in the order of arrival */
  addTo(food: number, { codes = [] }: FoodRecord): void {
    for (const code of codes) {
      this.#lows.push(lowOf(code));
      this.#highs.push(highOf(code));
      this.#owners.push(food);
    }
  }

  /** The codes of the foods in this order. Empties the builder. */
  finish(order: Uint32Array): CodeSections {
    const [lows, highs] = [this.#lows.all, this.#highs.all];
    const places = placesIn(order);
    const owners = this.#owners.all.map((food) => places[food]!);
    this.#lows = new Growing(new Float64Array(0));
    this.#highs = new Growing(new Uint16Array(0));
    this.#owners = growingNumbers();
    const compare = (a: number, b: number) =>
      lows[a]! - lows[b]! || highs[a]! - highs[b]! || owners[a]! - owners[b]!;
    const sorted = Uint32Array.from(lows.keys())
      .sort(compare)
      // Equal foods may have the same code.
      .filter((each, i, all) => i === 0 || compare(each, all[i - 1]!) !== 0);
    const distances = new VarintWriter();
    const starts = new Uint32Array(Math.ceil(sorted.length / BLOCK));
    for (const [i, each] of sorted.entries()) {
      const isFirst = i % BLOCK === 0;
      if (isFirst) starts[i / BLOCK] = distances.length;
      const distance = lows[each]! - (isFirst ? 0 : lows[sorted[i - 1]!]!);
      const high = highs[each]!;
      distances.number(2 * distance + Math.min(high, 1));
      if (high > 0) distances.number(high);
    }
    return { distances: distances.written.slice(), starts, foods: sorted.map((each) => owners[each]!) };
  }
}

/** Whether these sections are consistent with each other and with the number of foods. */
export function areConsistentCodes(
  { distances, starts, foods: owners }: CodeSections,
  foods: number,
): boolean {
  if (starts.length !== Math.ceil(owners.length / BLOCK)) return false;
  const reader = new VarintReader(distances);
  for (let i = 0; i < owners.length; i++) {
    if (i % BLOCK === 0 && starts[i / BLOCK] !== reader.at) return false;
    if (reader.number() % 2 === 1) reader.number();
  }
  return reader.at === distances.length && owners.every((food) => food < foods);
}

/** Visits the codes from a block on, each with its food, as long as the visit returns true. */
function visit(
  { distances, foods, starts }: CodeSections,
  block: number,
  each: (low: number, high: number, food: number) => boolean,
): void {
  const reader = new VarintReader(distances, starts[block]);
  let low = 0;
  for (let i = block * BLOCK; i < foods.length; i++) {
    const number = reader.number();
    low = Math.floor(number / 2) + (i % BLOCK === 0 ? 0 : low);
    if (!each(low, number % 2 === 1 ? reader.number() : 0, foods[i]!)) return;
  }
}

/** The first foods with this code, ascending. @param code as `foodCodeOf` has it */
export function foodsOfCode(sections: CodeSections, code: string, most: number): readonly number[] {
  const { distances, starts } = sections;
  const [wantedLow, wantedHigh] = [lowOf(code), highOf(code)];
  const firstOf = (block: number) => Math.floor(new VarintReader(distances, starts[block]).number() / 2);
  const next = firstWhere(0, starts.length, (block) => firstOf(block) >= wantedLow);
  const found: number[] = [];
  visit(sections, Math.max(0, next - 1), (low, high, food) => {
    if (low === wantedLow && high === wantedHigh) found.push(food);
    return low <= wantedLow && found.length < most;
  });
  return found;
}

/** The codes of each food, in the order of their last 15 digits. */
export class CodesByFood {
  readonly #starts: Uint32Array;
  readonly #lows: Float64Array;
  readonly #highs: Uint16Array;

  constructor(sections: CodeSections, foods: number) {
    // While they are counted, those of food i are at i + 2; while they are put in place, its next one at i + 1.
    const starts = new Uint32Array(foods + 2);
    for (const food of sections.foods) starts[food + 2]!++;
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
    this.#lows = new Float64Array(sections.foods.length);
    this.#highs = new Uint16Array(sections.foods.length);
    visit(sections, 0, (low, high, food) => {
      const at = starts[food + 1]!++;
      this.#lows[at] = low;
      this.#highs[at] = high;
      return true;
    });
    this.#starts = starts;
  }

  of(food: number): string[] {
    const lows = this.#lows.subarray(this.#starts[food], this.#starts[food + 1]);
    return Array.from(lows, (low, i) => codeOf(low, this.#highs[this.#starts[food]! + i]!));
  }
}
