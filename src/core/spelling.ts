/** What searches and amounts take for the same spelling. */

/** Letters that Unicode does not divide, and what people write who cannot type them. */
export const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' },
  ...{ ø: 'o', ð: 'd', đ: 'd', ł: 'l', ı: 'i' },
};

/** From this many letters on, a word may have one edit, or two. */
const [ONE_EDIT, TWO_EDITS] = [4, 8];

/** The number of edits that a word may have. */
export function editsOf(letters: number): number {
  if (letters < ONE_EDIT) return 0;
  return letters < TWO_EDITS ? 1 : 2;
}
