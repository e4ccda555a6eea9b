/** The nutrients of Open Food Facts by their names, such as `vitamin-c` of the column `vitamin-c_100g`. All are in grams. */
import type { NutrientKind } from '../food/nutrients.ts';
import { LABEL_NUTRIENTS } from '../words/labels.ts';

const LABELS: ReadonlyMap<string, string> = new Map(
  LABEL_NUTRIENTS.map(({ product, name }) => [product, name]),
);

/** An answer has it, in kcal. */
const ENERGY = /^energy(?:-.*)?$/;

/** No amounts: scores, estimates of the server, shares, indices. */
const NO_AMOUNT =
  /score|estimate|footprint|ratio|index|hardness|acidity|chlorophyl|fruits|cocoa|nova|^ph$|-(?:serving|prepared|label|unit|value|modifier)$/;

const END = '_100g';

const kinds = new Map<string, NutrientKind | undefined>();
const MOST_KINDS = 1000;

/** The nutrient of a column or a name in JSON, which ends in `_100g`; undefined for all others. */
export function productNutrient(column: string): NutrientKind | undefined {
  if (!column.endsWith(END)) return undefined;
  if (kinds.has(column)) return kinds.get(column);
  const kind = kindOf(column.slice(0, -END.length));
  // The names in a dump are anybody's.
  if (kinds.size < MOST_KINDS) kinds.set(column, kind);
  return kind;
}

/** @param name of a nutrient, without `_100g` */
function kindOf(name: string): NutrientKind | undefined {
  if (name === '' || ENERGY.test(name) || NO_AMOUNT.test(name)) return undefined;
  const unit = name === 'alcohol' ? '% vol' : 'g';
  return { name: nameOf(name), label: LABELS.get(name), unit };
}

/** `vitamin-b12` is Vitamin B12, `omega-3-fat` Omega-3 fat. */
function nameOf(name: string): string {
  const words = name.replace(/-(?!\d)/g, ' ').replace(/^vitamin \S+/, (vitamin) => vitamin.toUpperCase());
  return words.replace(/^VITAMIN/, 'Vitamin').replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
