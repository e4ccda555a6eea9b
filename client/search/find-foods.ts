/**
 * One search as the page means it: the text as typed and, where that finds nothing, its words one by one.
 */
import { MAX_FOODS } from '../../src/browser/search-foods.ts';
import { type Food, foodKey } from '../food.ts';
import { beginsWord, holds } from './matched-text.ts';

export interface FoundFoods {
  /** The text that was searched for. */
  readonly text: string;
  readonly foods: readonly Food[];
  /** The words that every food holds, where no food holds the text as typed. */
  readonly words: readonly string[] | undefined;
  /** Whether there may be more foods than these. */
  readonly mayHaveMore: boolean;
}

/** Asks the service for the foods that hold a text. */
export type Lookup = (text: string) => Promise<readonly Food[]>;

/** Each word is a request, so a pasted page of text must not become hundreds of them. */
export const MAX_WORDS = 6;

export async function findFoods(text: string, lookup: Lookup): Promise<FoundFoods> {
  const foods = await lookup(text);
  const words = wordsOf(text);
  if (foods.length > 0 || words.length < 2 || words.length > MAX_WORDS) {
    return { text, foods, words: undefined, mayHaveMore: foods.length >= MAX_FOODS };
  }
  const answers = await Promise.all(words.map(lookup));
  const common = inAll(answers, words);
  return {
    text,
    foods: common.slice(0, MAX_FOODS),
    words,
    // One answer that is whole holds every food that can be in all of them.
    mayHaveMore: common.length > MAX_FOODS || answers.every((answer) => answer.length >= MAX_FOODS),
  };
}

/** The different words of a text, in its order, without the commas between them. */
export function wordsOf(text: string): readonly string[] {
  const words = text.split(/[\s,;]+/u).filter((word) => word !== '');
  return words.filter((word, index) => words.findIndex((other) => holdsEachOther(word, other)) === index);
}

const holdsEachOther = (a: string, b: string): boolean => holds(a, b) && holds(b, a);

/**
 * The foods that hold all words: first those where the words begin words (egg, not veggie), and among them those that
 * stand high in the answers.
 */
function inAll(answers: readonly (readonly Food[])[], words: readonly string[]): readonly Food[] {
  const ranks = new Map<string, { readonly food: Food; readonly begun: number; rank: number }>();
  for (const answer of answers) {
    for (const [place, food] of answer.entries()) {
      if (!words.every((word) => holds(food.description, word))) continue;
      const key = foodKey(food);
      const known = ranks.get(key) ?? {
        food,
        begun: words.filter((word) => beginsWord(food.description, word)).length,
        rank: answers.length * MAX_FOODS,
      };
      known.rank += place - MAX_FOODS;
      ranks.set(key, known);
    }
  }
  return [...ranks.values()]
    .toSorted(
      (a, b) => b.begun - a.begun || a.rank - b.rank || a.food.description.length - b.food.description.length,
    )
    .map(({ food }) => food);
}
