/**
 * How an index is made from the foods: which steps run when, and which concurrently.
 *
 * The index is byte for byte the same whatever the number of threads: each takes parts of the foods, and nothing in the index
 * depends on where a part ends.
 */
import type { BuildPool } from './building/build-thread.ts';
import { BATCH_SIZE, type FoodBatch } from './building/food-batch.ts';
import type { NameGroups } from './building/name-groups.ts';
import type { ScoredBatch } from './building/scored-batch.ts';
import {
  batchOf,
  type CollectedFoods,
  type EntriesPart,
  indexInBatch,
  orderFoods,
  type TextsPart,
} from './building/static-order.ts';
import { type SortedWords, sortWords } from './building/vocabulary.ts';
import { BLOCK_SIZE } from './collections/bits.ts';
import type { PortionsBuilder } from './portions.ts';
import { NameStatistics } from './ranking/statistics.ts';
import type { IndexSections, IndexSink } from './sections.ts';
import { bucketsOf, SYMBOL_PAIRS } from './suffixes/suffix-range.ts';

export interface ReadFoods {
  readonly batches: FoodBatch[];
  readonly portions: PortionsBuilder;
  readonly size: number;
  /** Bytes of all descriptions and entries. */
  readonly textSize: number;
  readonly entriesSize: number;
}

const PIECE = 4 * 1024 * 1024;

/** Makes an index, and hands it over to the sink in pieces. Uses up the batches. */
export async function buildIndex(
  foods: ReadFoods,
  pool: BuildPool,
  sink: IndexSink,
  onPhase: (phase: string) => void,
): Promise<void> {
  const { batches } = foods;
  onPhase('scoring the foods');
  const groups = await groupNames(batches, pool);
  pool.release();
  const scored = await scoreFoods(batches, groups, pool);
  const words = sortWords(await pool.runInEach('words', undefined));
  pool.release();
  onPhase('putting the foods in order');
  const order = orderFoods(scored, groups.isRepeat, new Uint32Array(pool.allocate(4 * foods.size)));
  const { index, suffixes } = emptyIndex(foods, { batches, scored, order }, groups.isRepeat, words, pool);
  sink.begin(index, foods.entriesSize);
  await pool.runInEach('take', { batches, scored, order });
  await handOutEntries(index.entryStarts, pool, sink);
  // Entries take most of the memory so far.
  batches.length = 0;
  await pool.runInEach('take', { batches: [] });
  pool.release();
  const places = await gatherTexts(scored, order, index, pool);
  await pool.runInEach('take', { scored: scored.map((batch) => ({ ...batch, texts: undefined })) });
  // The threads have copied what they still need.
  scored.length = 0;
  pool.release();
  onPhase('sorting all parts of their descriptions');
  const { corpus, words: begun, inner, segmentEndScores, wordEndScores, insideScores, ...others } = index;
  const { vocabulary, portions, ...arrays } = others;
  const scores = { segmentEndScores, wordEndScores, insideScores };
  await Promise.all([
    Promise.all([
      pool.run('fillPostings', [{ ...vocabulary, rankOf: words.rankOf }]),
      pool.run('fillBlocks', [{ corpus, blocks: arrays.blocks }]),
    ]).then(() => sink.finished([arrays, vocabulary, portions].flatMap(Object.values))),
    pool.run('sortSuffixes', [{ corpus, foods: foods.size, ...places, suffixes, ...scores }]),
  ]);
  onPhase('filling the index');
  for (const sorted of [begun, inner]) bucketsOf(corpus, sorted.suffixes, sorted.buckets);
}

/** Fills in the corpus. Returns where its words begin, and their scores. */
async function gatherTexts(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  { corpus, words }: IndexSections,
  pool: BuildPool,
): Promise<{ wordStarts: Int32Array; wordScores: Uint8Array }> {
  const wordCount = words.suffixes.length;
  const wordStarts = new Int32Array(pool.allocate(4 * wordCount));
  const wordScores = new Uint8Array(pool.allocate(3 * wordCount));
  const parts: TextsPart[] = [];
  let [textStart, firstWord] = [0, 0];
  for (let part = 0, from = 0; part < pool.threads; part++) {
    const to = Math.floor(((part + 1) * order.length) / pool.threads);
    parts.push({ from, to, corpus, textStart, firstWord, wordStarts, wordScores });
    for (; from < to; from++) {
      const { firstSymbols, firstWords } = scored[batchOf(order[from]!)]!.texts!;
      const i = indexInBatch(order[from]!);
      textStart += firstSymbols[i + 1]! - firstSymbols[i]!;
      firstWord += firstWords[i + 1]! - firstWords[i]!;
    }
  }
  await pool.run('gatherTexts', parts);
  return { wordStarts, wordScores };
}

async function groupNames(batches: readonly FoodBatch[], pool: BuildPool): Promise<NameGroups> {
  const { threads, allocate } = pool;
  const slots = batches.length * BATCH_SIZE;
  const groups = {
    isRepeat: new Uint8Array(allocate(slots)),
    sameName: new Uint32Array(allocate(4 * slots)),
  };
  const counts = await pool.runInEach('nameCounts', undefined);
  await pool.run(
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
  await pool.runInEach('startScoring', { families: share(families), words: share(words), ...rest });
  return groups;
}

function scoreFoods(
  batches: readonly FoodBatch[],
  { isRepeat, sameName }: NameGroups,
  pool: BuildPool,
): Promise<ScoredBatch[]> {
  const mostPopular = batches.reduce(
    (most, { popularities }) => popularities?.reduce((a, b) => Math.max(a, b), most) ?? most,
    0,
  );
  return pool.run(
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

async function handOutEntries(starts: Uint32Array, pool: BuildPool, sink: IndexSink): Promise<void> {
  const foods = starts.length - 1;
  const memory: Uint8Array[] = [];
  for (let from = 0; from < foods; ) {
    const parts: EntriesPart[] = [];
    for (; parts.length < pool.threads && from < foods; from = parts.at(-1)!.to) {
      let to = from + 1;
      while (to < foods && starts[to + 1]! - starts[from]! <= PIECE) to++;
      const size = starts[to]! - starts[from]!;
      const part = parts.length;
      if (size > (memory[part]?.length ?? 0))
        memory[part] = new Uint8Array(pool.allocate(Math.max(size, PIECE)));
      parts.push({ from, to, entries: memory[part]!.subarray(0, size) });
    }
    await pool.run('gatherEntries', parts);
    for (const { entries } of parts) await sink.entries(entries);
  }
}

/** An index whose arrays have their final size; only those that need no further step are filled in. */
function emptyIndex(
  { size, textSize, portions }: ReadFoods,
  { batches, scored, order }: CollectedFoods,
  isRepeat: Uint8Array,
  { spellings, spellingStarts, postingStarts }: SortedWords,
  { allocate }: BuildPool,
): { index: IndexSections; suffixes: Int32Array } {
  const bytes = (length: number) => new Uint8Array(allocate(length));
  const numbers = (length: number) => new Uint32Array(allocate(4 * length));
  const positions = (length: number) => new Int32Array(allocate(4 * length));
  const known = <Numbers extends Uint8Array | Uint32Array>(
    all: Numbers,
    of: (batch: number, index: number) => number | undefined,
  ): Numbers => {
    for (let food = 0; food < size; food++)
      all[food] = of(batchOf(order[food]!), indexInBatch(order[food]!)) ?? 0;
    return all;
  };
  const knownOfSome = <Numbers extends Uint8Array | Uint32Array>(all: Numbers): Numbers =>
    all.some((number) => number !== 0) ? all : (all.slice(0, 0) as Numbers);
  const entryStarts = numbers(size + 1);
  for (let food = 0; food < size; food++) {
    const starts = batches[batchOf(order[food]!)]!.entryStarts;
    const i = indexInBatch(order[food]!);
    entryStarts[food + 1] = entryStarts[food]! + starts[i + 1]! - starts[i]!;
  }
  const wordCount = scored.reduce((sum, { texts }) => sum + texts!.firstWords.at(-1)!, 0);
  const suffixes = positions(textSize);
  const sorted = (from: number, to: number) => ({
    suffixes: suffixes.subarray(from, to),
    buckets: new Uint32Array(SYMBOL_PAIRS + 1),
  });
  const innerCount = textSize - size - wordCount;
  const postings = postingStarts.at(-1)!;
  const firstFoods = [0];
  for (const batch of batches) firstFoods.push(firstFoods.at(-1)! + batch.size);
  const arrivals = order.map((slot) => firstFoods[batchOf(slot)]! + indexInBatch(slot));
  const index = {
    corpus: bytes(textSize),
    blocks: numbers(2 * Math.ceil(textSize / BLOCK_SIZE)),
    entries: new Uint8Array(0),
    entryStarts,
    firstRepeat: Uint32Array.of(size - isRepeat.reduce((sum, repeat) => sum + repeat, 0)),
    nameLengths: knownOfSome(known(new Uint32Array(size), (b, i) => batches[b]!.nameLengths?.[i])),
    popularities: knownOfSome(known(new Uint8Array(size), (b, i) => scored[b]!.popularities?.[i])),
    words: sorted(innerCount, innerCount + wordCount),
    segmentEndScores: bytes(wordCount),
    wordEndScores: bytes(wordCount),
    insideScores: bytes(wordCount),
    inner: sorted(0, innerCount),
    portions: portions.finish(arrivals),
    vocabulary: {
      spellings,
      spellingStarts,
      postingStarts,
      bestPlaces: bytes(postingStarts.length - 1),
      foods: positions(postings),
      places: bytes(postings),
      staticScores: known(new Uint8Array(size), (b, i) => scored[b]!.staticScores[i]),
      nameWords: known(new Uint8Array(size), (b, i) => scored[b]!.nameWords[i]),
    },
  };
  return { index, suffixes };
}
