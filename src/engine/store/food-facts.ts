/** What an index has of a food beside its entry, as a record has it. */
import type { FactName, FoodRecord } from '#core';
import { CodesByFood } from './code-sections.ts';
import { recordOf } from './index-columns.ts';
import { namesOf, renderNames } from './name-sections.ts';
import { hasNutrients, Nutrients } from './nutrient-sections.ts';
import { portionsOf, renderPortions } from './portion-sections.ts';
import type { IndexSections } from './sections.ts';

export class FoodFacts {
  readonly #nutrients: Nutrients;
  readonly #sections: IndexSections;
  /** Made for the first record: a search does not need it. */
  #codes: CodesByFood | undefined;

  constructor(sections: IndexSections) {
    this.#sections = sections;
    this.#nutrients = new Nutrients(sections.nutrients);
  }

  /** Whether a food has some. All of an index have nutrients, or none, so that none gets those of another one of its name. */
  has(what: FactName, food: number): boolean {
    if (what === 'nutrients') return hasNutrients(this.#sections.nutrients);
    const { starts } = this.#sections[what];
    return starts[food]! < starts[food + 1]!;
  }

  /** The JSON array of what a food has; of none, `[]`. */
  render(what: FactName, food: number): string {
    if (what === 'nutrients') return this.#nutrients.render(food);
    const { portions, names } = this.#sections;
    return what === 'portions' ? renderPortions(portions, food) : renderNames(names, food);
  }

  of(food: number, description: string): Partial<FoodRecord> {
    const { portions, names, codes, entryStarts } = this.#sections;
    this.#codes ??= new CodesByFood(codes, entryStarts.length - 1);
    const lists = {
      portions: portionsOf(portions, food),
      names: namesOf(names, food),
      nutrients: this.#nutrients.of(food),
      codes: this.#codes.of(food),
    };
    const known = Object.entries(lists).filter(([, list]) => list.length > 0);
    return { ...recordOf(this.#sections, food, description), ...Object.fromEntries(known) };
  }
}
