/**
 * Text from outside on its way to a terminal: names, descriptions and headers may hold characters that a terminal
 * obeys, or that put a line into another order than it is stored in.
 */

/**
 * Controls (C0, DEL, C1), lone surrogates, separators of lines, and format characters, which are invisible and may
 * reorder. Not the soft hyphen, the joiners of Persian and of emoji, and the signs of Arabic and Syriac that are visible.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u200c\u200d])\p{Cf}/gu;

/** The text in one line, with an escape of JSON for each character that is not printable; so JSON stays the same data. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, escaped);

/** The same, of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, i) => character.charCodeAt(i));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
