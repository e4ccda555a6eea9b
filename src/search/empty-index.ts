/**
 * Creates an index whose arrays have their final size, before most of them are filled in.
 */
import type { Allocate } from './building/arena.ts';
import type { FoodBatch } from './building/food-batch.ts';
import { batchOf, type CollectedFoods, indexInBatch } from './building/static-order.ts';
import type { SortedWords } from './building/vocabulary.ts';
import { BLOCK_SIZE } from './collections/bits.ts';
import type { PortionsBuilder } from './portions.ts';
import type { IndexSections } from './sections.ts';
import { SYMBOL_PAIRS } from './suffixes/suffix-range.ts';

/** Foods that are read, in batches. */
export interface ReadFoods {
  readonly batches: FoodBatch[];
  readonly portions: PortionsBuilder;
  readonly size: number;
  /** Bytes of all descriptions and entries. */
  readonly textSize: number;
  readonly entriesSize: number;
}

/** Fills in only the arrays that need no further step. */
export function emptyIndex(
  { size, textSize, portions }: ReadFoods,
  { batches, scored, order }: CollectedFoods,
  isRepeat: Uint8Array,
  { spellings, spellingStarts, postingStarts }: SortedWords,
  allocate: Allocate,
): IndexSections {
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
  /** Empty if nothing is known of any food. */
  const knownOfSome = <Numbers extends Uint8Array | Uint32Array>(all: Numbers): Numbers =>
    all.some((number) => number !== 0) ? all : (all.slice(0, 0) as Numbers);
  const entryStarts = numbers(size + 1);
  for (let food = 0; food < size; food++) {
    const starts = batches[batchOf(order[food]!)]!.entryStarts;
    const i = indexInBatch(order[food]!);
    entryStarts[food + 1] = entryStarts[food]! + starts[i + 1]! - starts[i]!;
  }
  const wordCount = scored.reduce((sum, { texts }) => sum + texts!.firstWords.at(-1)!, 0);
  const suffixes = (length: number) => ({
    suffixes: positions(length),
    buckets: new Uint32Array(SYMBOL_PAIRS + 1),
  });
  const postings = postingStarts.at(-1)!;
  const firstFoods = [0];
  for (const batch of batches) firstFoods.push(firstFoods.at(-1)! + batch.size);
  const arrivals = order.map((slot) => firstFoods[batchOf(slot)]! + indexInBatch(slot));
  return {
    corpus: bytes(textSize),
    blocks: numbers(2 * Math.ceil(textSize / BLOCK_SIZE)),
    entries: new Uint8Array(0),
    entryStarts,
    firstRepeat: Uint32Array.of(size - isRepeat.reduce((sum, repeat) => sum + repeat, 0)),
    nameLengths: knownOfSome(known(new Uint32Array(size), (b, i) => batches[b]!.nameLengths?.[i])),
    popularities: knownOfSome(known(new Uint8Array(size), (b, i) => scored[b]!.popularities?.[i])),
    words: suffixes(wordCount),
    segmentEndScores: bytes(wordCount),
    wordEndScores: bytes(wordCount),
    insideScores: bytes(wordCount),
    inner: suffixes(textSize - size - wordCount),
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
}
