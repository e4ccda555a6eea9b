/** The food of a reading: by searches by words, of which the first counts whose answer lacks no word. */
import { fold, type Replacement } from '#core';
import { hadIn, isMilled, isWet } from './had-words.ts';
import type { Reading } from './reading.ts';
import { isFarFetched } from './spelling.ts';
import { hasAll, hasForm, isAlike, isWholeIn, pairsOf, wordsIn } from './word-forms.ts';

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
  /** The words that name the food of the text and that this food lacks, or, if there is none, the nearest one. */
  readonly missing: readonly string[];
}

/** What answers the questions about a text. */
export interface Asked<Entry extends { readonly description: string }> {
  lookUp(text: string): LookedUp<Entry> | Promise<LookedUp<Entry>>;
  /** The other names of a food; without it, a word is lacked that the answer says the best food lacks. */
  readonly namesOf?: ((food: Entry) => readonly string[] | Promise<readonly string[]>) | undefined;
  /** Its description in the language of the data set, in which its state is known. */
  originalOf?(food: Entry): string;
  /** Grams of protein, carbohydrate and fat in 100 g: nearly all that is not water. Not a number if one is unknown. */
  solidsOf(food: Entry): number;
  /** Whether foods are in the language of the text, which is not that of the data set. */
  readonly isTranslated?: boolean | undefined;
}

/**
 * What is found for a reading: one food, or those of "eggs and toast" if no food has all of these words.
 * @param isTyping whether the last word may be unfinished
 */
export async function findFood<Entry extends { readonly description: string }>(
  reading: Reading,
  asked: Asked<Entry>,
  isTyping = false,
): Promise<readonly Found<Entry>[]> {
  const { words, name, rests = [], searches, parts, other } = reading;
  if (name !== undefined) {
    const [food] = (await asked.lookUp(name)).foods;
    if (food !== undefined && isWholeIn(food.description, name))
      return [{ reading: { words, text: reading.text, food: name, searches: [name] }, food, missing: [] }];
  }
  for (const rest of asked.isTranslated || searches.length === 0 ? rests : []) {
    const food = await calledSo(rest, reading, asked);
    if (food !== undefined) return [{ reading, food, missing: [] }];
  }
  let nearest: readonly string[] | undefined;
  for (const [i, text] of searches.entries()) {
    const found = await asked.lookUp(text);
    const described = found.foods.find(({ description }) => rests.some(isAlike(description)));
    if (described !== undefined) return [{ reading, food: described, missing: [] }];
    const isWhole = found.missing.length === 0;
    if (i === 0 && parts !== undefined && !(isWhole && isNamedBy(found.foods[0], text))) {
      const divided = (await Promise.all(parts.map((part) => findFood(part, asked, isTyping)))).flat();
      if (divided.every((each) => each.food !== undefined)) return divided;
    }
    const lacks = (each: string) => wordsIn(each).filter((word) => hasForm(found.missing, word)).length;
    // What a plainer text does not ask for may be missing, and of the last one all words but one.
    const later = searches.slice(i + 1, text === reading.food ? undefined : i + 2);
    if (lacks(text) === wordsIn(text).length || (later.length > 0 && later.every(lacks))) continue;
    const named = asked.isTranslated
      ? await calledIn(found.foods, reading, asked)
      : namedFirst(found, reading, text);
    const fatted = withFat(named, reading.fat);
    if (named.length > 0 && fatted.length === 0) break;
    const food = plainOf(fatted, searches[0] ?? '', reading, asked);
    if (food === undefined) continue;
    const missing = await lackedBy(food, reading, found, asked, isTyping);
    if (missing.length === 0) return [{ reading, food, missing }];
    nearest ??= missing;
  }
  if (other) {
    const alternative = { ...reading, ...other, searches: [other.food], other: undefined };
    return findFood({ ...alternative, needed: other.names.slice(-1) }, asked, isTyping);
  }
  return [{ reading, missing: nearest ?? reading.names ?? [] }];
}

/** The food with exactly this description, or this name in the language of the text: what a tin has is canned, if there is such a food. */
async function calledSo<Entry extends { readonly description: string }>(
  text: string,
  reading: Reading,
  asked: Asked<Entry>,
): Promise<Entry | undefined> {
  const { originalOf = ({ description }) => description } = asked;
  const { foods } = await asked.lookUp(text);
  const isText = isAlike(text);
  const described = foods.find(({ description }) => isText(description));
  if (described !== undefined || !asked.isTranslated) return described;
  const [first] = foods;
  const isFirst = first && (await asked.namesOf?.(first))?.some(isText);
  const called = isFirst ? first : foods.find((each) => namesIn(each).some(isText));
  if (called === undefined) return undefined;
  const others = foods.filter((food) => nameOf(food).startsWith(nameOf(called)));
  if (reading.words.marks.has('canned', reading.searches[0] ?? ''))
    return others.find((food) => reading.words.marks.has('canned', originalOf(food))) ?? called;
  return isFirst ? first : plainOf([called, ...others], text, reading, asked);
}

/** Foods among which one is sought that is called by the text: those behind them fit it less. */
const MOST_OTHERS = 20;

/** The foods, first one whose description has all words that name it: for "fresh spinach" spinach, raw, before spinach pasta, fresh. */
function namedFirst<Entry extends { readonly description: string }>(
  { foods, replaced }: LookedUp<Entry>,
  { words: { marks }, names = [] }: Reading,
  text: string,
): readonly Entry[] {
  const hasWords = (words: readonly string[]) => (food: Entry) =>
    lackedIn(food.description, words, replaced).length === 0;
  const meant = [text, ...replaced.map(({ searched }) => searched)].join(' ');
  const isCalled = calledBy(meant);
  // Kidneys are no kidney beans, and oxtail is no oxtail soup.
  const isMade = (food: Entry) =>
    !isCalled(food) &&
    wordsIn(nameOf(food)).some((word) => marks.has('made', word) && !hasForm(wordsIn(meant), word));
  const isNamed = (food: Entry) => hasWords(names)(food) && !isMade(food);
  // Chocolate milk is no milk chocolate, and tomato juice no tomatoes in juice.
  const isText = isAlike(text);
  const whole =
    wordsIn(text).length > 1 ? foods.find((food) => namesIn(food).some(isText) && isNamed(food)) : undefined;
  const first = whole ?? foods.find(isNamed);
  if (first === undefined) return foods.filter((food) => !isMade(food));
  if (isCalled(first)) return [first, ...foods];
  const typed = wordsIn(text).filter((word) => word !== 'fresh');
  const others = foods.slice(0, MOST_OTHERS);
  const called = others.find((food) => isCalled(food) && hasWords(typed)(food) && isNamed(food));
  return [called ?? first, ...foods];
}

/** Whether a text names a food in full: one of its names is nothing but words of the text. */
function calledBy(text: string): (food: { readonly description: string }) => boolean {
  const typed = wordsIn(text);
  const all = [...typed, ...pairsOf(typed)];
  const isNamed = (words: readonly string[]) => words.length > 0 && hasAll(all, words);
  return (food) => namesIn(food).map(wordsIn).some(isNamed);
}

/** The foods, first one that the text names in full, by its main name or another one; none if there is no such food. */
async function calledIn<Entry extends { readonly description: string }>(
  foods: readonly Entry[],
  { food: text }: Reading,
  { namesOf }: Asked<Entry>,
): Promise<readonly Entry[]> {
  const isCalled = calledBy(text);
  const [first] = foods;
  if (first === undefined || isCalled(first)) return foods;
  // Its description in the language of the data set is among them.
  if ((await namesOf?.(first))?.some((description) => isCalled({ description }))) return foods;
  const other = foods.find(isCalled);
  return other === undefined ? [] : [other, ...foods];
}

/** "Zucchini", "courgette" of "Zucchini (courgette), raw". */
const namesIn = ({ description }: { readonly description: string }): readonly string[] =>
  description.split(/[(（)）]|[,，、،].*/).map((name) => name.trim());

/** The words that name the food of a text which a food has neither in its description nor in another name. */
async function lackedBy<Entry extends { readonly description: string }>(
  food: Entry,
  { food: text, names = [], words: { marks } }: Reading,
  { missing, replaced }: LookedUp<Entry>,
  asked: Asked<Entry>,
  isTyping: boolean,
): Promise<readonly string[]> {
  // A mango is no mango powder.
  const isTooWet = marks.has('dried', text) && isWet(asked.solidsOf(food));
  const dry = isTooWet ? wordsIn(text).filter((word) => marks.has('dried', word)) : [];
  // "Chopped" alone names nothing, but must not be found by it in another language.
  const typed = [...new Set([...(names.length > 0 ? names : wordsIn(text)), ...dry])];
  const had = hadIn(food.description, typed, marks);
  const lacked = lackedIn(had, typed, replaced, isTyping);
  if (lacked.length === 0) return lacked;
  if (asked.namesOf === undefined)
    return lacked.filter((word) => hasForm(missing, word) || dry.includes(word));
  return lackedIn([had, ...(await asked.namesOf(food))].join(' '), typed, replaced, isTyping);
}

/** Words that a text lacks, in any form, in the spelling that is meant, or joined: breadcrumbs have both words of "bread crumbs". */
function lackedIn(
  text: string,
  words: readonly string[],
  replaced: readonly Replacement[],
  isTyping = false,
): readonly string[] {
  const own = wordsIn(text);
  const joined = [...own, ...pairsOf(own)];
  const pairs = pairsOf(words.map(fold));
  return words.filter((each, i) => {
    const word = fold(each);
    const known = replaced.find(({ typed }) => typed.split(' ').includes(word));
    const isMeant = known && !isFarFetched(known.typed, known.searched);
    if (hasForm(joined, word) || (isMeant && hasAll(joined, known.searched.split(' ')))) return false;
    if (isTyping && i === words.length - 1 && own.some((each) => each.startsWith(word))) return false;
    return !pairs.slice(Math.max(0, i - 1), i + 1).some((pair) => hasForm(own, pair));
  });
}

const nameOf = (food: { readonly description: string }): string => fold(namesIn(food)[0] ?? '');

/** Whether the text says what the food is: of "tea with milk" chai with milk is not the food, but macaroni are of mac and cheese. */
const isNamedBy = (food: { readonly description: string } | undefined, text: string): boolean =>
  food !== undefined &&
  fold(text)
    .split(' ')
    .some((word) => nameOf(food).startsWith(word.slice(0, 3)));

/** The fat in a description: "Milk, whole, 3.25% fat", "Greek yogurt, fat-free". */
const FAT = /(?<![\d.])([\d.]+)% fat|fat-free/;

/**
 * Those of the first one's name that have nearly this much fat, else those of which nothing is said: there is no ground beef of 93/7,
 * but one with 5 %. None if all have other fat, and all foods if nothing is said of any.
 */
function withFat<Entry extends { readonly description: string }>(
  foods: readonly Entry[],
  fat: number | undefined,
): readonly Entry[] {
  const [first] = foods;
  if (fat === undefined || first === undefined) return foods;
  const named = foods.filter((food) => nameOf(food) === nameOf(first));
  const offOf = ({ description }: Entry): number | undefined => {
    const [found, stated = 0] = FAT.exec(description) ?? [];
    return found === undefined ? undefined : Math.abs(Number(stated) - fat);
  };
  const offs = named.map(offOf).filter((off) => off !== undefined);
  const least = Math.min(...offs);
  const nearest = named.filter((food) => offOf(food) === (least < Math.max(1, fat / 2) ? least : undefined));
  return offs.length === 0 ? foods : nearest;
}

/** In a recipe, a food without a state is the raw or dry one, and what is canned is neither: of foods of the same name, such a one. */
function plainOf<Entry extends { readonly description: string }>(
  foods: readonly Entry[],
  text: string,
  { words: { marks }, text: line, needed = [], names = [], isCooked = false, amount }: Reading,
  { originalOf = ({ description }) => description }: Asked<Entry>,
): Entry | undefined {
  const [first] = foods;
  // Of meat: nobody shreds it raw.
  const isReady = marks.has('canned', text) || (marks.has('done', text) && marks.has('meat', text));
  if (first === undefined) return first;
  const isCalledSo = (food: Entry) => nameOf(food).startsWith(nameOf(first));
  const lacked = (food: Entry) => lackedIn(food.description, names, []).length;
  const isAsNear = (food: Entry) => lacked(food) <= lacked(first);
  // "Wholemeal toast" is bread, toasted.
  if ((isCooked || marks.has('cooked food', text)) && !isReady) {
    if (marks.has('cooked', originalOf(first))) return first;
    // Toast alone is no Melba toast, which only "Melba toast" names in full, and no "Toasted oat cereal".
    const hasState = (food: Entry) => !marks.has('cooked', nameOf(food));
    const isSame = isCooked || calledBy(text)(first) ? isCalledSo : hasState;
    const isOne = (food: Entry) => marks.has('cooked', originalOf(food)) && isAsNear(food);
    return foods.find((food) => isSame(food) && isOne(food)) ?? first;
  }
  // A spoon of ginger is ground, an inch or 20 g of it are not.
  const isWhole = amount?.parts.some(({ unit }) => unit.kind !== 'ml' && !/pinch|dash/.test(unit.piece));
  if (isWhole && !marks.has('ground', text) && isMilled(originalOf(first), marks))
    return foods.find((food) => marks.has('fresh', originalOf(food)) && lacked(food) === 0) ?? first;
  const isDried = marks.has('dried', text);
  const isFresh = !isDried && (marks.has('fresh', text) || marks.has('cut', line));
  const isOther = (food: Entry) => {
    const description = originalOf(food);
    if (isReady) return marks.has('uncooked', description);
    return (
      marks.has('cooked', description) ||
      (isFresh && marks.has('ground', description)) ||
      (isDried && marks.has('raw', description) && !marks.has('dried', description))
    );
  };
  if (!isOther(first)) return first;
  // "Oatmeal (porridge)" is no "Oatmeal (rolled oats)".
  const same = foods.filter((food) => isCalledSo(food) && !isOther(food) && isAsNear(food));
  const raw = same.filter((food) => marks.has('uncooked', originalOf(food)));
  // Banana bread is no dried banana.
  const [plain = isDried ? undefined : same[0]] = raw;
  // "Ground beef, 20% fat, pan-browned" has its raw form, too.
  const begun = first.description.replace(/, [^,]*$/, ',');
  // Of "chuck roast", braised, another chuck; but of adzuki beans, cooked, no broad beans, and of a pork leg no minced pork.
  const [kind = ''] = wordsIn(first.description);
  const typed = wordsIn(text);
  const isMeant = (word: string) =>
    hasForm(typed, word) && !marks.has('cooked', word) && !marks.has('cooked form', word);
  const all = [kind, ...wordsIn(nameOf(first)).filter(isMeant), ...needed.map(fold)];
  const other = foods.find(
    (food) =>
      marks.has('uncooked', originalOf(food)) && !isOther(food) && hasAll(wordsIn(food.description), all),
  );
  return raw.find(({ description }) => description.startsWith(begun)) ?? plain ?? other ?? first;
}
