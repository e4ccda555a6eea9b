/** The words of foods in the order of their bytes. */
import { hasSurrogates, utf8, utf8Length } from '#core';

/** Distinct words in any order. */
export interface CountedWords {
  readonly texts: readonly string[];
  /** For each of them, how many foods have it. */
  readonly foods: Uint32Array;
}

export interface SortedWords {
  readonly spellings: Uint8Array;
  readonly spellingStarts: Uint32Array;
  readonly postingStarts: Uint32Array;
  /** For each thread and each of its words, the rank among all words. */
  readonly rankOf: readonly Uint32Array[];
}

/** The order of code points, which is that of the bytes: surrogates stand above all other code units. */
const rankOfUnit = (unit: number): number =>
  unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;

function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let i = 0;
  while (i < length && one[i] === other[i]) i++;
  if (i === length) return one.length - other.length;
  return rankOfUnit(one.charCodeAt(i)) - rankOfUnit(other.charCodeAt(i));
}

/** The words of all threads in the order of their bytes. */
export function sortWords(threads: readonly CountedWords[]): SortedWords {
  const words = [...new Set(threads.flatMap(({ texts }) => texts))];
  // The order of code units takes a fifth of the time.
  const isSimple = !words.some(hasSurrogates);
  if (isSimple) words.sort();
  else words.sort((one, other) => compareCodePoints(one.toWellFormed(), other.toWellFormed()));
  const ranks = new Map(words.map((word, rank) => [word, rank]));
  const spellingStarts = new Uint32Array(words.length + 1);
  for (const [i, word] of words.entries()) spellingStarts[i + 1] = spellingStarts[i]! + utf8Length(word);
  const rankOf = threads.map(({ texts }) => Uint32Array.from(texts, (text) => ranks.get(text)!));
  const postingStarts = new Uint32Array(words.length + 1);
  for (const [thread, { foods }] of threads.entries())
    for (const [word, count] of foods.entries()) postingStarts[rankOf[thread]![word]! + 1]! += count;
  for (let i = 1; i < postingStarts.length; i++) postingStarts[i]! += postingStarts[i - 1]!;
  const spellings = utf8((isSimple ? words : words.map((word) => word.toWellFormed())).join(''));
  return { spellings, spellingStarts, postingStarts, rankOf };
}
