/** The texts of headings, as plain as they can be compared. */
import { PLAIN_LETTERS } from '#core';

/** Letters that no decomposition makes equal to those that people type instead. */
const LETTERS: Readonly<Record<string, string>> = {
  ...PLAIN_LETTERS,
  ...{ μ: 'u', ħ: 'h', ς: 'σ' },
  ...{ ی: 'ي', ى: 'ي', ک: 'ك', ة: 'ه', ـ: '' },
};
const FOLDED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
/** The zeros of scripts with their own digits. */
const ZEROS = Array.from('٠۰०০௦๐', (zero) => zero.codePointAt(0) ?? 0);

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? digit : String(code - zero);
}

/** What the cells `61.46 ± 0.60` have beside the mean. */
const MEAN_AND_ERROR = /(?:±|\+\/-)\s*(?:s\.?[de]\.?m?|std|error)?(?!\p{L})/gu;

/** What of a heading or a title is read: some patterns take the square of it. */
export const partRead = (text: string): string => text.slice(0, 2000);

/** Lower case, without accents and the number that some tables put first; separates words of `camelCase` and `snake_case`. */
export function plain(text: string): string {
  return (
    partRead(text)
      .replace(/^\d{3,5} (?=\p{Lu})/u, '')
      .normalize('NFKD')
      // The signs of Indic scripts and of Thai are letters of a word, not accents.
      .replace(
        /\p{sc=Inherited}|(?=\p{sc=Hebrew})\p{M}|(?<!\d ?\p{L}{1,2})[’'‘ʻʼ׳`]|(?<=\p{L})["״”](?=\p{L})/gu,
        '',
      )
      .replace(/[kK](?:[jJ]|[cC][aA][lL][sS]?)(?!\p{Ll})|mL(?!\p{L})/gu, (unit) => ` ${unit.toLowerCase()} `)
      .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{L}\p{M}])(?=\d)|_/gu, ' ')
      .toLowerCase()
      .replace(/(?!\d)\p{Nd}/gu, asciiDigit)
      .replace(/百(?=公?克)/g, '100')
      .replace(FOLDED, (letter) => LETTERS[letter] ?? letter)
      .replace(MEAN_AND_ERROR, ' ')
      .replaceAll('%', ' % ')
  );
}

/** A word without the plural *s*, or the Arabic article. */
export const stem = (word: string): string =>
  word.length > 3 ? word.replace(/s$|^ال(?=\p{L}{3})/u, '') : word;
