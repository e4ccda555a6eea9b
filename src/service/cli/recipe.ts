/** Recipes as tools keep them (Schema.org in a page or in JSON, exports of apps, Cooklang, lines), as lines of ingredients. */
import { gunzipSync } from 'node:zlib';
import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { shown, textOfUtf8, UserError } from '#core';

export interface Recipe {
  /** An ingredient each. */
  readonly lines: string;
  /** As the recipe states it: "4 servings"; empty if it does not. */
  readonly yield: string;
}

/** More than any recipe has, with its photo. */
const MAX_BYTES = 64 * 1024 * 1024;

/** @param name of the file, for its kind and for messages @throws UserError if it has no recipe where it should */
export function readRecipe(name: string, bytes: Uint8Array): Recipe {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 32) < 32)
    throw new UserError(`${name} is an archive. Unpack it, and name one of the recipes in it.`);
  const content = textOfUtf8(unpacked(name, bytes)).replace(/^\uFEFF?\s*/, '');
  if (/\.cook$/i.test(name)) return readCooklang(content);
  const isPage = /^<[!?a-z]/i.test(content);
  if (content === '') throw new UserError(`${name} is empty. Write one food on each line, such as: 2 eggs`);
  if (!isPage && !/^(\{|\[\s*[{[])/.test(content)) return { lines: content, yield: '' };
  const values = (isPage ? jsonInPage(content) : [content]).map(parsed);
  const exported = isPage ? [] : values.flatMap(exportedIn);
  const recipe = [...values.flatMap(recipesIn), ...exported].find((each) => ingredientsOf(each).length > 0);
  if (recipe !== undefined && recipe === exported[0] && exported.length > 1)
    throw new UserError(
      `${name} has ${exported.length} recipes, ${shown(String(recipe.name))} first. Put the ingredients of one into a text file, one a line.`,
    );
  if (recipe !== undefined) return { lines: ingredientsOf(recipe).join('\n'), yield: yieldOf(recipe) };
  const place = isPage ? ' in a script of type application/ld+json' : '';
  throw new UserError(
    `${name} has no Schema.org recipe with ingredients${place}. Put its ingredients into a text file, one a line.`,
  );
}

/** What Paprika has compressed. */
function unpacked(name: string, bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch {
    throw new UserError(
      `${name} cannot be unpacked. Export the recipe again, or put its ingredients into a text file, one a line.`,
    );
  }
}

/**
 * The number of people or pieces that a yield names: "Serves 4", "4–4 servings", "24 cookies". Undefined if it names several
 * numbers, such as "4 to 6", or a weight or a volume.
 */
export function portionsIn(text: string): number | undefined {
  const [number, ...others] = new Set(text.match(/\d+(?:[.,/]\d+)?/g));
  if (number === undefined || others.length > 0 || !/^[1-9]\d{0,3}$/.test(number)) return undefined;
  return MEASURE.test(text) ? undefined : Number(number);
}

const MEASURE = /\d\s*(?:[kmcd]?[gl]|oz|lbs?|cups?|(?:milli|deci)?lit(?:er|re)s?|grams?|quarts?|pints?)\b/i;

type Thing = Readonly<Record<string, unknown>>;

/** The scripts of a page that contain JSON-LD, without those in comments. What is not closed reaches to the end. */
function jsonInPage(html: string): string[] {
  const scripts = html.matchAll(/<!--[\s\S]*?(?:-->|$)|<script\b([^>]*)>([\s\S]*?)(?:<\/script\b|$)/gi);
  return Array.from(scripts, ([, attributes = '', content = '']) => {
    const [, type = ''] = /(?:^|\s)type\s*=\s*["']?([^"'\s>]+)/i.exec(attributes) ?? [];
    if (!/^application\/ld\+json\b/i.test(decodeHTMLAttribute(type))) return '';
    // Some pages hide it from old browsers, or from XML, and some end it as a statement.
    return content
      .replace(/^[\s/*]*<!(?:--|\[CDATA\[)[\s/*]*|[\s/*]*(?:-->|\]\]>)[\s/*]*$/g, '')
      .replace(/;\s*$/, '');
  }).filter((json) => json !== '');
}

/** Undefined if it is no JSON. Line breaks inside of strings, which JSON does not allow, become spaces. */
function parsed(json: string): unknown {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are meant
    return JSON.parse(json.replace(/[\0-\x1F]+/g, ' '));
  } catch {
    return undefined;
  }
}

/** All recipes in a value, in their order, whatever they are part of: `@graph`, a list, the main entity of a page. */
function recipesIn(value: unknown): Thing[] {
  if (typeof value !== 'object' || value === null) return [];
  const types = Array.isArray(value) ? [] : [(value as Thing)['@type']].flat();
  return types.some((type) => /^(?:.*[/:])?Recipe$/.test(String(type)))
    ? [value as Thing]
    : Object.values(value).flatMap(recipesIn);
}

/** All recipes in the JSON of an app, which say no type: of Mealie, Tandoor, Paprika or KitchenOwl. */
function exportedIn(value: unknown): Thing[] {
  if (typeof value !== 'object' || value === null || '@type' in value) return [];
  const { ingredients, directions } = value as Thing;
  const isPaprika = typeof ingredients === 'string' && directions !== undefined;
  return isPaprika || exportedOf(value as Thing).length > 0
    ? [value as Thing]
    : Object.values(value).flatMap(exportedIn);
}

const exportedOf = ({ recipeIngredient, recipe_ingredient, steps, items }: Thing): unknown[] => {
  const all = [recipeIngredient ?? recipe_ingredient ?? []].flat();
  const ofSteps = [steps ?? []].flat().flatMap((step) => (Object(step) as Thing).ingredients ?? []);
  // The items of a household are not those of a recipe.
  return [...all, ...ofSteps, ...[items ?? []].flat().filter((item) => 'optional' in Object(item))];
};

const ingredientsOf = (recipe: Thing): string[] => {
  const exported = exportedOf(recipe);
  return (exported.length > 0 ? exported : [recipe.ingredients ?? []])
    .flat(3)
    .map(lineOf)
    .filter((line) => line !== '');
};

/** Codes of UN/CEFACT, which a quantity may have instead of the name of its unit. */
const UNITS: Readonly<Record<string, string>> = {
  GRM: 'g',
  KGM: 'kg',
  MLT: 'ml',
  LTR: 'l',
  ONZ: 'oz',
  LBR: 'lb',
  G21: 'cup',
  G24: 'tbsp',
  G25: 'tsp',
};

/** A text, or a quantity with value, unit and name. Strings in pages have entities and tags, which their JSON does not decode. */
function lineOf(ingredient: unknown): string {
  const text = typeof ingredient === 'string' ? ingredient : textOf(Object(ingredient));
  return decodeHTML(text.replace(/<\/?[a-z][^>]*>/gi, ' ').replace(/ +/g, ' ')).trim();
}

function textOf(ingredient: Thing): string {
  const { value, unitText, unitCode, name, description, food, unit, note, is_header } = ingredient;
  if (name !== undefined || food === undefined) {
    const ofSchema = unitText ?? UNITS[String(unitCode)] ?? unitCode;
    return [value, ofSchema, description, name].filter(Boolean).join(' ');
  }
  const said = String(
    note || (ingredient.original_text ?? ingredient.originalText) || ingredient.display || '',
  );
  if (is_header === true) return '';
  // What Mealie has not parsed is a note, with its amount.
  const isWhole =
    food === null &&
    (/\p{N}/u.test(said) || ingredient.disable_amount === true || ingredient.disableAmount === true);
  if (isWhole) return said;
  const amount = [countOf(ingredient.quantity ?? ingredient.amount), nameOf(unit), nameOf(food)]
    .filter(Boolean)
    .join(' ');
  return food === null ? `${amount} ${said}` : `${amount}${note ? `, ${note}` : ''}`;
}

/** A unit or a food, which is a text or has a name. */
const nameOf = (each: unknown): string =>
  String((Object(each) as Thing).name ?? (typeof each === 'string' ? each : ''));

/** "0.3333" and "1.1250", whose point separates no thousands; empty for 0. */
function countOf(amount: unknown): string {
  const number = Number(amount ?? 0);
  return number > 0 ? (Number.isInteger(number) ? String(number) : number.toFixed(4)) : '';
}

/** The names of yields, the most exact first. */
const YIELDS = 'recipeServings recipe_servings recipeYield recipe_yield yield yields servings'.split(' ');

/** Of a list, such as "4" and "4 servings", all texts. */
const yieldOf = (recipe: Thing): string =>
  [YIELDS.map((name) => recipe[name]).find(Boolean) ?? []]
    .flat()
    .map((each) => lineOf(typeof each === 'number' ? String(each) : each))
    .join(', ');

/** See https://cooklang.org/docs/spec/ */
function readCooklang(text: string): Recipe {
  const [, metadata = '', steps = ''] =
    /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(text.replaceAll('\r\n', '\n')) ?? [];
  const instructions = steps.replace(/\[-[\s\S]*?-\]|--.*$|^>.*$/gm, '');
  // Names of several words have braces. A mark before the name says that it is optional, hidden, a recipe or mentioned again.
  const marked = instructions.matchAll(
    /@[@&?+-]*(?:([^@#~{}\n]+)\{([^}\n]*)\}(?:\(([^)\n]*)\))?|([\p{L}\p{M}\p{N}_'-]+))/gu,
  );
  const lines: string[] = [];
  const named = new Set<string>();
  for (const [, name = '', quantity = '', preparation, word] of marked) {
    const food = (word ?? name).replace(/^.*\//, '').trim();
    const amount = quantity.replace(/^\s*=/, '').replace('%', ' ').trim();
    // Without an amount, it is the food from before.
    if (amount !== '' || !named.has(food.toLowerCase()))
      lines.push(`${amount} ${food}${preparation === undefined ? '' : `, ${preparation}`}`.trim());
    named.add(food.toLowerCase());
  }
  const [, stated = ''] =
    /^(?:>>\s*)?(?:servings|serves|yield)\s*:\s*([^|\n]*)/im.exec(`${metadata}\n${steps}`) ?? [];
  return { lines: lines.join('\n'), yield: stated.trim() };
}
