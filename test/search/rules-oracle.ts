/**
 * Applies the rules of the order to every match in every food, without an index, to find the answers that the engine must give.
 */

import { type FoodRecord, fold, MAX_ENTRIES } from '#core';
import type { EverydayFoods } from '#engine';
import { type FoodName, IN_BRACKETS, nameOf, textOf } from '../../src/engine/order/food-name.ts';
import { endAt, endOfText, formsOf, type WordScores } from '../../src/engine/order/match-end.ts';
import {
  BEGUN_GAIN,
  BEGUN_LOSS,
  missingLoss,
  PLURAL_LOSS,
  pluralScore,
  WEIGHT_UNIT,
  WORD_WEIGHTS,
  weightOf,
} from '../../src/engine/order/points.ts';
import { Ranking } from '../../src/engine/order/ranking.ts';
import { NameStatistics } from '../../src/engine/order/statistics.ts';

type Named = Pick<FoodRecord, 'description' | 'name' | 'popularity'>;

interface Ranked {
  readonly arrival: number;
  readonly description: string;
  readonly folded: string;
  readonly isRepeat: boolean;
  readonly staticScore: number;
  readonly scores: ReadonlyMap<number, WordScores>;
  /** Its words, each with the worth of its place. */
  readonly words: readonly (readonly [text: string, worth: number])[];
  readonly nameWords: number;
}

interface AskedReading {
  readonly words: readonly string[];
  /** In bytes of a score. */
  readonly loss: number;
  readonly isTyped: boolean;
}

/** Above and below all scores, which are bytes. */
const [WHOLE, INSIDE_WORDS] = [1000, -1000];

export class RulesOracle {
  readonly #foods: Ranked[];
  /** The number of foods that have each word. */
  readonly #foodsWith = new Map<string, number>();
  readonly #matching = new Map<string, number>();
  readonly #weights = new Map<string, number>();
  /** Words of the text that are searched for that are no beginnings of others. */
  #finished = new Set<string>();

  constructor(foods: readonly (string | Named)[], everydayFoods?: EverydayFoods) {
    const statistics = new NameStatistics();
    const named = foods.map((food): Named => (typeof food === 'string' ? { description: food } : food));
    const names = named.map(({ description, name }) => {
      const composed = description.normalize('NFC');
      return nameOf(composed, fold(composed), name?.normalize('NFC').length ?? 0);
    });
    for (const name of names) statistics.add(name);
    const sameName = new Map<string, number>();
    for (const key of named.map(nameKeyOf)) sameName.set(key, (sameName.get(key) ?? 0) + 1);
    const ranking = new Ranking(statistics, everydayFoods);
    const most = Math.max(0, ...named.map(({ popularity = 0 }) => popularity));
    const firsts = firstOfEachName(named);
    this.#foods = named.map((food, arrival) => {
      const { description, popularity = 0 } = food;
      const share = popularity === 0 ? 0 : Math.log2(1 + popularity) / Math.log2(1 + most);
      const level = popularity === 0 ? 0 : Math.max(1, Math.round(255 * share));
      const name = names[arrival]!;
      const { staticScore, words, places } = ranking.scores(name, level, sameName.get(nameKeyOf(food)) ?? 0);
      return {
        arrival,
        description: description.normalize('NFC'),
        folded: fold(description),
        isRepeat: !firsts.has(arrival),
        staticScore,
        scores: new Map(words.map((word) => [word.position, word])),
        words: name.words.map((word, i) => [textOf(name.folded, word), places[i]!] as const),
        nameWords: nameWordsOf(name),
      };
    });
    for (const { words } of this.#foods)
      for (const word of new Set(words.map(([text]) => text)))
        this.#foodsWith.set(word, (this.#foodsWith.get(word) ?? 0) + 1);
    this.#foods.sort(
      (a, b) =>
        Number(a.isRepeat) - Number(b.isRepeat) ||
        b.staticScore - a.staticScore ||
        a.description.length - b.description.length ||
        a.arrival - b.arrival,
    );
  }

  /** The arrival numbers of the foods that the query must find, best first. */
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

  /**
   * The same for a search by words: each food by the best reading of which it has a word, where each word that it has counts by
   * its weight.
   * @param readings by default the text as typed
   */
  searchWords(
    query: string,
    readings: readonly AskedReading[] = [{ words: wordsOf(query), loss: 0, isTyped: true }],
  ): number[] {
    this.#finished = new Set(
      wordsOf(query)
        .slice(0, -1)
        .filter((text) => text.length <= 3),
    );
    this.#matching.clear();
    this.#weights.clear();
    const asked = readings.map((each) => ({ ...each, words: this.#withoutBeginnings(each.words) }));
    const [only, another] = asked.flatMap(({ words }) => words).filter((text) => this.#foodsOf(text) > 0);
    const isAlone = readings.length === 1 && only !== undefined && another === undefined;
    const isOne = isAlone && !this.#finished.has(only);
    const ranked = this.#foods
      .filter((food) => asked.some(({ words }) => words.some((text) => this.#hasWord(text, food))))
      .map((food) => {
        if (isOne) return { food, score: bestScoreOfWord(food, only) };
        return { food, score: Math.max(...asked.flatMap((each) => this.#scoreOf(food, each))) };
      });
    ranked.sort((a, b) => Number(a.food.isRepeat) - Number(b.food.isRepeat) || b.score - a.score);
    return ranked.slice(0, MAX_ENTRIES).map(({ food }) => food.arrival);
  }

  /** Without words with which another one begins: foods that have the other one have these, too. */
  #withoutBeginnings(words: readonly string[]): string[] {
    const known = words.filter((text) => this.#foodsOf(text) > 0);
    return words.filter((text) => !known.some((other) => other !== text && other.startsWith(text)));
  }

  /** In 64ths of a byte; nothing if it has no word. */
  #scoreOf(food: Ranked, { words, loss, isTyped }: AskedReading): number[] {
    const most = words.reduce((sum, text) => sum + this.#weightOf(text) * missingLoss(), 0);
    const had = words.filter((text) => this.#hasWord(text, food));
    if (had.length === 0) return [];
    const worthOf = (text: string) => this.#weightOf(text) * (WORD_WEIGHTS.had + this.#worthOf(text, food));
    const worth = had.reduce((sum, text) => sum + worthOf(text), 0);
    const isWhole = had.length === words.length && food.nameWords === words.length;
    const gain = isWhole ? WEIGHT_UNIT * WORD_WEIGHTS.wholeName : 0;
    const whole = isTyped ? worth + gain : Math.max(worth, Math.min(most, worth + gain));
    return [WEIGHT_UNIT * (food.staticScore - loss) + whole - most];
  }

  /** A short word weighs no more for being the beginning of no other. */
  #weightOf(text: string): number {
    const known = this.#weights.get(text);
    if (known !== undefined) return known;
    const begun = Array.from(this.#foodsWith, ([word, foods]) => (word.startsWith(text) ? foods : 0));
    const all = begun.reduce((sum, foods) => sum + foods, 0);
    const weight = weightOf(Math.max(this.#foodsOf(text), all), this.#foods.length);
    this.#weights.set(text, weight);
    return weight;
  }

  /** The foods with words that match a searched one, each counted once for each of its words. */
  #foodsOf(text: string): number {
    const known = this.#matching.get(text);
    if (known !== undefined) return known;
    const forms = formsOf(text);
    const counts = Array.from(this.#foodsWith, ([word, foods]) =>
      this.#isBegun(word, text) || forms.includes(word) ? foods : 0,
    );
    const all = counts.reduce((sum, foods) => sum + foods, 0);
    this.#matching.set(text, all);
    return all;
  }

  #isBegun = (word: string, text: string): boolean =>
    word === text || (word.startsWith(text) && !this.#finished.has(text));

  /** Whether a food has the word, a longer one that begins with it, or its singular or plural. */
  #hasWord(text: string, { words }: Ranked): boolean {
    const forms = formsOf(text);
    return words.some(([word]) => this.#isBegun(word, text) || forms.includes(word));
  }

  /** The worth of a word at its best place in a food that has it. */
  #worthOf(text: string, food: Ranked): number {
    const worths = food.words.map(([word, worth]) => {
      if (word === text) return worth;
      if (formsOf(text).includes(word)) return Math.max(0, worth - PLURAL_LOSS);
      if (!this.#isBegun(word, text)) return 0;
      const share = Math.log2(this.#foodsWith.get(word)!) / Math.log2(Math.max(2, this.#foods.length));
      return Math.max(0, worth - (BEGUN_LOSS - Math.round(BEGUN_GAIN * share)));
    });
    return Math.max(...worths);
  }
}

function wordsOf(query: string): string[] {
  const folded = fold(query);
  return [...new Set(nameOf(query.normalize('NFC'), folded).words.map((word) => textOf(folded, word)))];
}

/** A word counts at its first place. */
function nameWordsOf({ folded, words }: FoodName): number {
  const texts = words.map((word) => textOf(folded, word));
  return words.filter(({ segment }, i) => segment !== IN_BRACKETS && texts.indexOf(texts[i]!) === i).length;
}

/** Equal for names that differ only in case and blanks. */
const nameKeyOf = ({ description, name = description }: Named): string =>
  fold(name)
    .replace(/[\t-\r \u00a0]+/g, ' ')
    .replace(/^ | $/g, '');

/** The arrival numbers of the most popular food of each name; among equals, of the first. */
function firstOfEachName(foods: readonly Named[]): ReadonlySet<number> {
  const firsts = new Map<string, number>();
  for (const [arrival, food] of foods.entries()) {
    const { popularity = 0 } = food;
    const key = nameKeyOf(food);
    const best = firsts.get(key);
    if (best === undefined || popularity > (foods[best]!.popularity ?? 0)) firsts.set(key, arrival);
  }
  return new Set(firsts.values());
}

/** Matches inside words all have the same score, below all others. */
function bestScore({ folded: description, isRepeat, scores }: Ranked, folded: string): number {
  let best = INSIDE_WORDS;
  for (let at = description.indexOf(folded); at >= 0; at = description.indexOf(folded, at + 1)) {
    const word = scores.get(at);
    if (word === undefined) continue;
    const closed = endOfText(folded);
    const ended = closed ? { end: closed, isPlural: false } : endAt(description, at + folded.length);
    const { end, isPlural } = ended;
    // The index stores the scores of repeats in 24 steps.
    const score = isRepeat ? Math.floor((word[end] * 24) / 256) : word[end];
    best = Math.max(best, score + (isPlural ? pluralScore() : 0));
  }
  return best;
}

/** The same for a word, whose singulars and plurals count like plurals. */
function bestScoreOfWord(food: Ranked, text: string): number {
  let best = bestScore(food, text);
  for (const form of formsOf(text).filter((each) => !each.startsWith(text)))
    for (const [position, word] of food.scores) {
      const { end, isPlural } = endAt(food.folded, position + form.length);
      if (!food.folded.startsWith(form, position) || isPlural || end === 'inside') continue;
      const score = food.isRepeat ? Math.floor((word[end] * 24) / 256) : word[end];
      best = Math.max(best, score + pluralScore());
    }
  return best;
}
