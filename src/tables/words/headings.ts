/** Headings: those that are known, and what one says: a name, a unit, an amount of food. Their words are in data/headings.txt. */
import { FATTY_ACIDS } from '#core';
import { languageIn, type SaidLanguage } from './heading-languages.ts';
import { headingWords } from './languages.ts';
import { plain, stem } from './plain.ts';
import type { Unit } from './units.ts';

export interface Heading {
  /** The words that name the column, sorted: without units, case, accents and the plural. */
  readonly key: string;
  readonly unit: Unit | undefined;
  /** What the figures are for: `100 g`, `serving`, `30 g`; undefined if the heading does not say. */
  readonly basis: string | undefined;
  readonly language: SaidLanguage | undefined;
}

export const PER_100 = '100 g';
export const PER_100_ML = '100 ml';
export const PER_GRAM = '1 g';

const plainWords = (kind: string): readonly string[] => [
  ...new Set(headingWords(kind).map((word) => plain(word).replace(/\s+/g, ' ').trim())),
];

/**
 * A letter of a script that puts spaces between words, unlike Thai and Chinese; `\b` knows only the letters of English. Ranges,
 * because patterns with `\p{L}` take a hundred times as long to compile.
 */
const LETTER =
  '[a-zß-öø-\\u0559\\u0561-\\u0587\\u05d0-\\u05f2\\u0620-\\u0669\\u066e-\\u06d3\\u0900-\\u0963\\u0966-\\u0dff\\u10a0-\\u10ff\\u1200-\\u135a]';
const START = `(?<!${LETTER})`;
const WORD_END = `(?!${LETTER})`;
const IS_SPACED = new RegExp(`${LETTER}$`, 'u');

const escaped = (word: string): string =>
  word.replace(/[()[\]{}/|\\.*+?^$]/g, '\\$&').replaceAll(' ', '\\s*');
/** A pattern of any of the words, the longest first. */
function anyOf(words: readonly string[]): string {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  return `(?:${longestFirst.map(escaped).join('|') || '(?!)'})`;
}
/** The words that may be followed by letters of another word, and those that may not. */
const bySpaces = (words: readonly string[]) => [
  words.filter((word) => !IS_SPACED.test(word)),
  words.filter((word) => IS_SPACED.test(word)),
];
/** Long words may have an ending: `grams`, `gramów`. */
function inflected(words: readonly string[]): string {
  const [unspaced = [], spaced = []] = bySpaces(words);
  const long = spaced.filter((word) => word.length > 3);
  return `(?:${anyOf(long)}${LETTER}*|${anyOf(spaced.filter((word) => word.length <= 3))}${WORD_END}|${anyOf(unspaced)})`;
}

const UNIT_KINDS = ['kcal', 'kJ', 'g', 'mg', 'µg', 'IU'] as const satisfies readonly Unit[];
const UNITS = new Map(UNIT_KINDS.flatMap((unit) => plainWords(unit).map((word) => [stem(word), unit])));
const MILLILITRES = new Set(plainWords('ml').map(stem));
/** Units of two words. */
const PHRASES = UNIT_KINDS.flatMap((unit) => {
  const phrases = plainWords(unit).filter((word) => word.includes(' '));
  return [[new RegExp(START + anyOf(phrases) + WORD_END, 'gu'), ` ${plain(unit)} `] as const];
});
const OF_WHICH = new RegExp(START + anyOf(plainWords('of which')) + WORD_END, 'u');
const NOISE = new Set(plainWords('little words').map(stem));

const GRAMS = inflected(plainWords('g'));
const MILLILITRE = inflected(plainWords('ml'));
const AMOUNT = `(?:${GRAMS}|${MILLILITRE})`;

/** A pattern of a unit as people write it, without regard to case. */
export const writtenAs = (kind: string): string => inflected(headingWords(kind));

/** What stands before and after the amount in phrases such as `per 100 g` and `100gあたり`. */
function around(kind: string): readonly [before: readonly string[], after: readonly string[]] {
  const pattern = new RegExp(`^(.*?)[\\s.\\-]*100\\s*${AMOUNT}[\\s:’'\\-]*(.*)$`, 'u');
  const found = plainWords(kind).map((phrase) => pattern.exec(phrase) ?? []);
  const parts = (at: number) => [...new Set(found.flatMap((each) => each[at] || []))];
  return [parts(1), parts(2)];
}

const [STRICT, AFTER_WORDS] = around('per 100 g');
const [LOOSE, LOOSE_AFTER] = around('in 100 g');
function before(words: readonly string[]): string {
  const [unspaced = [], spaced = []] = bySpaces(words);
  return `${START}${anyOf(spaced)}[.]?[\\s\\-]+|${anyOf(unspaced)}\\s*`;
}
const PER = `(?:${before([...STRICT, ...LOOSE])}|/\\s*)`;
const AFTER = `(?:[\\s:’'\\-]*${anyOf([...AFTER_WORDS, ...LOOSE_AFTER])}${WORD_END})`;
/** What figures are for: a pattern, and the name of the basis unless the pattern finds it. */
type Bases = readonly (readonly [pattern: RegExp, name: string | undefined])[];
const hundred = (unit: string): string => `(?:${PER}100\\s*|(?<![\\d.,])100\\s*)${unit}${AFTER}?`;
/** A heading may say both: 100 g count. */
const HUNDREDS: Bases = [
  [new RegExp(`${hundred(GRAMS)}|${PER}100(?![\\p{L}\\d]|\\s*${MILLILITRE})${AFTER}?`, 'u'), PER_100],
  [new RegExp(hundred(MILLILITRE), 'u'), PER_100_ML],
];
const SERVING = `${START}${anyOf(plainWords('serving'))}s?${WORD_END}`;
const WEIGHED = `\\d+(?:[.,]\\d+)?\\s*(?:${AMOUNT}|(?:oz|ounces?|kg|lb)${WORD_END})`;
/** Also `serving (30 g)` and `serving of 30 g`. */
const AMOUNTS = `(?:(${WEIGHED}|${anyOf(plainWords('piece'))}s?${WORD_END})|${SERVING}[^\\p{L}\\d]*(?:\\p{L}{1,3}\\s+)?(${WEIGHED}))`;

/** In a title, words such as "serving" and "in" may mean anything. */
const PER_IN_TITLES = `(?:${before(STRICT)})`;
const EACH_GRAM = PER_IN_TITLES + GRAMS;
/** `per_g` is a column of weights, `protein_per_g` is none. */
const OF_WEIGHTS = `(?<!^\\s*(?:nutri[a-z]*|values?)?\\s*(?=\\S+\\s+${GRAMS}\\s*$))`;

const BASES: Bases = [
  ...HUNDREDS,
  [new RegExp(`${PER}${AMOUNTS}`, 'u'), undefined],
  [new RegExp(`${PER}?${SERVING}${AFTER}?`, 'u'), 'serving'],
  [new RegExp(`(${WEIGHED})${AFTER}`, 'u'), undefined],
  // Of a weight, `/ g` is the unit.
  [new RegExp(`(?<=k?cal[a-z]*\\s*|kj\\s*)${PER}${GRAMS}|${OF_WEIGHTS}${EACH_GRAM}`, 'u'), PER_GRAM],
];
const TITLES: Bases = [
  ...HUNDREDS,
  [new RegExp(`${PER_IN_TITLES}(?:\\d\\s+)?${AMOUNTS}`, 'u'), undefined],
  [new RegExp(`${PER_IN_TITLES}(?:\\d\\s+)?${SERVING}`, 'u'), 'serving'],
  [new RegExp(`(?:${before(LOOSE)}|^\\s*)(${WEIGHED})\\s*$`, 'u'), undefined],
  [new RegExp(`${EACH_GRAM}|^\\s*1\\s*${GRAMS}\\s*$`, 'u'), PER_GRAM],
];

/** What the figures below a title, or in a sheet of this name, are for; undefined if it does not say. */
export const basisOfTitle = (text: string): string | undefined => withoutBases(plain(text), TITLES).basis;

function withoutBases(text: string, bases: Bases): { rest: string; basis: string | undefined } {
  let rest = text;
  let basis: string | undefined;
  for (const [pattern, name] of bases) {
    const found = pattern.exec(rest);
    if (found === null) continue;
    basis ??= name ?? (found[1] ?? found[2])?.replace(/(\d)\s*(?=\p{L})/u, '$1 ') ?? '';
    rest = rest.replace(pattern, ' ');
  }
  return { rest, basis };
}

/** A table asks for each of its headings a dozen times. */
const parsed = new Map<string, Heading>();
const MOST_PARSED = 50_000;

export function parseHeading(text: string): Heading {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  const heading = parse(text);
  parsed.set(text, heading);
  return heading;
}

function parse(text: string): Heading {
  const { rest, basis } = withoutBases(plain(text), BASES);
  const written = PHRASES.reduce(
    (all, [phrase, unit]) => all.replace(phrase, unit),
    rest.replace(OF_WHICH, ' '),
  );
  const words = written.split(/[^\p{L}\p{M}\p{N}%]+/u).map(stem);
  const units = new Set(words.flatMap((word) => UNITS.get(word) ?? []));
  // A column with two units has two figures in a cell, or figures in an unknown one of them.
  const isUnit = (word: string): boolean => units.size === 1 && UNITS.has(word);
  const names = words
    .filter((word) => word !== '' && !isUnit(word) && !NOISE.has(word))
    .map((word) => (MILLILITRES.has(word) ? 'ml' : word));
  const [unit] = units;
  return { key: names.sort().join(' '), unit, basis, language: languageIn(rest) };
}

const keysByKind = new Map<string, ReadonlySet<string>>();

/** The keys of the words of a kind in all languages. Made when they are first asked for: most processes read no table. */
export function keysFor(kind: string): ReadonlySet<string> {
  const keys = keysByKind.get(kind) ?? new Set(headingWords(kind).map((word) => parseHeading(word).key));
  keysByKind.set(kind, keys);
  return keys;
}

/** Whether a text is a unit or "per 100 g", and no name. */
export function isUnit(text: string): boolean {
  const { key, unit, basis } = parseHeading(text);
  return key === '' && (unit !== undefined || basis !== undefined);
}

/** The fields whose figures are for an amount of food, 100 g unless the table says otherwise. */
const SCALED = ['kcal', 'protein_g', 'carbohydrate_g', 'fat_g', ...FATTY_ACIDS] as const;
export const isScaled = (field: string): boolean =>
  field === 'nutrient' || SCALED.some((each) => each === field);

/** The fields of columns in users' tables. `fat_g` is total fat, which may replace the three kinds of fatty acids. */
export const FIELDS = ['description', ...SCALED, 'popularity', 'names'] as const;

/** Portions of a food; the surveys of USDA have up to twenty. */
export const MAX_PORTIONS = 20;

export type PortionField = `portion_${number}` | `portion_${number}_g`;
/** A table has any number of columns with a `nutrient`. */
export type Field = (typeof FIELDS)[number] | PortionField | 'nutrient';

export const PORTION_FIELDS: readonly (readonly [text: PortionField, weight: PortionField])[] = Array.from(
  { length: MAX_PORTIONS },
  (_, i) => [`portion_${i + 1}`, `portion_${i + 1}_g`],
);

/** The kinds of words that name a field, with the unit that they say. */
const KINDS: readonly (readonly [field: Field, kind: string, unit?: Unit])[] = [
  ['description', 'food'],
  ['kcal', 'calories', 'kcal'],
  ['kcal', 'kilojoules', 'kJ'],
  // Without a unit in the heading, the figures must show it.
  ['kcal', 'energy'],
  ['protein_g', 'protein'],
  ['carbohydrate_g', 'carbohydrate'],
  ['fat_g', 'fat'],
  ['fa_sat_g', 'saturated'],
  ['fa_mono_g', 'monounsaturated'],
  ['fa_poly_g', 'polyunsaturated'],
  ['popularity', 'popularity'],
  ['names', 'other names'],
];

/** The names of each, the most exact first. Case, accents, the order of the words, plural *s*, units and "per 100 g" do not count. */
export const HEADINGS = KINDS.map(([field, kind, unit]) => ({ field, unit, names: headingWords(kind) }));

/** The headings of portions and of their weights. The number may be any; blanks, signs and case do not count. */
const PORTION_COLUMNS = new Map(
  ['portion 1', 'portion 1 weight'].flatMap((kind, which) =>
    headingWords(kind).map((name, position) => [lettersOf(name), { which, position }] as const),
  ),
);

function lettersOf(heading: string): string {
  const letters = heading.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
  return letters.toLowerCase();
}

/** The field of a portion or of its weight. Its heading has a number, unlike those of amounts that the figures are for. */
export function portionNamed(
  heading: string,
): { readonly field: PortionField; readonly position: number } | undefined {
  const letters = lettersOf(heading);
  const number = /^\D+(\d\d?)\D*$/.exec(letters)?.[1] ?? '';
  const known = PORTION_COLUMNS.get(letters.replace(number, '1'));
  const field = known && PORTION_FIELDS[Number(number) - 1]?.[known.which];
  return field === undefined ? undefined : { field, position: known?.position ?? 0 };
}
