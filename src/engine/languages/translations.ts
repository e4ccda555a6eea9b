/** The names of foods in other languages, collected while foods arrive, of which each language becomes a part of the index. */
import type { FoodRecord } from '#core';
import { popularityOfLevel } from '../order/points.ts';

const NO_FIGURES = {
  carbohydrate_g: null,
  protein_g: null,
  fa_sat_g: null,
  fa_mono_g: null,
  fa_poly_g: null,
  kcal: null,
};

/** What is known of foods, numbered by arrival, before there is an index. */
export interface OrderedFoods {
  readonly order: Uint32Array;
  /** A byte. */
  scoreOf(food: number): number;
  descriptionOf(food: number): string;
}

export class Translations {
  /** By language and by the number of the food in the order of arrival. */
  readonly #names = new Map<string, Map<number, readonly string[]>>();
  #foods = 0;

  add({ translations = [] }: FoodRecord): void {
    for (const { language, names } of translations) {
      const all = this.#names.get(language) ?? new Map<number, readonly string[]>();
      this.#names.set(language, all.set(this.#foods, names));
    }
    this.#foods++;
  }

  get languages(): readonly string[] {
    return [...this.#names.keys()];
  }

  /** In all languages: the number of each food in the order of arrival, and its names. */
  *[Symbol.iterator](): Generator<readonly [food: number, names: readonly string[]]> {
    for (const ofLanguage of this.#names.values()) yield* ofLanguage;
  }

  /** The foods in their order under their names in a language, and as they are called where they have none. */
  *in(language: string, { order, scoreOf, descriptionOf }: OrderedFoods): Generator<FoodRecord> {
    const all = this.#names.get(language);
    for (const food of order) {
      const [description = descriptionOf(food), ...names] = all?.get(food) ?? [];
      yield {
        ...NO_FIGURES,
        description,
        popularity: popularityOfLevel(scoreOf(food)),
        ...(names.length > 0 && { names }),
      };
    }
  }
}
