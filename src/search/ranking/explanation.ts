/**
 * Explains the rank of a food in an answer: the summands of its score, by the same rules that made the index.
 */
import { fold } from '../../fold.ts';
import type { FoodRecord } from '../../food.ts';
import type { EverydayFoods } from './everyday-foods.ts';
import { type FoodName, IN_BRACKETS, nameOf, textOf } from './food-name.ts';
import { endAt, endOfText, isWhole, type MatchEnd } from './match-end.ts';
import { begunLoss, PLURAL_LOSS, POINTS, pluralScore, pointsOf, WHOLE_NAME_GAIN } from './points.ts';
import { Ranking, type Reason } from './ranking.ts';
import { NameNumbers, NameStatistics } from './statistics.ts';
import { formsOf } from './word-forms.ts';

/** The parts of a food that the rules read. */
export type NamedFood = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

/** Why a food comes before or after all others, whatever its points. */
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
  readonly #names = new NameNumbers();
  readonly #ranking: Ranking;
  /** The first food of each description. */
  readonly #foods = new Map<string, NamedFood>();
  /** By the number of a name: the description of its first food. */
  readonly #firstOf: string[] = [];
  /** By word: how many foods have it. */
  readonly #foodsWith = new Map<string, number>();
  #size = 0;

  /**
   * @param foods all of the data set in their static order, because the rules count words in them
   * @param everydayFoods those that the index was made with
   */
  constructor(foods: Iterable<NamedFood>, everydayFoods: EverydayFoods | undefined) {
    const statistics = new NameStatistics();
    for (const food of foods) {
      const name = read(food);
      statistics.add(name);
      this.#firstOf[this.#names.add(name)] ??= food.description;
      for (const word of new Set(wordsIn(name)))
        this.#foodsWith.set(word, (this.#foodsWith.get(word) ?? 0) + 1);
      this.#size++;
      if (!this.#foods.has(food.description)) this.#foods.set(food.description, food);
    }
    this.#ranking = new Ranking(statistics, everydayFoods);
  }

  /**
   * Explains a food by the best place where its description contains the query, which it does.
   * @param repetition the number of foods before it in the answer with the same description
   */
  explain(description: string, query: string, repetition: number): Explanation {
    const { name, popularity, sameName, precedence } = this.#look(description, repetition);
    const folded = fold(query);
    const { words } = this.#ranking.scores(name, popularity, sameName);
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
    const { position = -1, end = 'inside' } = best ?? {};
    const reasons = this.#ranking.explain(name, position, end, popularity, sameName);
    if (best?.isPlural) reasons.push({ text: 'plural', about: '', points: POINTS.plural });
    if (isWhole(name.folded, folded)) precedence.push('whole description');
    else if (best === undefined) precedence.push('inside a word');
    return explanationOf(reasons, precedence);
  }

  /**
   * Explains a food of a search by words.
   * @param asked the words that were searched for, each once, none of which begins another
   */
  explainWords(description: string, asked: readonly string[], repetition: number): Explanation {
    const { name, popularity, sameName, precedence } = this.#look(description, repetition);
    const words = wordsIn(name);
    const [only = ''] = asked;
    if (asked.length === 1) {
      const form = formsOf(only).find((each) => words.some((word) => word.startsWith(each)));
      return this.explain(description, form ?? only, repetition);
    }
    const { places } = this.#ranking.scores(name, popularity, sameName);
    const reasons = this.#ranking.explainStatic(name, popularity, sameName);
    for (const text of asked) {
      const worths = words.map((word, i) => places[i]! - this.#lossOf(word, text));
      const best = worths.indexOf(Math.max(...worths));
      const word = words[best]!;
      const loss = this.#lossOf(word, text);
      if (!Number.isFinite(loss)) continue;
      for (const { text: reason, about, points } of this.#ranking.explainPlace(name, best))
        reasons.push({ text: reason, about: about === '' ? word : `${word}: ${about}`, points });
      if (loss > 0)
        reasons.push({
          text: `not ${text} itself`,
          about: word,
          points: -pointsOf(Math.min(loss, places[best]!)),
        });
    }
    const own = new Set(words.filter((_, i) => name.words[i]!.segment !== IN_BRACKETS));
    if (
      own.size === asked.length &&
      asked.every((text) => words.some((word) => Number.isFinite(this.#lossOf(word, text))))
    )
      reasons.push({ text: 'no other words', about: '', points: pointsOf(WHOLE_NAME_GAIN) });
    return explanationOf(reasons, precedence);
  }

  /** What is subtracted from the place of a word for a searched text: infinite if the text does not match it. */
  #lossOf(word: string, text: string): number {
    if (word === text) return 0;
    if (formsOf(text).includes(word)) return PLURAL_LOSS;
    return word.startsWith(text)
      ? begunLoss(this.#foodsWith.get(word) ?? 1, this.#size)
      : Number.POSITIVE_INFINITY;
  }

  #look(description: string, repetition: number) {
    const food = this.#foods.get(description) ?? { description };
    const name = read(food);
    const precedence: Precedence[] = [];
    if (repetition > 0 || this.#firstOf[this.#names.numberOf(name)] !== description)
      precedence.push('name of an earlier food');
    return { name, popularity: food.popularity ?? 0, sameName: this.#names.foodsOf(name), precedence };
  }
}

function explanationOf(reasons: readonly Reason[], precedence: readonly Precedence[]): Explanation {
  return {
    points: reasons.reduce((sum, { points }) => sum + points, 0),
    precedence,
    reasons: reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points)),
  };
}

const wordsIn = (name: FoodName): string[] => name.words.map((word) => textOf(name.folded, word));

function read({ description, name }: NamedFood) {
  const composed = description.normalize('NFC');
  return nameOf(composed, fold(composed), name?.normalize('NFC').length ?? 0);
}
