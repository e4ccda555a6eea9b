/**
 * The rules of the order applied to every match of every food, without an index: what the engine must answer,
 * in which order.
 */

import { fold } from '../../src/fold.ts';
import { MAX_ENTRIES } from '../../src/food.ts';
import { type FoodName, readName } from '../../src/search/ranking/food-name.ts';
import { endAt, endOfText } from '../../src/search/ranking/match-end.ts';
import { POINTS, Ranking, type WordScores } from '../../src/search/ranking/ranking.ts';
import { NameStatistics } from '../../src/search/ranking/statistics.ts';

interface Ranked {
  readonly description: string;
  readonly arrival: number;
  readonly staticScore: number;
  readonly name: FoodName;
  readonly scores: ReadonlyMap<number, WordScores>;
}

export class RulesOracle {
  readonly #foods: Ranked[];

  constructor(descriptions: readonly string[]) {
    const statistics = new NameStatistics();
    const names = descriptions.map((each) => readName(each.normalize('NFC'), fold(each)));
    for (const name of names) statistics.add(name);
    const ranking = new Ranking(statistics);
    this.#foods = names.map((name, arrival) => ({
      description: descriptions[arrival] ?? '',
      arrival,
      staticScore: ranking.staticScore(name),
      name,
      scores: new Map(ranking.wordScores(name).map((word) => [word.position, word])),
    }));
    this.#foods.sort(
      (a, b) =>
        b.staticScore - a.staticScore ||
        a.description.normalize('NFC').length - b.description.normalize('NFC').length ||
        a.arrival - b.arrival,
    );
  }

  /** Numbers of arrival of the foods that the text must find, best first. */
  search(text: string): number[] {
    const folded = fold(text);
    const matches = this.#foods.flatMap((food) => {
      const score = bestScore(food, folded);
      return score === undefined ? [] : [{ food, score }];
    });
    // The sort is stable, so that equal scores stay in the static order.
    matches.sort((a, b) => b.score - a.score);
    return matches.slice(0, MAX_ENTRIES).map(({ food }) => food.arrival);
  }
}

/** Undefined where the text does not match. Matches inside words score below all others, and all alike. */
function bestScore({ name, scores }: Ranked, folded: string): number | undefined {
  let best: number | undefined;
  for (let at = name.folded.indexOf(folded); at >= 0; at = name.folded.indexOf(folded, at + 1)) {
    const word = scores.get(at);
    let score = Number.NEGATIVE_INFINITY;
    if (word !== undefined) {
      const closed = endOfText(folded);
      const { end, isPlural } = closed
        ? { end: closed, isPlural: false }
        : endAt(name.folded, at + folded.length);
      score = word[end] + (isPlural ? POINTS.plural : 0);
    }
    if (best === undefined || score > best) best = score;
  }
  return best;
}
