/**
 * How an index is made from the foods: which steps run when, and which concurrently. What takes most of the time runs in the
 * threads of a pool. The index is the same whatever their number.
 */

import type { OrderedFoods, Translations } from '../languages/translations.ts';
import { NameStatistics } from '../order/statistics.ts';
import type { CodesBuilder } from '../store/code-sections.ts';
import { foreignNamesOf } from '../store/foreign-names.ts';
import { fromDistances } from '../store/packed.ts';
import { fillBlocks, type IndexSections, type IndexSink } from '../store/sections.ts';
import { BLOCK_SIZE } from '../suffixes/bits.ts';
import type { OpenSuffixes } from '../suffixes/sort-suffixes.ts';
import { bucketsOf, SYMBOL_PAIRS } from '../suffixes/suffix-range.ts';
import { type NameKeys, nameKeysOf } from '../words/name-keys.ts';
import { type SortedWords, sortWords } from '../words/sorted-words.ts';
import { Arena } from './arena.ts';
import type { BuildPool } from './build-pool.ts';
import type { FactShapes } from './fact-shapes.ts';
import { BATCH_SIZE, batchOf, descriptionOf, type FoodBatch, indexInBatch } from './food-batch.ts';
import type { NameGroups } from './name-groups.ts';
import type { Neighbours, ScoredBatch } from './scored-batch.ts';
import { findPlaces, type OpenTexts, orderFoods } from './static-order.ts';
import { fillPostings } from './word-postings.ts';

export interface ReadFoods {
  readonly batches: FoodBatch[];
  readonly facts: FactShapes;
  readonly codes: CodesBuilder;
  readonly translations: Translations;
  readonly size: number;
  /** Bytes of all descriptions and entries. */
  readonly textSize: number;
  readonly entriesSize: number;
  readonly everydayFoods: readonly string[] | undefined;
}

/** Makes the parts of the further languages. */
export type LanguagesOf = (foods: OrderedFoods) => Promise<IndexSections['languages']>;

/** Makes an index, and hands it over to the sink in pieces. Uses up the batches. Returns the foods in its order, numbered by arrival. */
export async function buildIndex(
  foods: ReadFoods,
  pool: BuildPool,
  sink: IndexSink,
  onPhase: (phase: string) => void,
  languagesOf: LanguagesOf,
): Promise<Uint32Array> {
  const { batches } = foods;
  onPhase('scoring the foods');
  const { scored, isRepeat } = await scoreFoods(foods, pool);
  const words = sortWords(await pool.runInEach('words', undefined));
  pool.release();
  onPhase('putting the foods in order');
  const order = orderFoods(scored, isRepeat);
  const languages = await languagesOf({
    order,
    scoreOf: (food) => scored[batchOf(food)]!.staticScores[indexInBatch(food)]!,
    descriptionOf: (food) => descriptionOf(batches[batchOf(food)]!, indexInBatch(food)),
  });
  const open = emptySuffixes(foods, scored, pool);
  await placeTexts(scored, order, open, pool);
  drop(scored, 'texts');
  pool.release();
  onPhase('sorting all parts of their descriptions');
  const sorting = pool.run('sortSuffixes', [open]);
  // Awaited below: until then, a fault would count as unhandled.
  sorting.catch(() => {});
  const index = emptyIndex(foods, scored, order, isRepeat, words, languages, open);
  sink.begin(index, foods.entriesSize);
  const { corpus, words: begun, inner, segmentEndScores, wordEndScores, insideScores, ...others } = index;
  await handOutEntries(batches, order, sink);
  const amounts = batches.map(({ facts, factStarts }) => ({ facts, factStarts }));
  // The sort soon needs the memory of the entries.
  batches.length = 0;
  pool.release();
  const { vocabulary, facts, names, codes, foreign, languages: _, ...arrays } = others;
  fillPostings(scored, order, { ...vocabulary, rankOf: words.rankOf });
  fillBlocks({ corpus, blocks: arrays.blocks });
  foods.facts.fill(order, amounts, facts);
  // The suffixes need most memory at the end of their sorting.
  amounts.length = 0;
  scored.length = 0;
  pool.release();
  const final = [arrays, vocabulary, facts, names, codes, foreign, languages].flatMap(Object.values);
  await Promise.all([sorting, sink.finished(final)]);
  onPhase('filling the index');
  for (const sorted of [begun, inner]) bucketsOf(corpus, sorted.suffixes, sorted.buckets);
  return order;
}

/** Parts of the names that each thread groups, one after another: freed tables of all names would still take 60 MB. */
const SHARES = 4;

async function groupNames({ batches, size }: ReadFoods, pool: BuildPool): Promise<NameGroups> {
  const { threads, allocate } = pool;
  const shares = 2 ** Math.ceil(Math.log2(SHARES * threads));
  const groups = {
    isRepeat: new Uint8Array(allocate(size)),
    sameName: new Uint32Array(allocate(4 * size)),
  };
  const inputs = Array.from({ length: shares }, (_, share) => ({ batches, groups, share, shares }));
  await pool.run('groupNames', inputs);
  return groups;
}

/** Gives the counts of all threads to each. */
async function startScoring({ everydayFoods }: ReadFoods, pool: BuildPool): Promise<void> {
  const names = new NameStatistics();
  for (const counts of await pool.runInEach('nameCounts', undefined)) names.addAll(counts);
  const counts = new Arena(pool.allocate).keep(names.counts);
  await pool.runInEach('startScoring', { counts, ...(everydayFoods && { everydayFoods }) });
}

async function scoreFoods(foods: ReadFoods, pool: BuildPool) {
  const { batches } = foods;
  const { isRepeat, sameName } = await groupNames(foods, pool);
  drop(batches, 'nameKeys');
  const most = batches.reduce(
    (high, { popularities }) => popularities?.reduce((a, b) => Math.max(a, b), high) ?? high,
    0,
  );
  await startScoring(foods, pool);
  pool.release();
  const inputs = batches.map((batch, b) => {
    const [from, to] = [b * BATCH_SIZE, (b + 1) * BATCH_SIZE];
    const neighbours = { isRepeat: isRepeat.subarray(from, to), sameName: sameName.subarray(from, to), most };
    return { batch, neighbours };
  });
  return { scored: await pool.run('score', inputs), isRepeat };
}

/** Copies all texts to the corpus in the order of the foods. */
async function placeTexts(
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  open: OpenTexts,
  pool: BuildPool,
): Promise<void> {
  const numbers = () => new Uint32Array(pool.allocate(4 * order.length));
  const places = { symbols: numbers(), words: numbers() };
  findPlaces(scored, order, places);
  const inputs = scored.map(({ texts }, b) => {
    const [from, to] = [b * BATCH_SIZE, (b + 1) * BATCH_SIZE];
    const { symbols, words } = places;
    const own = { symbols: symbols.subarray(from, to), words: words.subarray(from, to) };
    return { texts: texts!, places: own, open };
  });
  await pool.run('placeTexts', inputs);
}

/** A function of its own: in one that awaits, the last batch would stay in a variable, and with it a piece of memory of 64 MB. */
function drop<Batch extends object>(batches: Batch[], part: keyof Batch): void {
  for (const [b, batch] of batches.entries()) batches[b] = { ...batch, [part]: undefined };
}

/** Bytes of entries that are handed over at once. */
const PIECE = 4 * 1024 * 1024;

async function handOutEntries(
  batches: readonly FoodBatch[],
  order: Uint32Array,
  sink: IndexSink,
): Promise<void> {
  let piece = new Uint8Array(PIECE);
  let used = 0;
  /** While the sink has one piece, the next one is filled. */
  let other = new Uint8Array(PIECE);
  let written = Promise.resolve();
  for (const food of order) {
    const { entries, entryStarts } = batches[batchOf(food)]!;
    const i = indexInBatch(food);
    const entry = entries.subarray(entryStarts[i], entryStarts[i + 1]);
    if (used + entry.length > piece.length) {
      await written;
      written = Promise.resolve(sink.entries(piece.subarray(0, used)));
      [piece, other] = [other, piece];
      used = 0;
      if (entry.length > piece.length) piece = new Uint8Array(entry.length);
    }
    piece.set(entry, used);
    used += entry.length;
  }
  await written;
  await sink.entries(piece.subarray(0, used));
}

/** Numbers of the foods, in their order. */
function ordered<Numbers extends Uint8Array | Uint32Array>(
  all: Numbers,
  order: Uint32Array,
  of: (batch: number, index: number) => number | undefined,
): Numbers {
  for (let food = 0; food < order.length; food++)
    all[food] = of(batchOf(order[food]!), indexInBatch(order[food]!)) ?? 0;
  return all;
}

function entryStartsOf(batches: readonly FoodBatch[], order: Uint32Array): Uint32Array {
  const starts = new Uint32Array(order.length + 1);
  ordered(starts.subarray(1), order, (b, i) => {
    const { entryStarts } = batches[b]!;
    return entryStarts[i + 1]! - entryStarts[i]!;
  });
  return fromDistances(starts);
}

/** The other names of the foods, in their order. */
function otherNamesOf(scored: readonly ScoredBatch[], order: Uint32Array): NameKeys {
  const count = scored.reduce((sum, { otherNames }) => sum + otherNames.length / 2, 0);
  const [keys, foods] = [new Uint32Array(2 * count), new Int32Array(count)];
  if (count === 0) return nameKeysOf({ keys, foods });
  let name = 0;
  for (const [food, arrived] of order.entries()) {
    const { otherNames, firstNames } = scored[batchOf(arrived)]!;
    const [from, to] = [firstNames[indexInBatch(arrived)] ?? 0, firstNames[indexInBatch(arrived) + 1] ?? 0];
    keys.set(otherNames.subarray(2 * from, 2 * to), 2 * name);
    foods.fill(food, name, name + to - from);
    name += to - from;
  }
  return nameKeysOf({ keys, foods });
}

/** What the texts of all foods are placed in, and their suffixes sorted into. */
function emptySuffixes(
  { textSize, size }: ReadFoods,
  scored: readonly ScoredBatch[],
  { allocate }: BuildPool,
): OpenSuffixes {
  const bytes = (length: number) => new Uint8Array(allocate(length));
  const positions = (length: number) => new Int32Array(allocate(4 * length));
  const words = scored.reduce((sum, { texts }) => sum + texts!.firstWords.at(-1)!, 0);
  return {
    corpus: bytes(textSize),
    foods: size,
    // The sort may find a word more in each description, where it begins.
    wordStarts: positions(words + size).subarray(0, words),
    wordScores: bytes(3 * words),
    suffixes: positions(textSize),
    scores: bytes(3 * words),
  };
}

/** An index whose arrays have their final size. Filled in is what needs no further step. */
function emptyIndex(
  { batches, size, textSize, facts, codes, translations }: ReadFoods,
  scored: readonly ScoredBatch[],
  order: Uint32Array,
  isRepeat: Neighbours['isRepeat'],
  { spellings, spellingStarts, postingStarts }: SortedWords,
  languages: IndexSections['languages'],
  { corpus, wordStarts, suffixes, scores }: OpenSuffixes,
): IndexSections {
  const wordCount = wordStarts.length;
  const sorted = (from: number, to: number) => ({
    suffixes: suffixes.subarray(from, to),
    buckets: new Uint32Array(SYMBOL_PAIRS + 1),
  });
  const innerCount = textSize - size - wordCount;
  const postings = postingStarts.at(-1)!;
  return {
    corpus,
    blocks: new Uint32Array(2 * Math.ceil(textSize / BLOCK_SIZE)),
    entries: new Uint8Array(0),
    entryStarts: entryStartsOf(batches, order),
    firstRepeat: Uint32Array.of(size - isRepeat.reduce((sum, repeat) => sum + repeat, 0)),
    words: sorted(innerCount, innerCount + wordCount),
    segmentEndScores: scores.subarray(0, wordCount),
    wordEndScores: scores.subarray(wordCount, 2 * wordCount),
    insideScores: scores.subarray(2 * wordCount),
    inner: sorted(0, innerCount),
    facts: facts.finish(order, batches),
    codes: codes.finish(order),
    foreign: foreignNamesOf(translations, order),
    languages,
    names: otherNamesOf(scored, order),
    vocabulary: {
      spellings,
      spellingStarts,
      postingStarts,
      bestPlaces: new Uint8Array(postingStarts.length - 1),
      foods: new Int32Array(postings),
      places: new Uint8Array(postings),
      staticScores: ordered(new Uint8Array(size), order, (b, i) => scored[b]!.staticScores[i]),
      nameWords: ordered(new Uint8Array(size), order, (b, i) => scored[b]!.nameWords[i]),
    },
  };
}
