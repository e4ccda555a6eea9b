/** The food of a reading: by searches by words, of which the first counts whose answer lacks no word. */
import { fold } from '#core';
import type { Reading } from './reading.ts';

export interface LookedUp<Entry extends { readonly description: string }> {
  /** The best first. */
  readonly foods: readonly Entry[];
  /** Whether the best food lacks a word of the text, or a word was read as another one. */
  readonly isExact: boolean;
}

export interface Found<Entry> {
  readonly reading: Reading;
  /** Absent if nothing is found. */
  readonly food?: Entry | undefined;
}

const COOKED = /\b(?:cooked|boiled|baked|roasted|fried|grilled|broiled|braised|steamed|stewed|toasted|poached|scrambled|microwaved|heated)\b/i;
const RAW = /\b(?:raw|dry|dried|uncooked|fresh)\b/i;

/** What is found for a reading: one food, or those of "eggs and toast" if no food has all of these words. */
export async function findFood<Entry extends { readonly description: string }>(
  reading: Reading,
  lookUp: (text: string) => LookedUp<Entry> | Promise<LookedUp<Entry>>,
): Promise<readonly Found<Entry>[]> {
  const { name, searches, parts } = reading;
  if (name !== undefined) {
    const [food] = (await lookUp(name)).foods;
    if (food !== undefined && isWholeIn(food.description, name))
      return [{ reading: { text: reading.text, food: name, searches: [name] }, food }];
  }
  let found: LookedUp<Entry> | undefined;
  for (const [i, text] of searches.entries()) {
    found = await lookUp(text);
    if (found.isExact) break;
    if (i === 0 && parts !== undefined)
      return (await Promise.all(parts.map((part) => findFood(part, lookUp)))).flat();
  }
  return [{ reading, food: found && plainOf(found.foods, reading.searches[0] ?? '') }];
}

/** In a recipe, a food without a state is the raw or dry one: of foods of the same name, that one. */
function plainOf<Entry extends { readonly description: string }>(foods: readonly Entry[], text: string): Entry | undefined {
  const [first] = foods;
  if (first === undefined || COOKED.test(text) || !COOKED.test(first.description)) return first;
  const nameOf = ({ description }: Entry): string => fold(description).split(/[,(]/, 1)[0]?.trim() ?? '';
  const same = foods.slice(0, 20).filter((food) => nameOf(food) === nameOf(first) && !COOKED.test(food.description));
  return same.find(({ description }) => RAW.test(description)) ?? same[0] ?? first;
}

/** Whether the description has the text, not as a part of a longer word. */
function isWholeIn(description: string, text: string): boolean {
  const [whole, part] = [fold(description), fold(text)];
  const at = whole.indexOf(part);
  const around = whole.slice(Math.max(0, at - 1), at) + whole.slice(at + part.length, at + part.length + 1);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(around);
}
