/**
 * The rules of the order applied to every match of every food, without an index: what the engine must answer,
 * in which order.
 */

import { fold } from '../../src/fold.ts';
import { type FoodRecord, MAX_ENTRIES } from '../../src/food.ts';
import type { EverydayFoods } from '../../src/search/ranking/everyday-foods.ts';
import { nameOf } from '../../src/search/ranking/food-name.ts';
import { endAt, endOfText } from '../../src/search/ranking/match-end.ts';
import { pluralScore } from '../../src/search/ranking/points.ts';
import { Ranking, type WordScores } from '../../src/search/ranking/ranking.ts';
import { NameStatistics } from '../../src/search/ranking/statistics.ts';

type Named = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

interface Ranked {
  readonly arrival: number;
  readonly description: string;
  readonly folded: string;
  readonly isRepeat: boolean;
  readonly staticScore: number;
  readonly scores: ReadonlyMap<number, WordScores>;
}

/** Above all scores of a byte, and below them. */
const [WHOLE, INSIDE_WORDS] = [1000, -1000];

export class RulesOracle {
  readonly #foods: Ranked[];

  constructor(foods: readonly (string | Named)[], everydayFoods?: EverydayFoods) {
    const statistics = new NameStatistics();
    const named = foods.map((food): Named => (typeof food === 'string' ? { description: food } : food));
    const names = named.map(({ description, name }) => {
      const composed = description.normalize('NFC');
      return nameOf(composed, fold(composed), name?.normalize('NFC').length ?? 0);
    });
    for (const name of names) statistics.add(name);
    const ranking = new Ranking(statistics, everydayFoods);
    const most = Math.max(0, ...named.map(({ popularity = 0 }) => popularity));
    const firsts = firstOfEachName(named);
    this.#foods = named.map(({ description, popularity = 0 }, arrival) => {
      const share = popularity === 0 ? 0 : Math.log2(1 + popularity) / Math.log2(1 + most);
      const level = popularity === 0 ? 0 : Math.max(1, Math.round(255 * share));
      const { staticScore, words } = ranking.scores(names[arrival]!, level);
      return {
        arrival,
        description: description.normalize('NFC'),
        folded: fold(description),
        isRepeat: !firsts.has(arrival),
        staticScore,
        scores: new Map(words.map((word) => [word.position, word])),
      };
    });
    this.#foods.sort(
      (a, b) =>
        Number(a.isRepeat) - Number(b.isRepeat) ||
        b.staticScore - a.staticScore ||
        a.description.length - b.description.length ||
        a.arrival - b.arrival,
    );
  }

  /** Numbers of arrival of the foods that the query must find, best first. */
  search(query: string): number[] {
    const folded = fold(query);
    const matching = this.#foods.filter((food) => food.folded.includes(folded));
    const wholes = [folded, `${folded}s`, `${folded}es`].map((whole) =>
      matching.find((food) => food.folded === whole && !food.isRepeat),
    );
    const ranked = matching.map((food) => {
      const ending = wholes.indexOf(food);
      const score = ending < 0 ? bestScore(food, folded) : WHOLE - Number(ending > 0);
      return { food, score };
    });
    // The sort is stable, so that equal scores stay in the static order.
    ranked.sort((a, b) => Number(a.food.isRepeat) - Number(b.food.isRepeat) || b.score - a.score);
    return ranked.slice(0, MAX_ENTRIES).map(({ food }) => food.arrival);
  }
}

/** The arrival of the most popular food of each name, or of the first of these. */
function firstOfEachName(foods: readonly Named[]): ReadonlySet<number> {
  const firsts = new Map<string, number>();
  for (const [arrival, { description, name = description, popularity = 0 }] of foods.entries()) {
    const key = fold(name)
      .replace(/[\t-\r \u00a0]+/g, ' ')
      .replace(/^ | $/g, '');
    const best = firsts.get(key);
    if (best === undefined || popularity > (foods[best]!.popularity ?? 0)) firsts.set(key, arrival);
  }
  return new Set(firsts.values());
}

/** Matches inside words score below all others, and all alike. */
function bestScore({ folded: description, isRepeat, scores }: Ranked, folded: string): number {
  let best = INSIDE_WORDS;
  for (let at = description.indexOf(folded); at >= 0; at = description.indexOf(folded, at + 1)) {
    const word = scores.get(at);
    if (word === undefined) continue;
    const closed = endOfText(folded);
    const { end, isPlural } = closed
      ? { end: closed, isPlural: false }
      : endAt(description, at + folded.length);
    // The index keeps the scores of repeats in 24 steps.
    const score = isRepeat ? Math.floor((word[end] * 24) / 256) : word[end];
    best = Math.max(best, score + (isPlural ? pluralScore() : 0));
  }
  return best;
}
