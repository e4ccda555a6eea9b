/**
 * How an index is made from the foods: which steps run when, and which concurrently. It is a generator, so that the same
 * steps work in one thread, which runs them itself, and in several, which must be awaited.
 *
 * The index is byte for byte the same whatever the number of threads: each takes parts of the foods, and nothing in the index
 * depends on where a part ends.
 */
import { type Building, type Crew, inEach, type ReadFoods, run } from './build-step.ts';
import { BATCH_SIZE, type FoodBatch } from './building/food-batch.ts';
import type { NameGroups } from './building/name-groups.ts';
import type { ScoredBatch } from './building/scored-batch.ts';
import { type FoodPart, orderFoods, slotOfKey } from './building/static-order.ts';
import { sortWords } from './building/vocabulary.ts';
import { emptyIndex } from './empty-index.ts';
import { NameStatistics } from './ranking/statistics.ts';
import { fillSuffixes, gatherTexts, type OpenSuffixes, sortTokens } from './suffix-steps.ts';

/** Bytes of entries that are ordered at once. */
const PIECE = 4 * 1024 * 1024;

const NO_KEYS = new Int32Array(0);

/** Yields the index and its entries, and fills in its arrays. Uses up the batches. */
export function* buildIndex(foods: ReadFoods, crew: Crew): Building<void> {
  const suffixes = yield* fillOthers(foods, crew);
  yield* fillSuffixes(suffixes, crew);
}

/** Fills in everything but the suffixes, so that it can be released before these take the most memory. */
function* fillOthers(foods: ReadFoods, crew: Crew): Building<OpenSuffixes> {
  const { batches } = foods;
  yield { phase: 'scoring' };
  const groups = yield* groupNames(batches, crew);
  for (const [i, batch] of batches.entries()) batches[i] = { ...batch, nameKeys: NO_KEYS };
  yield { release: true };
  const scored = yield* scoreFoods(batches, groups);
  const words = sortWords(yield* inEach('words', undefined));
  yield { release: true };
  yield { phase: 'sorting foods' };
  const order = new Uint32Array(crew.allocate(4 * foods.size));
  for (const [i, key] of orderFoods(scored, groups.isRepeat, foods.size).entries()) order[i] = slotOfKey(key);
  const collected = { batches, scored, order };
  const index = emptyIndex(foods, collected, groups.isRepeat, words, crew.allocate);
  yield { index, entriesSize: foods.entriesSize };
  yield* inEach('take', collected);
  yield* handOutEntries(index.entryStarts, crew);
  // Entries take most of the memory so far.
  batches.length = 0;
  yield* inEach('take', { ...collected, batches: [] });
  yield { release: true };
  const tokens = yield* gatherTexts(scored, order, index.corpus, crew);
  yield* inEach('take', { ...collected, batches: [], scored: scored.map(withoutTexts) });
  // The threads have copied what they still need.
  scored.length = 0;
  yield { release: true };
  yield { phase: 'sorting suffixes' };
  return yield* sortTokens(index, tokens, words, crew);
}

function* groupNames(batches: readonly FoodBatch[], { threads, allocate }: Crew): Building<NameGroups> {
  const slots = batches.length * BATCH_SIZE;
  const groups = {
    isRepeat: new Uint8Array(allocate(slots)),
    sameName: new Uint32Array(allocate(4 * slots)),
  };
  const counts = yield* inEach('nameCounts', undefined);
  yield* run(
    'groupNames',
    Array.from({ length: threads }, (_, share) => ({ batches, groups, share, shares: threads })),
  );
  const all = new NameStatistics(counts[0]);
  for (const count of counts.slice(1)) all.addAll(count);
  const { families, words, ...rest } = all.counts;
  const share = (rows: Uint32Array): Uint32Array => {
    const copy = new Uint32Array(allocate(rows.byteLength));
    copy.set(rows);
    return copy;
  };
  yield* inEach('startScoring', { families: share(families), words: share(words), ...rest });
  return groups;
}

function* scoreFoods(
  batches: readonly FoodBatch[],
  { isRepeat, sameName }: NameGroups,
): Building<ScoredBatch[]> {
  const mostPopular = batches.reduce(
    (most, { popularities }) => popularities?.reduce((a, b) => Math.max(a, b), most) ?? most,
    0,
  );
  return yield* run(
    'score',
    batches.map((batch, b) => {
      const [from, to] = [b * BATCH_SIZE, (b + 1) * BATCH_SIZE];
      const neighbours = {
        isRepeat: isRepeat.subarray(from, to),
        sameName: sameName.subarray(from, to),
        mostPopular,
      };
      return { batch, neighbours };
    }),
  );
}

function* handOutEntries(starts: Uint32Array, { threads, allocate }: Crew): Building<void> {
  const foods = starts.length - 1;
  /** Reused for all pieces. */
  const memory: Uint8Array[] = [];
  for (let from = 0; from < foods; ) {
    const parts: (FoodPart & { readonly entries: Uint8Array })[] = [];
    for (; parts.length < threads && from < foods; from = parts.at(-1)!.to) {
      let to = from + 1;
      while (to < foods && starts[to + 1]! - starts[from]! <= PIECE) to++;
      const size = starts[to]! - starts[from]!;
      const part = parts.length;
      if (size > (memory[part]?.length ?? 0)) memory[part] = new Uint8Array(allocate(Math.max(size, PIECE)));
      parts.push({ from, to, entries: memory[part]!.subarray(0, size) });
    }
    yield* run('gatherEntries', parts);
    for (const { entries } of parts) yield { entries };
  }
}

/** The parts of a batch from which postings are made. */
function withoutTexts(batch: ScoredBatch): ScoredBatch {
  const [bytes, numbers] = [new Uint8Array(0), new Uint32Array(0)];
  return {
    ...batch,
    text: bytes,
    firstSymbols: numbers,
    tokens: numbers,
    positions: numbers,
    scores: bytes,
    firstWords: numbers,
  };
}
