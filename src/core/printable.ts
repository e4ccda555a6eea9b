/**
 * Counts in messages, and text that is safe for a terminal: names, descriptions and headers from outside may contain control
 * sequences, or characters that display a line in another order than it is stored.
 */

/**
 * Controls (C0, DEL, C1), lone surrogates, line separators, and format characters, which are invisible and may reorder
 * text. The soft hyphen, the joiners of Persian and of emoji, and the visible format characters of Arabic and Syriac are allowed.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c\u200d])\p{Cf}/gu;

/** The text in one line, with a JSON escape for each unprintable character, so that JSON keeps its meaning. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** With thousands separators: "1,077". */
export const amount = (count: number): string => count.toLocaleString('en');

/** "1 food", "1,077 foods". @param many the plural, unless it has only an "s" more */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${amount(count)} ${count === 1 ? one : many}`;
