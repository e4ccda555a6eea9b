/** The weights of the order, and how a sum of them becomes a byte of the index. */

/** Weights in tenths, round and set by hand: fitted to judged queries they did not carry over to others. */
export const POINTS = {
  // where the match is
  textStart: 8, // "Cream, fluid" before "Cheese, cream"
  front: 20, // in the segment that names the food ...
  behindShelf: 25, // ... also after a shelf; more, to make up for the text start
  second: 10, // in the second segment: a kind of the food; nothing if it is the flavour of a dish
  brackets: -10,
  otherName: 10, // in brackets behind the segment that names the food: "Broadbeans (fava beans)"
  // how much of the segment it is
  whole: 20, // all of it: "Egg, white" for `egg`
  wholeFront: 25, // and that segment names the food
  wholeName: 30, // and it is all of the name, which a brand follows: "Egg" of Happy Hens
  begins: 10, // its first words: "Peanut butter" for `peanut`
  beginsOnlyWord: 10, // a beginning of its only word: "Cheese" for `che`
  ends: 5, // its last words, which in English say what it is: "White bread" for `bread`
  endsFront: 25,
  wholeWord: 20, // `ham` is ham before it is a beginning of "hamburger"
  plural: -5, // `egg` finds "eggs" right after "egg"
  // what its neighbours in the segment say (the full points if they are mostly names of foods themselves)
  otherFoodBefore: -50, // "Rice crackers" for `crackers`
  otherFoodBehind: -50, // "Coffee creamer" for `coffee`
  addition: -15, // after a link: "Sardines in olive oil"
  // counts in the data set (0 for a single food, the full points if every food had it)
  beganWord: 23, // an unfinished word: the common one is meant (`che`: cheese, not cherimoya)
  family: 10, // foods with the same first segment: many of them tell a common food ...
  subfamily: 13, // ... and so do many with the same first two
  secondWord: 10, // the second segment's first word: "Cheese, cheddar" before "Cheese, gjetost"
  sameName: 7, // each doubling of the foods of that very name
  popularity: 60, // the most popular food of the data set; half of it if the logarithm is half as large
  // of the name
  flavour: -20, // each further segment, if commas separate flavours: "Whole milk, chocolate"
  mainForm: 4, // a good word (raw, plain, cooked, whole) as second segment: "Milk, whole" is the main kind
  everyday: 12, // a name like one of the starter foods, which people eat every day
  brand: -15, // a word in capitals; mild, since some foods exist only as a brand
  length: -4, // each doubling of the length, from 20 characters
};

/** The level of the most popular food of a data set, which fits into a byte. */
export const MOST_POPULAR = 255;

/** The level of a popularity by logarithm, from 1 to MOST_POPULAR; 0 if it is not known. @param most that of the most popular food */
export const popularityLevel = (popularity: number, most: number): number =>
  popularity === 0
    ? 0
    : Math.max(1, Math.round((MOST_POPULAR * Math.log2(1 + popularity)) / Math.log2(1 + most)));

/** A popularity that gets this level again, if that of MOST_POPULAR is the highest. */
export const popularityOfLevel = (level: number): number => (1 + MOST_POPULAR) ** (level / MOST_POPULAR) - 1;

/** Tenths of a point in one step of a score. */
const STEP = 1.25;

/*
 * A score is a byte:
 *   0 to 23     of a food whose name an earlier food has: after all foods whose name is new
 *   28 to 239   of any other: -10 to 16 points; in USDA's data they run from -9.8 to 14.2
 *   255         of a description that is the query
 * The gaps keep plurals, which are 4 lower, among their own.
 */
const REPEATS = 24;
const LOWEST = 28;
const HIGHEST = 239;
/** The byte of a match that is the whole description. */
export const WHOLE_SCORE = 255;

/** The score of no points at all. */
const ZERO = 108;

/** The byte of a sum of points. */
export function scoreOf(points: number): number {
  return Math.max(LOWEST, Math.min(HIGHEST, ZERO + Math.round(points / STEP)));
}

/** What a plural adds to a byte. */
export const pluralScore = (): number => POINTS.plural / STEP;

/** The byte of the same match if the name is that of an earlier food. */
export const repeatedScore = (score: number): number => Math.floor((score * REPEATS) / (WHOLE_SCORE + 1));

/*
 * In a search for several words, a food scores the sum of its static score and a byte for each word, that of the word's
 * best place. Places weigh more than in a search for one text: each of them is one of several.
 */
export const PLACE_WEIGHT = 1.5;

/** Tenths of a point of a difference between bytes. */
export const pointsOf = (bytes: number): number => bytes * STEP;

/** The byte of no points: links, brackets and additions take points away. */
const PLACE_ZERO = 42;

/** The byte of the place of one of several words. */
export function placeScoreOf(points: number): number {
  return Math.max(0, Math.min(255, PLACE_ZERO + Math.round((points * PLACE_WEIGHT) / STEP)));
}

/** Weights of searches by words, in bytes. */
export const WORD_WEIGHTS = {
  had: 45, // for having a word, wherever
  denied: 25, // at most, for a word that the food does not have: "Butter, without salt" for `salt`
  wholeName: 90, // if the name has no other words; of words not typed, no more than all in their best places
  rarity: 0.7, // the part of a word's weight that depends on how rare it is
};

/** The byte of a word of another name, which counts like one of a later part of the description. */
export const OTHER_NAME_PLACE: number = placeScoreOf(POINTS.wholeWord);

/** The byte of each word of a whole other name: on average that of a name that is all of the description. */
export const wholeNamePlace = (words: number): number =>
  placeScoreOf(
    words === 1
      ? POINTS.front + POINTS.wholeWord + POINTS.whole + POINTS.wholeFront + POINTS.wholeName
      : POINTS.front + POINTS.wholeWord + POINTS.endsFront,
  );

/** The points of a denied word, before PLACE_WEIGHT. */
export const deniedPoints = (): number => ((WORD_WEIGHTS.denied - PLACE_ZERO) * STEP) / PLACE_WEIGHT;

/** What is subtracted from a place, never below 0, if the word is there ... */
export const PLURAL_LOSS = 6; // in the plural, or in the singular if the text has the plural
export const BEGUN_LOSS = 120; // as the beginning of another word ...
export const BEGUN_GAIN = 27; // ... less, the more common that is: nothing if every food had it

/** What is subtracted from the place of a word if the text has only its beginning. @param foods that have the word */
export const begunLoss = (foods: number, allFoods: number): number =>
  BEGUN_LOSS - Math.round((BEGUN_GAIN * Math.log2(foods)) / Math.log2(Math.max(2, allFoods)));

/** What the place of a word adds at most, but for whole names. */
const MOST_PLACE = 154;

/** What a food loses for a word that it does not have, compared with one where the word is all that names the food. */
export const missingLoss = (): number => WORD_WEIGHTS.had + MOST_PLACE;

/** What a word is worth at a place of no points. */
export const plainGain = (): number => WORD_WEIGHTS.had + PLACE_ZERO;

/** The weight of a word, in parts of WEIGHT_UNIT: a rare word says more than a common one. */
export const WEIGHT_UNIT = 64;

/** @param foods that have the word, each once or more; @param allFoods of the data set */
export function weightOf(foods: number, allFoods: number): number {
  const rarity = 1 - Math.log2(Math.max(1, Math.min(foods, allFoods))) / Math.log2(Math.max(2, allFoods));
  return Math.round(WEIGHT_UNIT * (1 - WORD_WEIGHTS.rarity * (1 - rarity)));
}
