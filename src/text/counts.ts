/**
 * Counts in messages.
 */

/** With thousands separators: "1,077". */
export const amount = (count: number): string => count.toLocaleString('en');

/** So many of what a text names in the singular: "2 figures below a limit", "1,077 foods", "3 no description". */
export const counted = (count: number, what: string): string =>
  `${amount(count)} ${count === 1 ? what : what.replace(COUNTABLE, '$1s').replace('that is not a number', 'that are not numbers')}`;

const COUNTABLE = /^(amount|cell|duplicate|figure|food|name|portion|row|weight)\b/;
