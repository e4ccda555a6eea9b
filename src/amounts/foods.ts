/** The food of a reading: by searches by words, of which the first counts whose answer lacks no word. */
import { fold, type Replacement } from '#core';
import type { Reading } from './reading.ts';
import { isFarFetched, isLike } from './spelling.ts';

export interface LookedUp<Entry extends { readonly description: string }> {
  /** The best first. */
  readonly foods: readonly Entry[];
  /** The words of the text that the best food lacks. */
  readonly missing: readonly string[];
  /** The words of the text that were not taken as typed. */
  readonly replaced: readonly Replacement[];
}

export interface Found<Entry> {
  readonly reading: Reading;
  /** Absent if nothing is found. */
  readonly food?: Entry | undefined;
}

const COOKED =
  /\b(?:cooked|boiled|baked|roasted|fried|grilled|broiled|braised|steamed|stewed|toasted|poached|scrambled|microwaved|heated|browned)\b/i;
/** What is drained was in a can. */
const CANNED = /\b(?:canned|tinned|drained)\b/i;
/** Of meat: nobody shreds it raw. */
const DONE = /\b(?:(?:shredded|pulled|leftover|rotisserie) (?:\w+ )*(?:chicken|turkey|pork|beef|meat))\b/i;
const RAW = /\b(?:raw|dry|dried|uncooked|fresh)\b/i;

/**
 * What is found for a reading: one food, or those of "eggs and toast" if no food has all of these words.
 * @param isTyping whether the last word may be unfinished
 */
export async function findFood<Entry extends { readonly description: string }>(
  reading: Reading,
  lookUp: (text: string) => LookedUp<Entry> | Promise<LookedUp<Entry>>,
  isTyping = false,
): Promise<readonly Found<Entry>[]> {
  const { name, searches, parts } = reading;
  if (name !== undefined) {
    const [food] = (await lookUp(name)).foods;
    if (food !== undefined && isWholeIn(food.description, name))
      return [{ reading: { text: reading.text, food: name, searches: [name] }, food }];
  }
  let food: Entry | undefined;
  for (const [i, text] of searches.entries()) {
    const found = asWritten(text, await lookUp(text), isTyping);
    const isWhole = found.missing.length === 0;
    if (i === 0 && parts !== undefined && !(isWhole && isNamedBy(found.foods[0], text))) {
      const divided = (await Promise.all(parts.map((part) => findFood(part, lookUp, isTyping)))).flat();
      if (divided.every((each) => each.food !== undefined)) return divided;
    }
    const lacks = (asked: string) => wordsIn(asked).filter((word) => hasWord(found.missing, word)).length;
    // What a plainer text does not ask for may be missing, and of the last one all words but one.
    const later = searches.slice(i + 1, text === reading.food ? undefined : i + 2);
    if (lacks(text) === wordsIn(text).length || (later.length > 0 && later.every(lacks))) continue;
    food = plainOf(namedIn(found, reading), searches[0] ?? '', reading);
    if (food !== undefined) break;
  }
  const { other } = reading;
  if (food === undefined && other)
    return findFood(
      { ...reading, food: other, searches: [other], needed: wordsIn(other).slice(-1), other: undefined },
      lookUp,
      isTyping,
    );
  return [{ reading, food }];
}

/**
 * Counts words as missing that were taken for others: for those of nearly the same spelling, or for the beginning of longer ones, as
 * if the text were still being typed. So "manchego" is not "rancheros", and "maca" no macaroni.
 */
function asWritten<Entry extends { readonly description: string }>(
  text: string,
  found: LookedUp<Entry>,
  isTyping: boolean,
): LookedUp<Entry> {
  const { foods, missing, replaced } = found;
  const [first] = foods;
  if (first === undefined) return found;
  const words = wordsIn(first.description);
  const asked = wordsIn(text);
  if (replaced.length === 0 && asked.every((word) => words.includes(word))) return found;
  const last = isTyping ? asked.at(-1) : undefined;
  const isRefused = ({ typed, searched }: Replacement): boolean => {
    if (typed !== searched && isFarFetched(typed, searched)) return true;
    // A single letter is an abbreviation.
    if (typed === last || typed.length === 1 || hasWord(words, searched)) return false;
    const longer = words.filter((word) => word.startsWith(searched));
    // "bread crumbs" are breadcrumbs.
    const isMeant = (word: string) => isLike(searched, word) || asked.join('').includes(stemOf(word));
    return longer.length > 0 && !longer.some(isMeant);
  };
  const refused = asked
    .map(
      (typed) => replaced.find((each) => each.typed.split(' ').includes(typed)) ?? { typed, searched: typed },
    )
    .filter(isRefused);
  if (refused.length === 0) return found;
  const isOther = ({ description }: Entry) => {
    const own = wordsIn(description);
    return refused.some(
      ({ typed, searched }) => !hasWord(own, typed) && own.some((word) => word.startsWith(searched)),
    );
  };
  return {
    ...found,
    foods: foods.filter((food) => !isOther(food)),
    missing: [...missing, ...refused.map(({ typed }) => typed)],
  };
}

const wordsIn = (text: string): readonly string[] => fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/**
 * The foods, the one that the text names first: if the first lacks a word, one whose name is nothing but words of the text, or for
 * "rice vinegar" no rice, but another vinegar.
 */
function namedIn<Entry extends { readonly description: string }>(
  { foods, missing }: LookedUp<Entry>,
  { needed = [], food }: Reading,
): readonly Entry[] {
  const must = needed.map(fold);
  const [first] = foods;
  if (missing.length === 0 && (first === undefined || hasAll(wordsIn(first.description), must))) return foods;
  const typed = wordsIn(food);
  if (missing.length === 0) {
    // White bread is no bread flour, if there is one.
    const whole = foods.find(({ description }) => hasAll(wordsIn(description), typed));
    return whole === undefined ? foods : [whole, ...foods];
  }
  const joined = typed.map((word, i) => `${typed[i - 1] ?? ''}${word}`);
  // Breadcrumbs have the bread of "bread crumbs".
  const hasNeeded = ({ description }: Entry) => {
    const words = wordsIn(description);
    return hasAll(words, must) || words.some((word) => !hasWord(typed, word) && hasWord(joined, word));
  };
  const isNamed = ({ description }: Entry) =>
    wordsIn(description.replace(/[,(].*/, '')).every((word) => hasWord(typed, word));
  // A maker's soy sauce is soy sauce, but hot fudge sauce no hot sauce.
  const isEnd = (each: Entry) => nameOf(each).includes(' ') && fold(food).endsWith(` ${nameOf(each)}`);
  const named =
    foods.find((each) => isNamed(each) && hasNeeded(each)) ?? foods.find(hasNeeded) ?? foods.find(isEnd);
  if (named !== undefined) return [named, ...foods];
  return must.some((word) => hasWord(missing, word)) ? [] : foods;
}

const hasAll = (words: readonly string[], all: readonly string[]): boolean =>
  all.every((word) => hasWord(words, word));

const stemOf = (word: string): string => word.replace(/e?s$/, '');

/** In the singular or plural. */
const hasWord = (words: readonly string[], word: string): boolean => {
  if (words.includes(word)) return true;
  const stem = stemOf(word);
  return words.includes(stem) || words.includes(`${stem}s`) || words.includes(`${stem}es`);
};

const nameOf = ({ description }: { readonly description: string }): string =>
  fold(description)
    .match(/^[^,(]*/)?.[0]
    .trim() ?? '';

/** Whether the text says what the food is: of "tea with milk" chai with milk is not the food, but macaroni are of mac and cheese. */
const isNamedBy = (food: { readonly description: string } | undefined, text: string): boolean =>
  food !== undefined &&
  fold(text)
    .split(' ')
    .some((word) => nameOf(food).startsWith(word.slice(0, 3)));

/** In a recipe, a food without a state is the raw or dry one, and what is canned is neither: of foods of the same name, such a one. */
function plainOf<Entry extends { readonly description: string }>(
  foods: readonly Entry[],
  text: string,
  { text: line, needed = [] }: Reading,
): Entry | undefined {
  const [first] = foods;
  const isReady = CANNED.test(text) || DONE.test(text);
  if (first === undefined || (COOKED.test(text) && !isReady)) return first;
  const isDried = /\b(?:dried|dehydrated)\b/i.test(text);
  const isFresh =
    !isDried && (/\b(?:fresh|raw)\b/i.test(text) || /\b(?:grated|peeled|slices?)\b/i.test(line));
  const isOther = ({ description }: Entry) =>
    isReady
      ? RAW.test(description)
      : COOKED.test(description) ||
        (isFresh && /\b(?:ground|dried|powder|canned)\b/i.test(description)) ||
        (isDried && /\braw\b/i.test(description) && !/\bdried\b/i.test(description));
  if (!isOther(first)) return first;
  const same = foods.filter((food) => nameOf(food).startsWith(nameOf(first)) && !isOther(food));
  const raw = same.filter(({ description }) => RAW.test(description));
  // "Ground beef, 20% fat, pan-browned" has its raw form, too.
  const begun = first.description.replace(/, [^,]*$/, ',');
  // Of "chuck roast", braised, another chuck; but of adzuki beans, cooked, no broad beans.
  const [kind = ''] = wordsIn(first.description);
  const other = foods.find(
    (food) =>
      RAW.test(food.description) &&
      !isOther(food) &&
      hasAll(wordsIn(food.description), [kind, ...needed.map(fold)]),
  );
  return raw.find(({ description }) => description.startsWith(begun)) ?? raw[0] ?? same[0] ?? other ?? first;
}

/** Whether the description has the text, not as a part of a longer word. */
function isWholeIn(description: string, text: string): boolean {
  const [whole, part] = [fold(description), fold(text)];
  const at = whole.indexOf(part);
  const around = whole.slice(Math.max(0, at - 1), at) + whole.slice(at + part.length, at + part.length + 1);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(around);
}
