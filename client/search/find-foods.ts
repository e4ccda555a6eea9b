/**
 * The foods of a query, those that begin with it first.
 */
import { type FoodEntry, MAX_FOODS, type MatchedWord } from '../../src/browser/search-foods.ts';
import { type Food, foodOf } from '../foods/food.ts';
import { beginsWith, fold, formsOf, type Marks, wordsOf } from './matched-text.ts';

export interface Query {
  readonly text: string;
  /** Search for exactly the typed text, without corrections. */
  readonly isExact: boolean;
}

/** The answer of the service. */
export interface Answer {
  readonly foods: readonly FoodEntry[];
  readonly corrections: readonly MatchedWord[];
  readonly tag: string | null;
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
  /** Identifies the data set; null if it cannot be read. */
  readonly tag: string | null;
}

export async function findFoods(
  query: Query,
  lookup: (query: Query) => Promise<Answer>,
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

/** Forms of a word begin with the same letters. */
const ROOT = 3;

function correctedText(text: string, corrections: readonly MatchedWord[]): string {
  return corrections.reduce((all, { typed, searched }) => {
    const at = fold(all).indexOf(fold(typed));
    return at < 0 ? searched : all.slice(0, at) + searched + all.slice(at + typed.length);
  }, text);
}
