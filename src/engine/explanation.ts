/** Explains the rank of a food in an answer: the summands of its score, by the same rules that made the index. */

import { type FoodRecord, fold } from '#core';
import type { EverydayFoods } from './order/everyday-foods.ts';
import { type FoodName, keyOfName, nameOf } from './order/food-name.ts';
import { bestMatch, isWhole, type MatchesAt } from './order/match-end.ts';
import { POINTS, popularityLevel } from './order/points.ts';
import { Ranking, type Reason } from './order/ranking.ts';
import { NameStatistics } from './order/statistics.ts';
import { wordsOf } from './words/asked-words.ts';
import { isNamed } from './words/name-keys.ts';
import type { ReadingParts } from './words/word-search.ts';

/** Why a food of an answer has its place. */
export interface FoodParts {
  readonly food: FoodRecord;
  /** Whether an earlier food has its name. */
  readonly isRepeat: boolean;
  /** The folded text that was searched for, or a word and its other forms; and where they match. */
  readonly asked: readonly string[];
  readonly matchesAt: MatchesAt;
  /** In a search for several words: those of the food that count by their places, each with its weight, and the other summands. */
  readonly reading: ReadingParts | undefined;
}

type NamedFood = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

export interface Explanation {
  readonly points: number;
  /** Why it comes before or after all others, whatever its points. */
  readonly precedence: readonly string[];
  readonly reasons: readonly Reason[];
}

export class Explainer {
  readonly #ranking: Ranking;
  /** By the text of its key, how many foods have a name. */
  readonly #foodsNamed = new Map<string, number>();
  /** The popularity of the most popular food. */
  #most = 0;

  /** @param foods all of the data set, because the rules count words in them */
  constructor(foods: Iterable<NamedFood>, everydayFoods: EverydayFoods | undefined) {
    const statistics = new NameStatistics();
    for (const food of foods) {
      const name = read(food);
      statistics.add(name);
      this.#most = Math.max(this.#most, food.popularity ?? 0);
      this.#foodsNamed.set(textOfKey(name), (this.#foodsNamed.get(textOfKey(name)) ?? 0) + 1);
    }
    this.#ranking = new Ranking(statistics, everydayFoods);
  }

  explain({ food, isRepeat, asked, matchesAt, reading }: FoodParts): Explanation {
    const ranking = this.#ranking;
    const name = read(food);
    const level = popularityLevel(food.popularity ?? 0, this.#most);
    const statics = [level, this.#foodsNamed.get(textOfKey(name)) ?? 0] as const;
    const precedence = isRepeat ? ['the name of an earlier food: after all other names'] : [];
    const { names = [] } = food;
    const others = new Set(names.flatMap(wordsOf));
    if (reading !== undefined) {
      const places = reading.places.flatMap(({ word, weight }) =>
        ranking.explainPlace(name, word, others.has(word)).map(({ text, about, points }) => ({
          text,
          about: about === '' ? word : `${word}: ${about}`,
          points: weight * points,
        })),
      );
      const reasons = [...ranking.explainStatic(name, ...statics), ...places, ...reading.reasons];
      return explanationOf(reasons, precedence);
    }
    const best = bestMatch(name.folded, ranking.scores(name, ...statics).words, matchesAt);
    const reasons = ranking.explain(name, best?.position ?? -1, best?.end ?? 'inside', ...statics);
    if (best?.isPlural) reasons.push({ text: 'plural', about: '', points: POINTS.plural });
    if (asked.some((form) => isWhole(name.folded, form)))
      precedence.push('exactly the text: before all others');
    else if (isNamed(names, asked.slice(0, 1))) precedence.push('another name of it: before all others');
    else if (best === undefined && others.size > 0)
      precedence.push('in another name: after all that have it in their description');
    else if (best === undefined && name.folded.includes(asked[0]!))
      precedence.push('inside a word: after all matches that begin one');
    else if (best === undefined) precedence.push('in letters of full width: after all that have it as typed');
    return explanationOf(reasons, precedence);
  }
}

const explanationOf = (reasons: readonly Reason[], precedence: readonly string[]): Explanation => ({
  points: reasons.reduce((sum, { points }) => sum + points, 0),
  precedence,
  reasons: reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points)),
});

function textOfKey(name: FoodName): string {
  const { low, high } = keyOfName(name);
  return `${low} ${high}`;
}

function read({ description, name }: NamedFood): FoodName {
  const composed = description.normalize('NFC');
  return nameOf(composed, fold(composed), name?.normalize('NFC').length ?? 0);
}
