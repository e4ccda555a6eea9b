/**
 * Says why a food stands where it does in an answer: the summands of its score, by the same rules that made
 * the index.
 */
import { fold } from '../../fold.ts';
import type { FoodRecord } from '../../food.ts';
import type { EverydayFoods } from './everyday-foods.ts';
import { nameOf } from './food-name.ts';
import { endAt, endOfText, isWhole, type MatchEnd } from './match-end.ts';
import { POINTS, pluralScore } from './points.ts';
import { Ranking, type Reason } from './ranking.ts';
import { NameStatistics } from './statistics.ts';

/** What the rules read of a food. */
export type NamedFood = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

/** Why a food stands before or behind all others, whatever its points. */
export type Precedence = 'whole description' | 'inside a word' | 'name of an earlier food';

export interface Explanation {
  /** In tenths: the sum of the reasons. */
  readonly points: number;
  /** In the order of their weight. */
  readonly precedence: readonly Precedence[];
  /** The summands, the largest first. */
  readonly reasons: readonly Reason[];
}

export class Explainer {
  readonly #statistics = new NameStatistics();
  readonly #ranking: Ranking;
  /** The first food of each description. */
  readonly #foods = new Map<string, NamedFood>();
  /** By the number of a name: the description of its first food. */
  readonly #firstOf: string[] = [];

  /**
   * @param foods all of the data set in their static order, since the rules count words in them
   * @param everydayFoods those that the index was made with
   */
  constructor(foods: Iterable<NamedFood>, everydayFoods: EverydayFoods | undefined) {
    for (const food of foods) {
      this.#firstOf[this.#statistics.add(read(food))] ??= food.description;
      if (!this.#foods.has(food.description)) this.#foods.set(food.description, food);
    }
    this.#ranking = new Ranking(this.#statistics, everydayFoods);
  }

  /**
   * Explains a food by the best place where its description contains the query, which it does.
   * @param repetition how many foods before it in the answer have the same description
   */
  explain(description: string, query: string, repetition: number): Explanation {
    const food = this.#foods.get(description) ?? { description };
    const name = read(food);
    const isRepeat = repetition > 0 || this.#firstOf[this.#statistics.numberOf(name)] !== description;
    const folded = fold(query);
    const { words } = this.#ranking.scores(name, food.popularity);
    const closed = endOfText(folded);
    let best: { score: number; position: number; end: MatchEnd; isPlural: boolean } | undefined;
    for (const word of words) {
      if (!name.folded.startsWith(folded, word.position)) continue;
      const { end, isPlural } =
        closed === undefined
          ? endAt(name.folded, word.position + folded.length)
          : { end: closed, isPlural: false };
      const score = word[end] + (isPlural ? pluralScore() : 0);
      if (best === undefined || score > best.score) best = { score, position: word.position, end, isPlural };
    }
    const reasons = this.#ranking.explain(name, best?.position ?? -1, best?.end ?? 'inside', food.popularity);
    if (best?.isPlural) reasons.push({ text: 'plural', about: '', points: POINTS.plural });
    const precedence: Precedence[] = [];
    if (isRepeat) precedence.push('name of an earlier food');
    if (isWhole(name.folded, folded)) precedence.push('whole description');
    else if (best === undefined) precedence.push('inside a word');
    return {
      points: reasons.reduce((sum, { points }) => sum + points, 0),
      precedence,
      reasons: reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points)),
    };
  }
}

function read({ description, name }: NamedFood) {
  const composed = description.normalize('NFC');
  return nameOf(composed, fold(composed), name?.normalize('NFC').length ?? 0);
}
