/** The names of foods in other languages, collected while foods arrive, of which each language becomes a part of the index. */
import type { FoodRecord } from '#core';

const NO_FIGURES = {
  carbohydrate_g: null,
  protein_g: null,
  fa_sat_g: null,
  fa_mono_g: null,
  fa_poly_g: null,
  kcal: null,
};

export class Translations {
  /** By language and by the number of the food in the order of arrival. */
  readonly #names = new Map<string, Map<number, readonly string[]>>();
  readonly #descriptions: string[] = [];
  #foods = 0;

  add({ description, translations = [] }: FoodRecord): void {
    for (const { language, names } of translations) {
      const all = this.#names.get(language) ?? new Map<number, readonly string[]>();
      this.#names.set(language, all.set(this.#foods, names));
    }
    // Needed in a language in which the food has no name, and only if there is one.
    if (this.#names.size > 0) this.#descriptions[this.#foods] = description;
    this.#foods++;
  }

  get languages(): readonly string[] {
    return [...this.#names.keys()];
  }

  /** The foods in this order under their names in a language, and as they are called where they have none. */
  *in(language: string, order: Uint32Array, popularityOf: (place: number) => number): Generator<FoodRecord> {
    const all = this.#names.get(language);
    for (const [place, food] of order.entries()) {
      const [description, ...names] = all?.get(food) ?? [this.#descriptions[food] ?? ''];
      yield {
        ...NO_FIGURES,
        description: description!,
        popularity: popularityOf(place),
        ...(names.length > 0 && { names }),
      };
    }
  }
}
