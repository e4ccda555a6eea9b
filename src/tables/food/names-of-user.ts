/** Names of foods that a user keeps in a table apart from the data, which is imported anew each month. */
import { amount, composed, counted, type FoodRecord, fold, foodCodeOf, shown } from '#core';

/** Foods that are shown of those that are not there. */
const SHOWN = 3;

const keyOfText = (text: string): string => fold(composed(text.trim()));

const keyOfFood = (text: string): string => foodCodeOf(text) ?? keyOfText(text);

export class OwnNames {
  readonly #file: string;
  /** By the key of a food as the table has it: this text, its names, and whether there is such a food. */
  readonly #foods = new Map<string, { readonly food: string; readonly names: string[]; isFound: boolean }>();
  readonly #count: number;

  /** @param pairs of a food, by its description in any case or its code, and a name */
  constructor(file: string, pairs: readonly (readonly [food: string, name: string])[]) {
    this.#file = file;
    this.#count = pairs.length;
    for (const [food, name] of pairs) {
      const known = this.#foods.get(keyOfFood(food)) ?? { food, names: [], isFound: false };
      this.#foods.set(keyOfFood(food), known);
      known.names.push(name);
    }
  }

  /** The food with its further names, or as it is. */
  addTo(food: FoodRecord): FoodRecord {
    const names = new Map((food.names ?? []).map((name) => [keyOfText(name), name]));
    // A table may call it by its description, or by the code on its packet in any spelling.
    for (const key of [keyOfFood(food.description), ...(food.codes ?? [])]) {
      const found = this.#foods.get(key);
      if (found === undefined) continue;
      found.isFound = true;
      for (const name of found.names) if (!names.has(keyOfText(name))) names.set(keyOfText(name), name);
    }
    names.delete(keyOfText(food.description));
    return names.size === (food.names?.length ?? 0) ? food : { ...food, names: [...names.values()] };
  }

  get lines(): string[] {
    const { unknown, first } = this.toJSON();
    const examples = `${first.map(shown).join('; ')}${unknown > first.length ? '; …' : ''}`;
    const lost = unknown === 0 ? '' : `; no source has ${counted(unknown, 'food')} of them: ${examples}`;
    return [
      this.#file,
      `  own names      ${amount(this.#count)}, of ${counted(this.#foods.size, 'food')}${lost}`,
    ];
  }

  toJSON() {
    const unknown = [...this.#foods.values()].filter(({ isFound }) => !isFound);
    const first = unknown.slice(0, SHOWN).map(({ food }) => food);
    return { file: this.#file, names: this.#count, foods: this.#foods.size, unknown: unknown.length, first };
  }
}
