/** Columns with the errors of the means in others: `protcnt_e`, `Fat SD`, `±`. They are no figures. */

import { keysFor, parseHeading } from '../words/headings.ts';
import { lazily } from '../words/languages.ts';

/** The longest first. */
const errors = lazily(() => [...keysFor('error')].toSorted((a, b) => b.length - a.length));
/** The words of a heading, without `mean` and the like. */
const keyOf = (heading: string): string =>
  parseHeading(heading)
    .key.split(' ')
    .filter((word) => !keysFor('measure').has(word))
    .join(' ');
const SIGN = /±|\+\/-/;
/** A letter behind the heading of the mean, as in the Indian tables: `enerc`, `enerc_e`, perhaps before its unit: `ca_e (mg)`. */
const LETTER = /^(.+)[_ -][es](|[_ ]\(?\p{L}{1,4}\)?)$/u;
/** Fewer are names, such as `Vitamin` and `Vitamin e`. */
const LEAST_WITH_LETTER = 2;

/** @returns the positions of the columns of errors */
export function errorColumns(headings: readonly string[]): ReadonlySet<number> {
  const positions = (isError: (heading: string) => boolean): number[] =>
    headings.flatMap((heading, index) => (isError(heading.trim()) ? [index] : []));
  const keys = headings.map(keyOf);
  const withLetter = positions((heading) => {
    const [, mean, unit] = LETTER.exec(heading) ?? [];
    return mean !== undefined && keys.includes(keyOf(`${mean}${unit}`));
  });
  const isOfOther = (rest: string, heading: string): boolean =>
    rest === '' || headings.some((other, i) => other.trim() !== heading && keys[i] === rest);
  const withSign = positions((text) => SIGN.test(text) && isOfOther(keyOf(text), text));
  const named = positions((text) => {
    const rest = withoutError(keyOf(text));
    return rest !== undefined && isOfOther(rest, text);
  });
  return new Set([...(withLetter.length < LEAST_WITH_LETTER ? [] : withLetter), ...withSign, ...named]);
}

/** The other words of a key with those of an error; undefined if it has none. */
function withoutError(key: string): string | undefined {
  const words = key.split(' ');
  const found = errors().find((error) => error.split(' ').every((word) => words.includes(word)));
  // Alone, it is selenium.
  if (found === undefined || key === 'se') return undefined;
  return words.filter((word) => !found.split(' ').includes(word)).join(' ');
}
