/** The headers of an answer to a search by words. */
import type { WordsAnswer } from './catalog.ts';

/**
 * Bytes of these headers at most. nginx by default answers 502 if all headers of an answer take more than 4 kB; the others take
 * less than 1 kB.
 */
const MAX_MATCHED_WORDS = 2048;
const MAX_MISSING_WORDS = 512;

/** `Matched-Words` has pairs `typed=searched`, and `Missing-Words` words; both are percent-encoded, and absent if there are none. */
export function wordHeaders({
  replaced = [],
  missing = [],
}: Partial<Pick<WordsAnswer, 'replaced' | 'missing'>>): Record<string, string> {
  const pairs = replaced.map(({ typed, searched }) => [typed, searched].map(encodeURIComponent).join('='));
  const lists = {
    'Matched-Words': listed(pairs, MAX_MATCHED_WORDS),
    'Missing-Words': listed(missing.map(encodeURIComponent), MAX_MISSING_WORDS),
  };
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list !== ''));
}

function listed(elements: readonly string[], most: number): string {
  let list = '';
  for (const element of elements) {
    const longer = list === '' ? element : `${list}, ${element}`;
    if (longer.length > most) break;
    list = longer;
  }
  return list;
}
