/**
 * Matches of a query in a description, by the rule of the service: both in normal form C, lowercased code point by code
 * point.
 */

interface Stretch {
  readonly start: number;
  readonly text: string;
  readonly isMatch: boolean;
}

/** Texts to mark in descriptions, anywhere or only where they begin a word. */
export interface Marks {
  readonly texts: readonly string[];
  readonly isAnywhere: boolean;
}

/** Splits the description, in normal form C, into matches and the texts between them. */
export function matchedStretches(description: string, { texts, isAnywhere }: Marks): readonly Stretch[] {
  const composed = description.normalize('NFC');
  const { folded, origins } = foldWithOrigins(composed);
  const isMatched = new Uint8Array(composed.length);
  for (const text of texts) {
    const sought = fold(text);
    if (sought === '') continue;
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + 1)) {
      if (!isAnywhere && isInWord(folded, at)) continue;
      isMatched.fill(1, origins[at], endOf(composed, origins[at + sought.length - 1] ?? 0));
    }
  }
  return stretches(composed, isMatched);
}

/** Whether the description begins with the text, up to the end of a word. */
export function beginsWith(description: string, text: string): boolean {
  const [folded, sought] = [fold(description), fold(text)];
  return folded.startsWith(sought) && !isInWord(folded, sought.length);
}

export const wordsOf = (text: string): readonly string[] =>
  fold(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');

/** The word as it may be in a description: the plural finds the singular. */
export const formsOf = (word: string): readonly string[] => [word, word.replace(/(?<=...)(e?s|ies)$/, '')];

/** Whether a word continues at this place. */
const isInWord = (text: string, at: number): boolean =>
  /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
  /^[\p{L}\p{M}\p{N}]/u.test(text.slice(at, at + 2));

export function fold(text: string): string {
  return foldWithOrigins(text.normalize('NFC')).folded;
}

/** A code point can become longer in lower case (`İ`), so `origins` maps folded positions to original ones. */
function foldWithOrigins(composed: string): {
  readonly folded: string;
  readonly origins: readonly number[];
} {
  const origins: number[] = [];
  let folded = '';
  let at = 0;
  for (const point of composed) {
    const lower = point.toLowerCase();
    for (let i = 0; i < lower.length; i++) origins.push(at);
    folded += lower;
    at += point.length;
  }
  origins.push(composed.length);
  return { folded, origins };
}

/** The end of the code point at `start`: a match of part of its lower case marks all of it. */
function endOf(text: string, start: number): number {
  return start + String.fromCodePoint(text.codePointAt(start) ?? 0).length;
}

function stretches(text: string, isMatched: Uint8Array): readonly Stretch[] {
  const result: Stretch[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    while (end < text.length && isMatched[end] === isMatched[start]) end++;
    result.push({ start, text: text.slice(start, end), isMatch: isMatched[start] === 1 });
  }
  return result;
}
