/** Which foods have which words. */
import type { SortedWords } from '../words/sorted-words.ts';
import { batchOf, indexInBatch } from './food-batch.ts';
import type { ScoredBatch } from './scored-batch.ts';

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
