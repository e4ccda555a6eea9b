/** The page's own texts in its language, English until another one is set. */
import type { VNode } from 'preact';
import { EN } from './en.ts';

export type TextKey = keyof typeof EN;

/** A text, or one for each plural that the language has. */
type Text = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

/** Those of another release may lack some. */
export type Texts = Readonly<Partial<Record<TextKey, Text>>> & {
  /** What portions are measured by, from English; `1 large` where it stands first, and # for a number that does not. */
  readonly portionWords?: string;
};

type English<Key extends TextKey> = (typeof EN)[Key] extends { readonly other: infer Other }
  ? Other
  : (typeof EN)[Key];
type NamesIn<English> = English extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** What stands in the place of each name in braces. */
type Values<Key extends TextKey, Value> = [NamesIn<English<Key>>] extends [never]
  ? []
  : [values: Readonly<Record<NamesIn<English<Key>>, Value>>];

let texts: Texts = EN;
let plurals = new Intl.PluralRules('en');
let counts = new Intl.NumberFormat();
let portionWords = new Map<string, string>();

/** @param locale of counts */
export function setTexts(others: Texts, language: string, locale: string): void {
  texts = { ...EN, ...others };
  plurals = new Intl.PluralRules(language);
  counts = new Intl.NumberFormat(locale);
  const words = others.portionWords?.split('|') ?? [];
  portionWords = new Map(words.map((each) => each.split('=') as [string, string]));
}

function fill<Value>(
  key: TextKey,
  values: Readonly<Record<string, Value>> = {},
  count = Number(values.count),
): readonly (string | Value)[] {
  const text: Text = texts[key] ?? EN[key];
  const chosen = typeof text === 'string' ? text : (text[plurals.select(count)] ?? text.other);
  // Every second part is a name.
  return (chosen ?? '').split(/\{(\w+)\}/).map((part, i) => (i % 2 === 0 ? part : (values[part] ?? part)));
}

const joined = (parts: readonly (string | number)[]): string =>
  parts.map((part) => (typeof part === 'number' ? counts.format(part) : part)).join('');

/** A text with numbers as they are written in its language. */
export const t = <Key extends TextKey>(key: Key, ...[values]: Values<Key, string | number>): string =>
  joined(fill<string | number>(key, values));

/** A text whose values are elements of the page. @param count decides, where the text has plurals */
export const parts = <Key extends TextKey>(
  key: Key,
  values: Readonly<Record<NamesIn<English<Key>>, string | VNode>>,
  count?: number,
) => fill<string | VNode>(key, values, count);

const BY_ENGLISH = new Map<unknown, TextKey>(Object.entries(EN).map(([key, text]) => [text, key as TextKey]));

/** That of a nutrient which the page has no text for, and which is English. */
export const languageOf = (english: string): string | undefined =>
  BY_ENGLISH.has(english) ? undefined : 'en';

/** A nutrient, or why a weight is unknown, which are English in an answer; as it is if the page has no text for it. */
export function translated(english: string): string {
  const [quoted = '', name = ''] = /“(.*)”/.exec(english) ?? [];
  const key = BY_ENGLISH.get(quoted === '' ? english : english.replace(quoted, '“{name}”'));
  return key === undefined ? english : joined(fill(key, { name }));
}

/** An English portion without its number, such as "cup, chopped"; undefined if the page lacks one of its words. */
export function portionIn(portion: string, number: string, isMany = false): string | undefined {
  let isKnown = portionWords.size > 0;
  const text = portion.replace(/[a-z](?:[a-z ]*[a-z])?/gi, (words, at) => {
    const known = (at === 0 && portionWords.get(`1 ${words}`)) || portionWords.get(words);
    isKnown &&= known !== undefined;
    return known ?? words;
  });
  if (!isKnown) return undefined;
  if (text.includes('#')) return text.replace('#', number);
  const hasPlurals = plurals.resolvedOptions().pluralCategories.length > 1;
  return `${number}${isMany && hasPlurals ? ' ×' : ''} ${text}`;
}
