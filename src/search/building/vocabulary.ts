/** The vocabulary of an index, from the words that each thread has numbered for itself. */
import { batchOf, type CollectedFoods, indexInBatch } from './static-order.ts';

export interface ThreadWords {
  readonly texts: readonly string[];
  readonly foods: Uint32Array;
}

export interface SortedWords {
  readonly spellings: Uint8Array;
  readonly spellingStarts: Uint32Array;
  readonly postingStarts: Uint32Array;
  /** For each thread and each of its words, the rank among all words. */
  readonly rankOf: readonly Uint32Array[];
}

/** The words of all threads in the order of their bytes. */
export function sortWords(threads: readonly ThreadWords[]): SortedWords {
  const numbers = new Map<string, number>();
  for (const { texts } of threads)
    for (const text of texts) if (!numbers.has(text)) numbers.set(text, numbers.size);
  const sorted = Array.from(numbers, ([word, number]) => ({ bytes: Buffer.from(word), number }));
  sorted.sort((a, b) => Buffer.compare(a.bytes, b.bytes));
  const ranks = new Uint32Array(sorted.length);
  const spellingStarts = new Uint32Array(sorted.length + 1);
  for (const [rank, { bytes, number }] of sorted.entries()) {
    ranks[number] = rank;
    spellingStarts[rank + 1] = spellingStarts[rank]! + bytes.length;
  }
  const rankOf = threads.map(({ texts }) => Uint32Array.from(texts, (text) => ranks[numbers.get(text)!]!));
  const postingStarts = new Uint32Array(sorted.length + 1);
  for (const [thread, { foods }] of threads.entries())
    for (const [word, count] of foods.entries()) postingStarts[rankOf[thread]![word]! + 1]! += count;
  for (let i = 1; i < postingStarts.length; i++) postingStarts[i]! += postingStarts[i - 1]!;
  const spellings = Uint8Array.from(Buffer.concat(sorted.map(({ bytes }) => bytes)));
  return { spellings, spellingStarts, postingStarts, rankOf };
}

/** The arrays that {@link fillPostings} fills in, as in `Postings` and `VocabularyFacts`, and where each word goes. */
export interface OpenPostings extends Pick<SortedWords, 'postingStarts' | 'rankOf'> {
  readonly foods: Int32Array;
  readonly places: Uint8Array;
  readonly bestPlaces: Uint8Array;
}

export function fillPostings(
  { scored, order }: CollectedFoods,
  { postingStarts, rankOf, foods, places, bestPlaces }: OpenPostings,
): void {
  const next = postingStarts.slice();
  for (let food = 0; food < order.length; food++) {
    const slot = order[food]!;
    const { postingWords, postingPlaces, firstPostings, thread } = scored[batchOf(slot)]!;
    const ranks = rankOf[thread]!;
    const end = firstPostings[indexInBatch(slot) + 1]!;
    for (let i = firstPostings[indexInBatch(slot)]!; i < end; i++) {
      const rank = ranks[postingWords[i]!]!;
      const at = next[rank]!++;
      const place = postingPlaces[i]!;
      foods[at] = food;
      places[at] = place;
      if (place > bestPlaces[rank]!) bestPlaces[rank] = place;
    }
  }
}
