/**
 * Searches for a query as typed and, if that has no matches, for its words one by one.
 */
import { MAX_FOODS } from '../../src/browser/search-foods.ts';
import { type Food, foodKey } from '../foods/food.ts';
import { beginsWord, contains, fold } from './matched-text.ts';

export interface FoundFoods {
  readonly query: string;
  readonly foods: readonly Food[];
  /** The words that every food contains; undefined if the foods contain the query as typed. */
  readonly words: readonly string[] | undefined;
  readonly mayHaveMore: boolean;
}

/** Asks the service for the foods that contain a text. */
export type Lookup = (text: string) => Promise<readonly Food[]>;

/** Each word is a request, so a pasted page of text must not cause hundreds of them. */
const MAX_WORDS = 6;

export async function findFoods(query: string, lookup: Lookup): Promise<FoundFoods> {
  const foods = await lookup(query);
  const words = wordsOf(query);
  if (foods.length > 0 || words.length < 2 || words.length > MAX_WORDS) {
    return { query, foods, words: undefined, mayHaveMore: foods.length >= MAX_FOODS };
  }
  const answers = await Promise.all(words.map(lookup));
  const common = foodsInAll(answers, words);
  return {
    query,
    foods: common.slice(0, MAX_FOODS),
    words,
    // A complete answer contains every food that the answers have in common.
    mayHaveMore: common.length > MAX_FOODS || answers.every((answer) => answer.length >= MAX_FOODS),
  };
}

/** The distinct words of a text, without commas. */
export function wordsOf(text: string): readonly string[] {
  const words = text.split(/[\s,;]+/u).filter((word) => word !== '');
  return words.filter((word, index) => words.findIndex((other) => fold(other) === fold(word)) === index);
}

/**
 * The foods that contain all words. Those in which more words match at the beginning of a word come first (egg, not
 * veggie), then those that rank higher in the answers.
 */
function foodsInAll(answers: readonly (readonly Food[])[], words: readonly string[]): readonly Food[] {
  const ranks = new Map<string, { readonly food: Food; readonly begun: number; rank: number }>();
  for (const answer of answers) {
    for (const [index, food] of answer.entries()) {
      if (!words.every((word) => contains(food.description, word))) continue;
      const key = foodKey(food);
      const known = ranks.get(key) ?? {
        food,
        begun: words.filter((word) => beginsWord(food.description, word)).length,
        rank: answers.length * MAX_FOODS,
      };
      known.rank += index - MAX_FOODS;
      ranks.set(key, known);
    }
  }
  return [...ranks.values()]
    .toSorted(
      (a, b) => b.begun - a.begun || a.rank - b.rank || a.food.description.length - b.food.description.length,
    )
    .map(({ food }) => food);
}
