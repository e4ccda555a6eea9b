/**
 * The foods of a query, those that begin with it first.
 */
import { type Correction, type FoodsByWords, MAX_FOODS } from '../../src/browser/search-foods.ts';
import { type Food, foodOf } from '../foods/food.ts';
import { beginsWith, fold, formsOf, type Marks, wordsOf } from './matched-text.ts';

export interface Query {
  readonly text: string;
  /** Nothing but the text as it stands, where a correction is not wanted. */
  readonly isExact: boolean;
}

export interface FoundFoods {
  readonly query: Query;
  readonly foods: readonly Food[];
  /** The query with its corrections; undefined if there are none. */
  readonly corrected: string | undefined;
  /** No food has all words; these have most of them. */
  readonly isPartial: boolean;
  readonly marks: Marks;
  readonly mayHaveMore: boolean;
  /** Tells data sets apart; null if it cannot be read. */
  readonly tag: string | null;
}

export async function findFoods(
  query: Query,
  lookup: (query: Query) => Promise<FoodsByWords>,
): Promise<FoundFoods> {
  const { foods: entries, corrections, tag } = await lookup(query);
  const foods = entries.map(foodOf);
  const begun = foods.filter(({ description }) => beginsWith(description, query.text));
  const others = begun.length === 0 ? foods : foods.filter((food) => !begun.includes(food));
  const corrected = correctedText(query.text, corrections);
  const words = query.isExact ? [] : wordsOf(corrected);
  const names = foods.map(({ description }) => fold(description));
  return {
    query,
    foods: [...begun, ...others],
    corrected: corrections.length === 0 ? undefined : corrected,
    isPartial: !names.some((name) => words.every((word) => name.includes(word.slice(0, ROOT)))),
    marks: { texts: [query.text, ...words.flatMap(formsOf)], isAnywhere: query.isExact },
    mayHaveMore: foods.length >= MAX_FOODS,
    tag,
  };
}

/** Forms of a word have their first letters in common. */
const ROOT = 3;

function correctedText(text: string, corrections: readonly Correction[]): string {
  return corrections.reduce((all, { typed, searched }) => {
    const at = fold(all).indexOf(fold(typed));
    return at < 0 ? searched : all.slice(0, at) + searched + all.slice(at + typed.length);
  }, text);
}
