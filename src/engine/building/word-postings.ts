/** The words of all foods in order, and which foods have each. */
import { utf8, utf8Length } from '#core';
import { batchOf, indexInBatch } from './food-batch.ts';
import type { ThreadWords } from './local-words.ts';
import type { ScoredBatch } from './scored-batch.ts';

export interface SortedWords {
  readonly spellings: Uint8Array;
  readonly spellingStarts: Uint32Array;
  readonly postingStarts: Uint32Array;
  /** For each thread and each of its words, the rank among all words. */
  readonly rankOf: readonly Uint32Array[];
}

/** Follows each word while they are sorted, and is below all that words have. */
const END_OF_WORD = '\0';

/** The words of all threads in the order of their bytes. */
export function sortWords(threads: readonly ThreadWords[]): SortedWords {
  const numbers = new Map<string, number>();
  for (const { texts } of threads)
    for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size);
  const words = [...numbers.keys()];
  // All in one array, since one for each word takes a multiple of its memory.
  const bytes = utf8(words.map((word) => word + END_OF_WORD).join(''));
  const starts = new Uint32Array(words.length + 1);
  for (const [i, word] of words.entries()) starts[i + 1] = starts[i]! + utf8Length(word) + 1;
  const sorted = Uint32Array.from(words.keys()).sort((a, b) => compareWords(bytes, starts[a]!, starts[b]!));
  const ranks = new Uint32Array(words.length);
  const spellings = new Uint8Array(bytes.length - words.length);
  const spellingStarts = new Uint32Array(words.length + 1);
  for (const [rank, number] of sorted.entries()) {
    ranks[number] = rank;
    const spelling = bytes.subarray(starts[number], starts[number + 1]! - 1);
    spellings.set(spelling, spellingStarts[rank]!);
    spellingStarts[rank + 1] = spellingStarts[rank]! + spelling.length;
  }
  const rankOf = threads.map(({ texts }) => Uint32Array.from(texts, (text) => ranks[numbers.get(text)!]!));
  const postingStarts = new Uint32Array(words.length + 1);
  for (const [thread, { foods }] of threads.entries())
    for (const [word, count] of foods.entries()) postingStarts[rankOf[thread]![word]! + 1]! += count;
  for (let i = 1; i < postingStarts.length; i++) postingStarts[i]! += postingStarts[i - 1]!;
  return { spellings, spellingStarts, postingStarts, rankOf };
}

/** Compares two words in the same array from their first bytes. */
function compareWords(bytes: Uint8Array, a: number, b: number): number {
  let i = 0;
  while (bytes[a + i] === bytes[b + i] && bytes[a + i] !== 0) i++;
  return bytes[a + i]! - bytes[b + i]!;
}

/** The arrays that {@link fillPostings} fills in, as in `Postings` and `VocabularyFacts`, and where each word goes. */
export interface OpenPostings extends Pick<SortedWords, 'postingStarts' | 'rankOf'> {
  readonly foods: Int32Array;
  readonly places: Uint8Array;
  readonly bestPlaces: Uint8Array;
}

export function fillPostings(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  { postingStarts, rankOf, foods, places, bestPlaces }: OpenPostings,
): void {
  const next = postingStarts.slice();
  for (let food = 0; food < order.length; food++) {
    const arrived = order[food]!;
    const { postingWords, postingPlaces, firstPostings, thread } = scored[batchOf(arrived)]!;
    const ranks = rankOf[thread]!;
    const end = firstPostings[indexInBatch(arrived) + 1]!;
    for (let i = firstPostings[indexInBatch(arrived)]!; i < end; i++) {
      const rank = ranks[postingWords[i]!]!;
      const at = next[rank]!++;
      const place = postingPlaces[i]!;
      foods[at] = food;
      places[at] = place;
      if (place > bestPlaces[rank]!) bestPlaces[rank] = place;
    }
  }
}
