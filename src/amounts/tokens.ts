/** A line as numbers, words and signs. */
import { type Fraction, fraction, ofDecimal } from './fraction.ts';

export interface Token {
  /** As it is compared: in lower case; a number as typed. */
  readonly text: string;
  readonly kind: 'number' | 'word' | 'sign';
  readonly start: number;
  readonly end: number;
  /** Whether it follows the one before it at once. */
  readonly isAttached: boolean;
}

const WITHOUT_SPACES = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}ー]`;
export const UNSPACED = new RegExp(`^${WITHOUT_SPACES}`, 'u');

/**
 * A date; a number with its marks, and blanks that no line breaks at; a fraction; a character of a script without spaces between
 * words, or a word before such a one, whose ending may be in brackets: "Semmel(n)". Dots behind words are those of abbreviations.
 */
const TOKEN = new RegExp(
  String.raw`(\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4})|(\d+(?:[.,'’\u00a0\u202f]\d+)*|(?<![\p{L}\p{M}\p{N}.])[.,]\d+|[¼-¾⅐-⅞])|(${WITHOUT_SPACES})|(\p{L}(?:(?!${WITHOUT_SPACES})[\p{L}\p{M}])*(?:\(\p{L}{1,3}\))?)\.?|[^\s\u00ad]`,
  'gu',
);

/** The text with the same length, in which wide forms and the commas and brackets of other scripts are plain ones. */
export const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[、،､]/g, ',')
    .replace(/[؛。｡।॥۔]/g, ';')
    .replace(/[【〔「『《〈]/g, '(')
    .replace(/[】〕」』》〉]/g, ')')
    .replace(/[⁄∕]/g, '/')
    .replace(/[‐‑−]/g, '-')
    .replace(/[’‘ʼ´`]/g, "'");

/** @param text as `plain` makes it */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let before = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const [whole, date, number, character, word] = found;
    const { index: start } = found;
    const end = TOKEN.lastIndex;
    const kind = number !== undefined ? 'number' : (character ?? word) !== undefined ? 'word' : 'sign';
    const typed = date === undefined ? (word ?? whole) : '';
    // A single letter is meant in its case: T and t are two spoons.
    const named = kind === 'word' && typed.length > 1 ? typed.replace(/\(.*/, '').toLowerCase() : typed;
    tokens.push({ text: named, kind, start, end, isAttached: start === before && start > 0 });
    before = end;
  }
  return tokens;
}

/** "½" and its like. */
export const SIGNS: ReadonlyMap<string, Fraction> = new Map(
  Array.from('¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞', (sign) => {
    const [above, below] = sign.normalize('NFKC').split('⁄').map(Number);
    return [sign, fraction(above ?? 0, below)];
  }),
);

export type DecimalMark = '.' | ',';

/** More digits than any amount has. */
const MAX_DIGITS = 9;

/**
 * The values that a number may have: two for "1.234", unless the decimal mark is known. "1,234" is more than a thousand where
 * nothing is known, since no fraction of a gram is written to the thousandth, and "0,125" or "1,5" is a fraction everywhere.
 */
export function valuesOf(number: string, mark?: DecimalMark): readonly Fraction[] {
  const text = number.replace(/['\u00a0\u202f](?=\d{3})/g, '');
  if (text.length > MAX_DIGITS) return [];
  if (/^\d+$/.test(text)) return [fraction(Number(text))];
  const [, grouped] = /^[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/.exec(text) ?? [];
  const decimal = /^(\d*)[.,](\d+)$/.exec(text);
  const fractional = decimal ? [ofDecimal(`${decimal[1] || '0'}.${decimal[2]}`)] : [];
  if (grouped === undefined) return fractional;
  const groups = ofDecimal(text.replaceAll(grouped, '').replace(',', '.'));
  if (mark === undefined) return grouped === '.' ? [...fractional, groups] : [groups];
  return grouped === mark ? fractional : [groups];
}
