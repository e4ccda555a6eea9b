/** Amounts of a food in grams, by its portions: "2" of an egg is twice its portion "1 large". */
import type { Portion } from '#core';
import type { Amount, Quantity, Unit } from './amount.ts';
import { decimalOf, type Fraction, fraction, isLess, ONE, ofDecimal, over, plus, times } from './fraction.ts';
import { lineOf, matchAt } from './line.ts';
import { numberAt } from './numbers.ts';
import { TWO_WEIGHTS } from './statements.ts';
import { plain } from './tokens.ts';
import { singularOf } from './word-forms.ts';
import { KIND, PIECE, type Words } from './words.ts';

export interface Weighed {
  /** Exact, or rounded half up to six digits after the point; absent if the weight is unknown. */
  readonly grams?: string;
  /** The portion by which a single quantity was weighed, and how many of it. */
  readonly portion?: Portion;
  readonly count?: string;
  /** One sentence: why the weight is unknown, or what was assumed. */
  readonly note?: string;
}

export interface Food {
  readonly description: string;
  readonly portions: readonly Portion[];
}

/** A portion as it is compared: "1/2 cup, chopped" is half a cup, and about chopped food. */
interface Said {
  readonly number: Fraction;
  readonly unit: Unit;
  /** All its words, in the singular. */
  readonly words: readonly string[];
  /** Those that say what state of the food is measured. */
  readonly states: readonly string[];
}

interface Counted extends Said {
  readonly portion: Portion;
}

/** A food that is weighed, and the words that were typed for it. */
interface Typed {
  readonly description: string;
  readonly portions: readonly Counted[];
  readonly typed: ReadonlySet<string>;
  readonly marks: Words['marks'];
}

const MAX_GRAMS = fraction(100_000);

const wordsIn = (text: string): readonly string[] =>
  (text.match(/\p{L}+/gu) ?? []).map((word) => singularOf(word.toLowerCase()));

/** Whether portions are needed to weigh it. */
export const needsPortions = ({ parts }: Amount): boolean => parts.some(({ unit }) => unit.kind !== 'g');

/** @param text what was typed: of a cup of cream and one of whipped cream it says which is meant */
export function weigh(amount: Amount, food: Food, words: Words, text: string): Weighed {
  if (amount.doubt !== undefined) return { note: amount.doubt };
  // "breadcrumbs or panko" are breadcrumbs, and flour of almonds is ground.
  const meant = text.replace(/\bor\b.*/s, '').replace(/\b(?:flour|meal)\b/gi, '$& ground');
  const typed = new Set(wordsIn(meant));
  const { marks } = words;
  const asked = { description: food.description, portions: countedOf(food.portions, words), typed, marks };
  const weighed = amount.parts.map((part) => weighQuantity(part, asked));
  let sum = fraction(0);
  for (const each of weighed) {
    if ('note' in each) return each;
    sum = plus(sum, each.grams);
  }
  if (isLess(MAX_GRAMS, sum)) return { note: 'That is more than 100 kg.' };
  const grams = decimalOf(sum);
  const [only] = weighed;
  return weighed.length === 1 && only !== undefined && 'portion' in only && only.portion
    ? { grams, portion: only.portion, count: decimalOf(only.count) }
    : { grams };
}

type Part =
  | { readonly grams: Fraction; readonly portion?: Portion; readonly count: Fraction }
  | { readonly note: string };

/** The middle of a range counts, if its ends are not too far apart. */
function weighQuantity({ times: factor, least, most, unit }: Quantity, food: Typed): Part {
  if (isLess(times(least, fraction(3)), most)) return { note: TWO_WEIGHTS };
  const count = times(factor, over(plus(least, most), fraction(2)));
  if (unit.kind === 'g') return { grams: times(count, unit.size), count };
  const isGlass =
    unit.kind === 'ml' &&
    !/^(?:[cdm]?l|tsp|tbsp|cup|fl oz|pint|quart|gallon)$/.test(unit.name) &&
    food.marks.has('drink', food.description);
  const found = isGlass ? undefined : unit.kind === 'piece' ? pieceOf(unit, food) : measureOf(unit, food);
  if (found === undefined)
    return { note: `The weight of ${unit.name === '' ? 'a piece' : `“${unit.name}”`} is not known.` };
  const { portion, number } = found;
  // Of a portion of another size, "1 cup" for "1 tbsp", the grams follow from the millilitres.
  const ratio = unit.kind === 'ml' ? over(unit.size, found.unit.size) : ONE;
  const portionCount = times(over(count, number), ratio);
  return { grams: times(portionCount, ofDecimal(portion.grams)), portion, count: portionCount };
}

/** What portions say, which are few texts of many foods; empty if one has no number. */
const said = new WeakMap<Words, Map<string, readonly Said[]>>();
const MOST_SAID = 2000;

function countedOf(portions: readonly Portion[], words: Words): readonly Counted[] {
  const known = said.get(words) ?? new Map<string, readonly Said[]>();
  if (known.size > MOST_SAID) known.clear();
  said.set(words, known);
  return portions.flatMap((portion) => {
    const read = known.get(portion.portion) ?? saidBy(portion.portion, words);
    known.set(portion.portion, read);
    return read.map(({ number, unit, words, states }) => ({ number, unit, words, states, portion }));
  });
}

function saidBy(portion: string, words: Words): readonly Said[] {
  const line = lineOf(plain(portion), { words, mark: '.' });
  const number = numberAt(line, 0);
  if (number === undefined || number.least.above === 0) return [];
  const match = matchAt(line, number.next, KIND.unit);
  const unit = match?.senses.find(({ language }) => language === 'en')?.unit ?? PIECE;
  const from = (at: number) =>
    wordsIn(line.text.slice(line.tokens[at]?.start ?? line.text.length).replace(/\(.*?\)/g, ''));
  const states = match === undefined ? [] : from(match.next);
  return [{ number: number.least, unit, words: from(number.next), states }];
}

/** How much a portion says that was not typed, less what it says that was; of "chopped or sliced" one is enough. */
function strangeness({ states }: Counted, names: readonly string[], { typed, marks }: Typed): number {
  if (states.includes('or')) return states.some((word) => typed.has(word)) ? -1 : 1;
  const own = states.filter((word) => !names.includes(word));
  return own.reduce(
    (sum, word) =>
      sum + (typed.has(word) ? -1 : marks.has('other state', word) ? 3 : Number(word !== 'whole')),
    0,
  );
}

/** A portion in the same unit, or in another one of volume; the plain one, unless the text says otherwise. */
function measureOf(unit: Unit, food: Typed): Counted | undefined {
  const { description, portions, typed } = food;
  const volumes = portions.filter((each) => each.unit.kind === 'ml');
  const names = wordsIn(description);
  const rank = (each: Counted) => 2 * strangeness(each, names, food) + (each.unit.name === unit.name ? 0 : 1);
  const best = volumes.toSorted((a, b) => rank(a) - rank(b))[0];
  // Nobody means a cup of whipped cream by a cup of cream.
  return best?.states.some((word) => word === 'whipped' && !typed.has(word)) ? undefined : best;
}

/** What a piece is called, too: strips of bacon are slices, and a package of yeast is a packet. */
const ALIKE: Readonly<Record<string, string>> = { strip: 'slice', package: 'packet', packet: 'package' };

const isSize = (word: string): boolean => /^(?:extra|large|medium|small)$/.test(word);

const isOfAnySize = (words: readonly string[], wanted: readonly string[]): boolean =>
  !words.some(isSize) && wanted.every((word) => isSize(word) || words.includes(word));

/** The portion with this name; without one, the food's own piece: "1 avocado", else a large or medium one, else any other. */
function pieceOf({ piece, name }: Unit, { description, portions, typed, marks }: Typed): Counted | undefined {
  const pieces = portions.filter(({ unit }) => unit.kind === 'piece');
  // USDA's dash is a pinch.
  const named = wordsIn(piece === 'piece' ? '' : piece.replace('pinch', 'dash') || name);
  const names = wordsIn(description);
  // The piece of bay leaves is a bay leaf.
  const wanted = named.every((word) => names.includes(word)) ? [] : named;
  const rank = (each: Counted) =>
    each.words.reduce((sum, word) => sum + (typed.has(word) ? -1 : Number(word !== 'medium')), 0);
  const sorted = pieces.toSorted((a, b) => rank(a) - rank(b));
  const isExtra = wanted[0] === 'extra';
  // Half a fillet is said of a side of fish, and a small package is not any.
  const exactOf = (all: readonly string[]) =>
    sorted.find(
      ({ words, number }) =>
        all.every((word) => words.includes(word)) &&
        isExtra === words.includes('extra') &&
        !(isLess(number, ONE) && words.includes('fillet')) &&
        !(words[0] === 'package' && words.includes('small') && !typed.has('small')),
    );
  const exact = exactOf(wanted) ?? exactOf([ALIKE[piece] ?? piece]);
  if (exact !== undefined && wanted.length > 0) return exact;
  // Where it has no sizes, a large clove is a clove.
  if (wanted.length > 1) return sorted.find(({ words }) => isOfAnySize(words, wanted));
  if (wanted.length > 0 && piece !== 'medium') return undefined;
  const own = pieces.filter(({ words }) => !marks.has('no piece', words[0] ?? ''));
  // Grape tomatoes are no medium ones, and duck legs no ducks.
  const other = marks.of('other piece').find((word) => typed.has(word) && !names.includes(word));
  if (other !== undefined) return own.find(({ words }) => words.includes(other));
  return (
    sorted.find(
      (each) => each.words.length > 0 && each.words.every((word) => typed.has(word)) && own.includes(each),
    ) ??
    own.find(({ words }) => names.includes(words[0] ?? '')) ??
    own.find(({ words }) => /^(large|medium)$/.test(words[0] ?? '')) ??
    own.find(({ words }) => words.some((word) => typed.has(word))) ??
    own.find(({ words }) => !/^(extra|small|mini)/.test(words[0] ?? '')) ??
    own[0]
  );
}
