/** The language that a heading says beside a name: `name_de`, `Name (pt-BR)`, `English name`, `Bezeichnung D`. */
import { LANGUAGES } from './languages.ts';

const SPOKEN = LANGUAGES.filter(({ code }) => code.length === 2);
const OWN_NAMES = 'deutsch:de eng:en espanol:es francais:fr italiano:it nederlands:nl portugues:pt';
const NAMES = new Map([
  ...SPOKEN.map(({ code, name }) => [name.toLowerCase(), code] as const),
  ...OWN_NAMES.split(' ').map((each) => each.split(':') as [string, string]),
]);
/** Other codes are words: `food_id`, `item no`. Such a language goes by its name: `Name (Norwegian)`. */
const CODES = SPOKEN.map(({ code }) => code).filter((code) => !/^(?:fa|id|is|no)$/.test(code));
const REST = '(?:[\\s-]han[st])?(?:[\\s-](?:[a-z]{2}|419))?';
const TAG = new RegExp(`^(.+?)[\\s()[\\]:./|,-]+((?:nb|nn|${CODES.join('|')})${REST})[)\\]\\s]*$`);

export interface SaidLanguage {
  readonly tag: string | undefined;
  /** The heading without it. */
  readonly named: string;
  /** Whether it is written as in most tables. In another form, a column names the foods only where no other does. */
  readonly isUsual: boolean;
}

/** @param text in lower case, without accents and underscores */
export function languageIn(text: string): SaidLanguage | undefined {
  const isUsual = USUAL.test(text);
  const [, named = '', tag] = TAG.exec(text) ?? [];
  if (tag !== undefined) return { tag: new Intl.Locale(tag.replace(/\s/g, '-')).baseName, named, isUsual };
  const name = text.split(/[\s()[\]:./|,-]+/).find((word) => NAMES.has(word));
  return name === undefined ? undefined : { tag: NAMES.get(name), named: text.replace(name, ' '), isUsual };
}

/** `name_de`, `Food (English)`. */
const USUAL = new RegExp(`[ (](?:english|nb|${CODES.join('|')})\\)?\\s*$`);

/** Countries whose code is that of another language, and the end of the Vietnamese word for a description. */
export const NO_LANGUAGE = /(?<!\p{L})(?:CA|EU|UK|t\u1ea3)\W*$/u;

/** What a food is called may stand in several languages. */
export const isOfNames = (field: string | undefined): boolean => field === 'description' || field === 'names';

/** The languages of Switzerland, as its tables mark them. */
const LETTERS: Readonly<Record<string, string>> = { D: 'german', F: 'french', I: 'italian', E: 'eng' };
const LETTERED = /^(.+?)(?:[\s_.:(/-]+|(?<=\p{Ll})(?=\p{Lu}))([DFIEdfie])\)?\s*$/u;

/** The headings with `Bezeichnung D` beside `Bezeichnung F` as `Bezeichnung [german]`; one letter alone says no language. */
export function spelledOut(headings: readonly string[], fieldOf: (name: string) => string | undefined) {
  const marked = headings.map((heading) => {
    const [, name = '', letter = ''] = LETTERED.exec(heading) ?? [];
    return isOfNames(fieldOf(name)) ? { name, language: LETTERS[letter.toUpperCase()] } : undefined;
  });
  const languages = new Set(marked.flatMap((each) => each?.language ?? []));
  if (languages.size < 2) return headings;
  return headings.map((heading, i) => (marked[i] ? `${marked[i].name} [${marked[i].language}]` : heading));
}
