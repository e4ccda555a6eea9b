/** Searches and look-ups in another language than that of the data set. */
import {
  composed,
  type FactName,
  fold,
  NO_OTHER_NAMES,
  NONE,
  type OtherNames,
  utf8,
  type WordsAnswer,
} from '#core';
import { FoodIndex, type FoundWords } from '../food-index.ts';
import type { AnswerMemory } from '../store/entries.ts';
import { placesIn } from '../store/packed.ts';
import { SEGMENT_ENDS } from '../suffixes/alphabet.ts';
import { wordsOf } from '../words/asked-words.ts';
import { isNamed } from '../words/name-keys.ts';
import type { LanguageIndex } from './language-part.ts';

/** Whether all words are had as they were typed. */
const isAsTyped = ({ foods, replaced, missing }: FoundWords): boolean =>
  foods.length > 0 && replaced.length === 0 && missing.length === 0;

const BEHIND_NAME = new RegExp(`[(\uff08${SEGMENT_ENDS}].*`, 's');

/** Whether the text is the description of the best food, however its words were joined. */
const isDescription = (index: FoodIndex, { foods: [best] }: FoundWords, text: string): boolean =>
  best !== undefined && fold(index.descriptionOf(best)) === fold(text);

/** Whether the text is all of a name of the best food, but for what follows a comma or a bracket. */
function isCalled(index: FoodIndex, { foods: [best = NONE] }: FoundWords, text: string): boolean {
  const { description, names = [] } = index.record(best);
  return isNamed([description.replace(BEHIND_NAME, ''), ...names], wordsOf(text));
}

export class TranslatedFoods {
  readonly #main: FoodIndex;
  readonly #own: FoodIndex;
  readonly #language: LanguageIndex;
  /** For each food of the first index its number in this language. */
  readonly #translated: Uint32Array;

  constructor(language: LanguageIndex, main: FoodIndex, memory?: AnswerMemory) {
    this.#main = main;
    this.#language = language;
    this.#own = new FoodIndex(language.index, language.lookups, memory);
    this.#translated = placesIn(language.numbers);
  }

  /** The foods that are called so in this language, or, if its words find none as typed, in that of the data set. */
  searchWords(text: string, names: OtherNames): WordsAnswer<Uint8Array> {
    const own = this.#own.findWords(text, NO_OTHER_NAMES);
    const isFound = isAsTyped(own);
    // "Eggs" are in no German name but that of a dish.
    const isNamed = (isFound && isCalled(this.#own, own, text)) || isDescription(this.#own, own, text);
    const other = isNamed ? own : this.#main.findWords(text, names);
    const isOther = isAsTyped(other) && (!isFound || isCalled(this.#main, other, text));
    const isOwn = own === other || (!isOther && own.foods.length > 0);
    const { foods, ...found } = isOwn ? own : other;
    const shown = isOwn ? foods : foods.map((food) => this.#translated[food]!);
    return { ...found, body: this.#own.answerOf(shown) };
  }

  /** The number in the first index of the first food with exactly this description; NONE if there is none. */
  numberOf(description: string): number {
    const food = this.#own.numberOf(description);
    return food === NONE ? NONE : this.#language.numbers[food]!;
  }

  /** What a food of the first index is called, its description first. */
  namesOf(number: number): [string, ...string[]] {
    const food = this.#translated[number]!;
    const names = JSON.parse(this.#own.factOf('names', food)) as string[];
    return [this.#own.descriptionOf(food), ...names];
  }
}

const NOTHING = '[]';

/** The further languages of an index, each of which is opened when it is first asked for. */
export class FoodLanguages {
  readonly #main: FoodIndex;
  readonly #tags: readonly string[];
  readonly #read: (tag: string) => LanguageIndex | undefined;
  readonly #memory: AnswerMemory | undefined;
  readonly #opened = new Map<string, TranslatedFoods>();

  /** @param read reads one of these languages; undefined if it cannot be had, and is asked for again */
  constructor(
    main: FoodIndex,
    tags: readonly string[],
    read: (tag: string) => LanguageIndex | undefined,
    memory?: AnswerMemory,
  ) {
    this.#main = main;
    this.#tags = tags;
    this.#read = read;
    this.#memory = memory;
  }

  /** The foods in one of the languages; undefined if it is none of them. */
  in(tag: string | undefined): TranslatedFoods | undefined {
    if (tag === undefined) return undefined;
    const known = this.#opened.get(tag);
    if (known !== undefined) return known;
    const language = this.#read(tag);
    if (language === undefined) return undefined;
    const foods = new TranslatedFoods(language, this.#main, this.#memory);
    this.#opened.set(tag, foods);
    return foods;
  }

  /** The description in the first index of a food with this one in a language; undefined if there is none. */
  originalOf(description: string, tag: string): string | undefined {
    const number = this.in(tag)?.numberOf(description) ?? NONE;
    return number === NONE ? undefined : this.#main.descriptionOf(number);
  }

  /**
   * What is known of a food by its description in any language. Other names are those in the wanted language, its description
   * there first, then those in the data set's own.
   */
  lookUp(what: FactName, description: string, tag?: string): Uint8Array {
    const main = this.#main;
    const named = this.in(tag);
    const own = main.lookUp(what, description);
    if (named === undefined && own.length > NOTHING.length) return own;
    const number = this.#numberOf(description, named);
    if (number === NONE) return own;
    if (what !== 'names') return own.length > NOTHING.length ? own : utf8(main.factOf(what, number));
    const { description: original, names = [] } = main.record(number);
    const asked = composed(description);
    const all = new Set([...(named?.namesOf(number) ?? []), original, ...names]);
    return utf8(JSON.stringify([...all].filter((each) => composed(each) !== asked)));
  }

  #numberOf(description: string, named: TranslatedFoods | undefined): number {
    for (const foods of [named, this.#main]) {
      const number = foods?.numberOf(description) ?? NONE;
      if (number !== NONE) return number;
    }
    // Languages are opened only if one of them may have it.
    if (!this.#main.isCalled(description)) return NONE;
    for (const tag of this.#tags) {
      const number = this.in(tag)?.numberOf(description) ?? NONE;
      if (number !== NONE) return number;
    }
    return NONE;
  }
}
