/**
 * The portions of foods as typed arrays: each distinct text once, eight bytes for each portion, and four for each
 * food. Two portions each take 20 bytes a food, and the table in which descriptions are found (`food-table.ts`) up to
 * eleven.
 */

import { type FoodRecord, growingNumbers, type Portion, textOfUtf8, UserError, utf8 } from '#core';

/** If no food has portions, all of them are empty. */
export interface PortionSections {
  /** f + 1 numbers: the portions of food i are [starts[i], starts[i + 1]). */
  readonly starts: Uint32Array;
  readonly texts: Uint32Array;
  /** For each portion its weight in mg, above 0. */
  readonly weights: Uint32Array;
  /** The distinct texts, back to back, each as the UTF-8 of a JSON string. */
  readonly spellings: Uint8Array;
  /** One more position in these than there are texts. */
  readonly spellingStarts: Uint32Array;
}

export const NO_PORTIONS: PortionSections = {
  starts: new Uint32Array(0),
  texts: new Uint32Array(0),
  weights: new Uint32Array(0),
  spellings: new Uint8Array(0),
  spellingStarts: new Uint32Array(0),
};

const GRAM = 1000;
const MOST_MILLIGRAMS = 2 ** 32 - 1;

const noPortions = () => ({ starts: growingNumbers(), texts: growingNumbers(), weights: growingNumbers() });

export class PortionsBuilder {
  readonly #numbers = new Map<string, number>();
  #arrived = noPortions();

  /** @throws UserError if a portion is heavier than an index can store */
  add({ description, portions = [] }: FoodRecord): void {
    const { starts, texts, weights } = this.#arrived;
    starts.push(texts.length);
    for (const { portion, grams } of portions) {
      const weight = milligramsOf(grams);
      if (weight > MOST_MILLIGRAMS) {
        const most = (MOST_MILLIGRAMS / GRAM).toLocaleString('en', { maximumFractionDigits: 3 });
        throw new UserError(
          `The portion ${JSON.stringify(portion)} of ${JSON.stringify(description)} has ${grams} g; at most ${most} g fit into an index.`,
        );
      }
      const text = this.#numbers.get(portion) ?? this.#numbers.size;
      this.#numbers.set(portion, text);
      texts.push(text);
      weights.push(weight);
    }
  }

  /** The portions of the foods in this order, which determines the numbers of the texts. Empties the builder. */
  finish(order: Uint32Array): PortionSections {
    const [from, numbers, milligrams] = [
      this.#arrived.starts.all,
      this.#arrived.texts.all,
      this.#arrived.weights.all,
    ];
    this.#arrived = noPortions();
    const count = numbers.length;
    if (count === 0) return NO_PORTIONS;
    const texts = new Uint32Array(count);
    const weights = new Uint32Array(count);
    const starts = new Uint32Array(order.length + 1);
    const newNumbers = new Map<number, number>();
    let at = 0;
    for (const [i, food] of order.entries()) {
      const end = from[food + 1] ?? count;
      for (let portion = from[food]!; portion < end; portion++, at++) {
        const number = numbers[portion]!;
        const text = newNumbers.get(number) ?? newNumbers.size;
        newNumbers.set(number, text);
        texts[at] = text;
        weights[at] = milligrams[portion]!;
      }
      starts[i + 1] = at;
    }
    return { starts, texts, weights, ...spelled([...this.#numbers.keys()], newNumbers.keys()) };
  }
}

function spelled(texts: readonly string[], order: Iterable<number>) {
  const parts = Array.from(order, (text) => utf8(JSON.stringify(texts[text])));
  const spellingStarts = new Uint32Array(parts.length + 1);
  for (const [i, { length }] of parts.entries()) spellingStarts[i + 1] = spellingStarts[i]! + length;
  const spellings = new Uint8Array(spellingStarts.at(-1)!);
  for (const [i, part] of parts.entries()) spellings.set(part, spellingStarts[i]);
  return { spellings, spellingStarts };
}

export const hasPortions = ({ starts }: PortionSections): boolean => starts.length > 0;

export interface PortionCounts {
  readonly foods: number;
  readonly portions: number;
}

export function portionCounts({ starts, texts }: PortionSections): PortionCounts {
  let foods = 0;
  for (let i = 1; i < starts.length; i++) if (starts[i]! > starts[i - 1]!) foods++;
  return { foods, portions: texts.length };
}

export const portionsOf = (sections: PortionSections, food: number): Portion[] =>
  (JSON.parse(renderPortions(sections, food)) as { portion: string; grams: number }[]).map(
    ({ portion, grams }) => ({ portion, grams: String(grams) }),
  );

export function renderPortions(sections: PortionSections, food: number): string {
  const { starts, texts, weights, spellings, spellingStarts } = sections;
  const portions: string[] = [];
  for (let portion = starts[food] ?? 0; portion < (starts[food + 1] ?? 0); portion++) {
    const text = texts[portion]!;
    const spelling = textOfUtf8(spellings, spellingStarts[text], spellingStarts[text + 1]);
    // A thousandth of a whole number of 32 bits has the right decimal as its shortest text.
    portions.push(`{"portion":${spelling},"grams":${weights[portion]! / GRAM}}`);
  }
  return `[${portions.join()}]`;
}

/** Whether these sections are consistent with each other and with the number of foods. */
export function areConsistent(sections: PortionSections, foods: number): boolean {
  const { starts, texts, weights, spellings, spellingStarts } = sections;
  return (
    starts.length === foods + 1 &&
    texts.length === weights.length &&
    isPartition(starts, texts.length) &&
    isPartition(spellingStarts, spellings.length) &&
    texts.every((text) => text < spellingStarts.length - 1) &&
    weights.every((weight) => weight > 0)
  );
}

export function isPartition(starts: Uint32Array, length: number): boolean {
  return (
    starts[0] === 0 &&
    starts.at(-1) === length &&
    starts.every((start, i) => i === 0 || start >= starts[i - 1]!)
  );
}

/** @throws RangeError for a number that is not the weight of a portion */
function milligramsOf(grams: string): number {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d{1,3}))?$/.exec(grams) ?? [];
  const milligrams = GRAM * Number(whole) + Number(fraction.padEnd(3, '0'));
  if (milligrams > 0) return milligrams;
  throw new RangeError(`${grams} g is not the weight of a portion`);
}
