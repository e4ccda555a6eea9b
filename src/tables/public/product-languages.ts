/** The names of products of Open Food Facts in several languages, such as `product_name_fr`. */
import { type FoodRecord, fold, type Translation } from '#core';
import { withBrand } from '../food/descriptions.ts';
import type { FoodNames } from '../food/other-names.ts';
import type { SourceReport } from '../report/source-report.ts';
import { lazily } from '../words/languages.ts';

export type NameField = `product_name_${string}`;
export const isNameField = (field: string): field is NameField => /^product_name_[a-z]{2,3}$/.test(field);

const languages = lazily(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }));

/** The languages in which the name is another one, with the brand as in the description. */
export function translationsOf(
  product: { readonly nameFields: readonly NameField[]; text(field: NameField): string },
  { description, name = description }: Pick<FoodRecord, 'description' | 'name'>,
  brand: string,
  names: FoodNames,
): Pick<FoodRecord, 'translations'> {
  const found = new Map<string, Translation>();
  for (const field of product.nameFields) {
    const text = product.text(field);
    const code = field.slice('product_name_'.length);
    // Most are empty, or the name itself. `xx` is a language that nobody knows.
    if (text === '' || text === name || languages().of(code) === undefined) continue;
    const called = names.only(text);
    const language = new Intl.Locale(code).baseName;
    if (called !== '' && fold(called) !== fold(name))
      found.set(language, { language, names: [withBrand(called, brand).description] });
  }
  return found.size === 0 ? {} : { translations: [...found.values()] };
}

/** Foods that show which languages are common, and the least share of them: each takes an import as long as the foods do. */
const SHOWN = 10_000;
const LEAST_SHARE = 0.05;

/** The foods, if they are many without their names in languages in which few have one. */
export async function* inCommonLanguages(
  batches: AsyncIterable<FoodRecord[]>,
  { namesLeftOut }: SourceReport,
): AsyncGenerator<FoodRecord[]> {
  let held: FoodRecord[] = [];
  let common: ReadonlySet<string> | undefined;
  const isKept = ({ language }: Translation): boolean => {
    const isCommon = common?.has(language) !== false;
    if (!isCommon) namesLeftOut.add('name in a language in which few products have one', () => language);
    return isCommon;
  };
  for await (const batch of batches) {
    held = held.concat(batch);
    if (common === undefined && held.length < SHOWN) continue;
    common ??= commonIn(held);
    yield held.map((food) => {
      if (food.translations === undefined) return food;
      const { translations, ...named } = food;
      const kept = translations.filter(isKept);
      return kept.length > 0 ? { ...named, translations: kept } : named;
    });
    held = [];
  }
  yield held;
}

function commonIn(foods: readonly FoodRecord[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { language } of foods.flatMap(({ translations = [] }) => translations))
    counts.set(language, (counts.get(language) ?? 0) + 1);
  return new Set([...counts.keys()].filter((each) => (counts.get(each) ?? 0) >= LEAST_SHARE * foods.length));
}
