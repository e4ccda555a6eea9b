/**
 * The order of the results: type `milk` and get milk, not buttermilk biscuits.
 *
 * A food scores as the best place where the query stands in its name does. The score of a place is a sum of
 *   - static points of the name: word lists (raw up, baby food down), brand, size of its family, length;
 *   - points of the place: in the part that names the food or in a later one, begins that part or ends it;
 *   - points of how the match ends: with its part, a word, a plural, or inside a word (`MatchEnd`).
 * A match that begins inside a word (`tea` in "steak") stands behind all others, by the static score alone.
 * Equal scores: the higher static score, then the shorter name, then the earlier food.
 *
 * Why this form: the index is a suffix array whose word beginnings carry numbers made at build time. So nothing here
 * may depend on the query but the way the match ends, which splits its range into a few. Words that the query
 * itself contains need no special care: every match has them, and what all have changes no order.
 *
 * A name is split at commas into segments, as USDA writes them ("Fish, salmon, pink, raw"). A name without
 * commas ("Organic whole milk 1L") is one segment, whose last word says what it is. Points are in tenths.
 */

import { type FoodName, IN_BRACKETS, textOf } from './food-name.ts';
import type { MatchEnd } from './match-end.ts';
import type { NameStatistics } from './statistics.ts';

const listOf = (text: string): string[] => text.split(',').map((item) => item.trim().replace(/\s+/g, ' '));

/** First segments that name a shelf and not a food: what follows counts as if it stood first. */
const SHELVES: ReadonlySet<string> = new Set(
  listOf(`
  fish, nuts, seeds, beverages, spices, herbs, crustaceans, mollusks, cereals, cereals ready-to-eat,
  snacks, alcoholic beverage, wine, distilled, beans, squash, summer, winter, salad dressing, candies,
  game meat, variety meats and by-products, cured, melons, fast foods, fast food, restaurant,
  family style, sweeteners, fruit, fruits, vegetables, meat, poultry, dairy, drinks, grains, desserts`),
);

/** First segments that are dishes: what follows is a flavour, and `vanilla` is not first of all a pudding. */
const DISHES: ReadonlySet<string> = new Set(
  listOf(`
  puddings, yogurt, bread, cookies, soup, pie, cake, ice creams, muffins, toppings, gravy, crackers,
  babyfood, infant formula, pancakes, waffles, frostings, toaster pastries, pie fillings, sausage, oil,
  gelatin desserts, rolls, bagels, doughnuts, frozen novelties, formulated bar, fruit juice smoothie,
  coffeecake, sweet rolls, danish pastry, sandwiches, pizza, bologna, frankfurter, luncheon meat`),
);

/** The last word behind one of these is an addition: "Macaroni and cheese" is no cheese. */
const LINKS: ReadonlySet<string> = new Set(
  listOf(
    'and, with, in, of, for, on, n, de, du, des, d, au, aux, à, la, le, et, mit, und, con, y, e, di, al',
  ),
);

interface Kind {
  readonly reason: string;
  /** In tenths. */
  readonly points: number;
  readonly where: string;
}

/**
 * Words that tell the plain food from its special forms: reason | points in tenths | where | words. A kind
 * counts once; pairs of words go before single ones. "outside": not in brackets, where words explain.
 * "front": only in the segment that names the food.
 */
const KINDS_TABLE = `
  harmless | 0 | outside | and skin, and fat, and liquid, and liquids, and half, and yolk, with skin,
    with salt, with bone, with added, dry heat, dry roasted, oil roasted, light meat, light whipping,
    low moisture;
  raw | 10 | outside | raw;
  plain form | 10 | outside | plain, regular, generic, average, composite, nfs, ns, mixed species, all
    varieties, all types, all classes, all areas, all commercial;
  cooked | 3 | outside | cooked, boiled, baked, roasted, ckd;
  fresh or whole | 2 | outside | fresh, frsh, whole, whl, enriched;
  baby food | -60 | anywhere | babyfood, baby food, infant, infants, toddler, toddlers;
  regional | -30 | anywhere | native, navajo, hopi, apache, shoshone, indians, alaska;
  for big kitchens | -30 | anywhere | usda, commodity, industrial, foodservice, institutional, school;
  imitation | -30 | anywhere | imitation, substitute, substitutes, meatless, vegetarian, analog,
    analogue, replacer;
  eaten out | -15 | outside | restaurant, fast foods, fast food;
  a part | -15 | outside | fat only, separable fat, giblets, skin, neck, heart, liver, gizzard, tail,
    feet, tongue, brain, lungs, spleen, kidneys, ears, by products, variety meats, peel, leaf, leaves,
    leafy, greens, tops, shoots, hulls, shells;
  made from it | -15 | front | flour, oil, paste, starch, bran, germ, meal;
  dried | -12 | outside | dried, dehydrated, dehyd, dry, powder, powdered, pdr, concentrate,
    concentrated, mix, instant, flakes, evaporated;
  diet form | -12 | outside | reduced, low, lo, lowfat, lofat, nonfat, diet, dietetic, dietary, light,
    lite, free, unsweetened, calorie, fortified, enhanced;
  special form | -10 | outside | sprouted, microwaved, stewed, fried, scalloped, creamed, smoked,
    imported, select, zealand, australian, choice, prime, baby, blend, mixture;
  sweetened, coated or flavoured | -7 | outside | sweetened, candied, glazed, coated, filled, stuffed,
    breaded, breading, battered, batter, flavor, flavored, flavour, flavoured;
  canned or pickled | -7 | outside | canned, cnd, syrup, pickled, bottled, jarred;
  frozen | -7 | outside | frozen, frz, refrigerated;
  with something | -3 | outside | with, and;`;

const KINDS: Kind[] = [];
const KIND_OF = new Map<string, number>();
const BEGINS_PAIR = new Set<string>();
for (const row of KINDS_TABLE.split(';').slice(0, -1)) {
  const [reason = '', points = '', where = '', words = ''] = row.split('|').map((cell) => cell.trim());
  for (const text of listOf(words)) {
    KIND_OF.set(text, KINDS.length);
    if (text.includes(' ')) BEGINS_PAIR.add(text.slice(0, text.indexOf(' ')));
  }
  KINDS.push({ reason, points: Number(points), where });
}

/** Weights in tenths, round and set by hand: fitted to judged queries they did not carry over to others. */
export const POINTS = {
  // where the match stands
  textStart: 8, // "Cream, fluid" before "Cheese, cream"
  front: 20, // in the segment that names the food ...
  behindShelf: 25, // ... also behind a shelf; more, to make up for the text start
  second: 10, // in the second segment: a kind of the food; nothing where it is the flavour of a dish
  brackets: -10,
  // how much of the segment it is
  whole: 20, // all of it: "Egg, white" for `egg`
  wholeFront: 25, // and that segment names the food
  begins: 10, // its first words: "Peanut butter" for `peanut`
  beginsOnlyWord: 10, // a beginning of its only word: "Cheese" for `che`
  ends: 5, // its last words, which in English say what it is: "White bread" for `bread`
  endsFront: 20,
  wholeWord: 20, // `ham` is ham before it is a beginning of "hamburger"
  plural: -5, // `egg` finds "eggs" right behind "egg"
  // what the data set tells (0 for a single one, the full points if every food had it)
  beganWord: 23, // the word that is only begun: the common one is meant (`che`: cheese, not cherimoya)
  family: 10, // foods with the same first segment: many of them tell a common food ...
  subfamily: 13, // ... and so do many with the same first two
  secondWord: 10, // the second segment's first word: "Cheese, cheddar" before "Cheese, gjetost"
  // of the name
  mainForm: 3, // a good word (raw, plain, cooked, whole) as second segment: "Milk, whole" is the main kind
  brand: -15, // a word in capitals; mild, since some foods exist only as a brand
  length: -4, // each doubling of the length, from 20 characters
};

/** Scores fit into a byte. In USDA's data they run from -98 to 129. */
export const SCORE_MIN = -100;
export const SCORE_MAX = 155;

/** Why a food scores what it does. `about` is the word or the part of the name that is meant, or empty. */
export interface Reason {
  readonly text: string;
  readonly about: string;
  /** In tenths. */
  readonly points: number;
}

/** A place where a word begins (a position in the folded description), with its score for each end of a match. */
export type WordScores = { readonly position: number } & Readonly<Record<MatchEnd, number>>;

/** Scoring and explaining are the same code: with a list, each summand is also written down. */
function note(reasons: Reason[] | null, points: number, text: string, about = ''): number {
  if (reasons !== null && points !== 0) reasons.push({ text, about, points });
  return points;
}

const toScore = (points: number): number => Math.max(SCORE_MIN, Math.min(SCORE_MAX, Math.round(points)));

export class Ranking {
  readonly #statistics: NameStatistics;

  constructor(statistics: NameStatistics) {
    this.#statistics = statistics;
  }

  /** The score of a name by itself: the order of matches inside words, and of equal scores. */
  staticScore(name: FoodName): number {
    return toScore(this.#staticPoints(name, frontOf(name), null));
  }

  /** The scores of all positions where a word begins. */
  wordScores(name: FoodName): WordScores[] {
    const front = frontOf(name);
    const base = this.#staticPoints(name, front, null);
    const scoreOf = (word: number, end: MatchEnd): number =>
      toScore(base + this.#placePoints(name, front, word, end, null));
    return name.words.map((word, i) => ({
      position: word.start,
      segmentEnd: scoreOf(i, 'segmentEnd'),
      wordEnd: scoreOf(i, 'wordEnd'),
      inside: scoreOf(i, 'inside'),
    }));
  }

  /** What the score of a match at `position` is made of; of the static score where no word begins there. */
  explain(name: FoodName, position: number, end: MatchEnd): Reason[] {
    const reasons: Reason[] = [];
    const front = frontOf(name);
    this.#staticPoints(name, front, reasons);
    const index = name.words.findIndex((word) => word.start === position);
    if (index >= 0) this.#placePoints(name, front, index, end, reasons);
    return reasons;
  }

  #staticPoints(name: FoodName, front: number, reasons: Reason[] | null): number {
    const { folded, words } = name;
    let sum = 0;
    let counted = 0; // one bit a kind
    let branded = false;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      let text = textOf(folded, word);
      if (word.brand && !branded) {
        branded = true;
        sum += note(reasons, POINTS.brand, 'brand', text);
      }
      let index = KIND_OF.get(text);
      if (i + 1 < words.length && BEGINS_PAIR.has(text)) {
        const pair = `${text} ${textOf(folded, words[i + 1]!)}`;
        const indexOfPair = KIND_OF.get(pair);
        if (indexOfPair !== undefined) {
          index = indexOfPair;
          text = pair;
          i++;
        }
      }
      if (index === undefined || (counted & (1 << index)) !== 0) continue;
      const { reason, points, where } = KINDS[index]!;
      if (where !== 'anywhere' && word.segment === IN_BRACKETS) continue;
      if (where === 'front' && word.segment !== front) continue;
      counted |= 1 << index;
      sum += note(reasons, points, reason, text);
      const isMainForm = points > 0 && word.begins && word.segment === front + 1;
      if (isMainForm) sum += note(reasons, POINTS.mainForm, 'as its main form', text);
    }
    return (
      sum +
      this.#familyPoints(name, reasons) +
      note(reasons, POINTS.length * Math.log2(Math.max(folded.length, 1) / 20), 'length')
    );
  }

  #familyPoints({ folded, words, segments }: FoodName, reasons: Reason[] | null): number {
    const [first, second] = segments;
    if (first === undefined) return 0;
    const share = this.#statistics.family(first);
    const sum = note(reasons, POINTS.family * share, 'common food', textOf(folded, first));
    if (second === undefined) return sum;
    const kind = words[second.firstWord]!;
    const shareOfBoth = this.#statistics.family(first, second);
    return (
      sum +
      note(reasons, POINTS.subfamily * shareOfBoth, 'common kind of it', textOf(folded, second)) +
      note(reasons, POINTS.secondWord * this.#statistics.word(kind), 'common word', textOf(folded, kind))
    );
  }

  #placePoints(
    name: FoodName,
    front: number,
    index: number,
    end: MatchEnd,
    reasons: Reason[] | null,
  ): number {
    const word = name.words[index]!;
    const inFront = word.segment !== IN_BRACKETS && word.segment <= front;
    let sum = index === 0 ? note(reasons, POINTS.textStart, 'first word of the name') : 0;
    if (word.segment === IN_BRACKETS) sum += note(reasons, POINTS.brackets, 'in brackets');
    else if (word.segment === 0) sum += note(reasons, POINTS.front, 'in the part that names the food');
    else if (inFront) sum += note(reasons, POINTS.behindShelf, 'names the food, behind its shelf');
    else if (word.segment === 1 && !isDish(name)) sum += note(reasons, POINTS.second, 'in the second part');

    if (end !== 'inside') sum += note(reasons, POINTS.wholeWord, 'a whole word');
    else sum += note(reasons, POINTS.beganWord * this.#statistics.word(word), 'begins a common word');

    if (end === 'segmentEnd' || (end === 'wordEnd' && word.ends)) {
      if (word.begins) {
        sum += note(reasons, POINTS.whole, 'all of its part');
        if (inFront) sum += note(reasons, POINTS.wholeFront, 'all that names the food');
      } else if (!LINKS.has(textOf(name.folded, name.words[index - 1]!))) {
        sum += note(reasons, inFront ? POINTS.endsFront : POINTS.ends, 'ends its part: says what it is');
      }
    } else if (word.begins && inFront) {
      sum += note(reasons, POINTS.begins, 'begins what names the food');
      if (word.ends && end === 'inside') sum += note(reasons, POINTS.beginsOnlyWord, 'begins its only word');
    }
    return sum;
  }
}

/** The segment that names the food: the first that is no shelf. */
function frontOf({ folded, segments }: FoodName): number {
  let front = 0;
  while (front < segments.length - 1 && SHELVES.has(textOf(folded, segments[front]!))) front++;
  return front;
}

function isDish({ folded, segments }: FoodName): boolean {
  return segments.length > 1 && DISHES.has(textOf(folded, segments[0]!));
}
