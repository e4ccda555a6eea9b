/** Explains the rank of a food in an answer: the summands of its score, by the same rules that made the index. */

import type { WordsReading } from '../../foods/catalog.ts';
import type { FoodRecord } from '../../foods/food.ts';
import { fold } from '../../text/fold.ts';
import type { EverydayFoods } from './everyday-foods.ts';
import { type FoodName, IN_BRACKETS, keyOfName, nameOf, textOf } from './food-name.ts';
import { endAt, endOfText, formsOf, isWhole, type MatchEnd } from './match-end.ts';
import {
  begunLoss,
  MOST_PLACE,
  missingLoss,
  PLURAL_LOSS,
  POINTS,
  plainGain,
  pluralScore,
  pointsOf,
  WEIGHT_UNIT,
  WORD_WEIGHTS,
  weightOf,
} from './points.ts';
import { Ranking, type Reason } from './ranking.ts';
import { NameStatistics } from './statistics.ts';

export type NamedFood = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

/** Why a food comes before or after all others, whatever its points. */
export type Precedence = 'whole description' | 'inside a word' | 'name of an earlier food';

export interface Explanation {
  readonly points: number;
  /** In the order of their weight. */
  readonly precedence: readonly Precedence[];
  readonly reasons: readonly Reason[];
}

export class Explainer {
  readonly #ranking: Ranking;
  readonly #foods = new Map<string, NamedFood>();
  /** By the key of a name: the description of its first food, and how many foods have it. */
  readonly #names = new Map<string, { readonly first: string; foods: number }>();
  readonly #foodsWith = new Map<string, number>();
  /** By searched word: `#foodsOf`, which reads all words of the data set. */
  readonly #matching = new Map<string, number>();
  #size = 0;

  /** @param foods all of the data set in their static order, because the rules count words in them */
  constructor(foods: Iterable<NamedFood>, everydayFoods: EverydayFoods | undefined) {
    const statistics = new NameStatistics();
    for (const food of foods) {
      const name = read(food);
      statistics.add(name);
      const same = this.#names.get(keyOf(name)) ?? { first: food.description, foods: 0 };
      same.foods++;
      this.#names.set(keyOf(name), same);
      for (const word of new Set(wordsIn(name)))
        this.#foodsWith.set(word, (this.#foodsWith.get(word) ?? 0) + 1);
      this.#size++;
      if (!this.#foods.has(food.description)) this.#foods.set(food.description, food);
    }
    this.#ranking = new Ranking(statistics, everydayFoods);
  }

  /** Explains a food by its best place of the query. @param repetition foods before it in the answer with its description */
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

  /** Explains a food of a search by words by its best reading. @param readings all that competed, the cheapest first */
  explainWords(description: string, readings: readonly WordsReading[], repetition: number): Explanation {
    const { name, popularity, sameName, precedence } = this.#look(description, repetition);
    const [first] = readings;
    const known = first?.words.filter(({ text }) => this.#foodsOf(text) > 0) ?? [];
    if (readings.length === 1 && known.length === 1) {
      const forms = formsOf(known[0]!.text);
      const words = wordsIn(name);
      const form = forms.find((each) => words.some((word) => word.startsWith(each)));
      return this.explain(description, form ?? forms[0]!, repetition);
    }
    const { places } = this.#ranking.scores(name, popularity, sameName);
    const has = ({ text }: { readonly text: string }): boolean =>
      wordsIn(name).some((word) => Number.isFinite(this.#lossIn(word, text)));
    const explained = readings
      .filter(({ words }) => words.some(has))
      .map((reading) => {
        const reasons = this.#reasonsOf(reading, name, places);
        const loss = this.#lossOf(reading) - this.#lossOf(first!);
        if (reading.replaced.length > 0 || loss !== 0)
          reasons.push({
            text: 'read as',
            about: reading.words.map(({ text }) => text).join(' '),
            points: -loss,
          });
        return { reasons, points: sumOf(reasons) };
      });
    const best = explained.reduce((a, b) => (b.points > a.points ? b : a));
    const reasons = [...this.#ranking.explainStatic(name, popularity, sameName), ...best.reasons];
    return explanationOf(reasons, precedence);
  }

  /** What the words of a reading give a food by their places, and what those take that it lacks. */
  #reasonsOf({ words: asked, replaced }: WordsReading, name: FoodName, places: readonly number[]): Reason[] {
    const words = wordsIn(name);
    const reasons: Reason[] = [];
    let worth = 0;
    let found = 0;
    for (const { text } of asked) {
      const weight = this.#weightOf(text);
      const matches = words
        .map((word, i) => ({ word, i, loss: this.#lossIn(word, text), place: places[i]! }))
        .filter(({ loss }) => Number.isFinite(loss))
        .map((match) => ({ ...match, worth: Math.max(0, match.place - match.loss) }));
      if (matches.length === 0) {
        reasons.push({ text: 'lacks', about: text, points: -weight * pointsOf(plainGain()) });
        continue;
      }
      const best = matches.reduce((a, b) => (b.worth > a.worth ? b : a));
      const { word } = best;
      found++;
      worth += weight * pointsOf(best.worth);
      for (const { text: reason, about, points } of this.#ranking.explainPlace(name, best.i))
        reasons.push({
          text: reason,
          about: about === '' ? word : `${word}: ${about}`,
          points: weight * points,
        });
      const loss = best.place - best.worth;
      if (loss > 0)
        reasons.push({ text: `not ${text} itself`, about: word, points: -weight * pointsOf(loss) });
    }
    const own = new Set(words.filter((_, i) => name.words[i]!.segment !== IN_BRACKETS));
    if (own.size === asked.length && found === asked.length) {
      const most = asked.reduce((sum, { text }) => sum + this.#weightOf(text) * pointsOf(MOST_PLACE), 0);
      const left = replaced.length === 0 ? Number.POSITIVE_INFINITY : Math.max(0, most - worth);
      const gain = Math.min(left, pointsOf(WORD_WEIGHTS.wholeName));
      reasons.push({ text: 'no other words', about: '', points: gain });
    }
    return reasons;
  }

  /** What a reading takes from every food, in tenths: of words that a food has, `#reasonsOf` counts only the places. */
  #lossOf({ words, loss }: WordsReading): number {
    const most = missingLoss() - plainGain();
    return pointsOf(loss + words.reduce((sum, { text }) => sum + this.#weightOf(text) * most, 0));
  }

  #weightOf = (text: string): number => weightOf(this.#foodsOf(text), this.#size) / WEIGHT_UNIT;

  /** The foods with words that match a searched one, each counted once for each of its words. */
  #foodsOf(text: string): number {
    const known = this.#matching.get(text);
    if (known !== undefined) return known;
    const forms = formsOf(text);
    let all = 0;
    for (const [word, foods] of this.#foodsWith)
      if (word.startsWith(text) || forms.includes(word)) all += foods;
    this.#matching.set(text, all);
    return all;
  }

  /** What is subtracted from the place of a word for a searched text: infinite if the text does not match it. */
  #lossIn(word: string, text: string): number {
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
    const { first, foods = 0 } = this.#names.get(keyOf(name)) ?? {};
    if (repetition > 0 || first !== description) precedence.push('name of an earlier food');
    return { name, popularity: food.popularity ?? 0, sameName: foods, precedence };
  }
}

const sumOf = (reasons: readonly Reason[]): number => reasons.reduce((sum, { points }) => sum + points, 0);

function explanationOf(reasons: readonly Reason[], precedence: readonly Precedence[]): Explanation {
  return {
    points: sumOf(reasons),
    precedence,
    reasons: reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points)),
  };
}

function keyOf(name: FoodName): string {
  const { low, high } = keyOfName(name);
  return `${low} ${high}`;
}

const wordsIn = (name: FoodName): string[] => name.words.map((word) => textOf(name.folded, word));

function read({ description, name }: NamedFood) {
  const composed = description.normalize('NFC');
  return nameOf(composed, fold(composed), name?.normalize('NFC').length ?? 0);
}
