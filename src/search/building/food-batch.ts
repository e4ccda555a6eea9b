/** Foods in batches, as bytes and numbers, from which an index is made. */
import { constants } from 'node:buffer';
import { type FoodRecord, renderEntry } from '../../foods/food.ts';
import { composed, fold } from '../../text/fold.ts';
import { keyOfName, nameOf } from '../ranking/food-name.ts';
import type { NameStatistics } from '../ranking/statistics.ts';
import type { Arena } from './arena.ts';

/** The most foods of a batch. The slot of a food is the number of its batch times this, plus its number in the batch. */
export const BATCH_SIZE = 1024;
export const SLOT_BITS = Math.log2(BATCH_SIZE);

/** A batch is full with this many characters of descriptions: far more than 1024 usual ones have. */
export const FULL_BATCH = 4 * 1024 * 1024;

/** Foods as they are sent to a thread: strings take less time than objects. */
export interface RawFoods {
  /** FIELDS texts for each food: its figures, its description, its name. */
  readonly texts: (string | null)[];
  readonly popularities: number[];
}

const FIELDS = 8;

export function addRaw({ texts, popularities }: RawFoods, food: FoodRecord): void {
  const { carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description, name } = food;
  texts.push(carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description, name ?? null);
  popularities.push(food.popularity ?? 0);
}

function rawFood({ texts }: RawFoods, index: number): FoodRecord {
  const at = FIELDS * index;
  const name = texts[at + 7];
  return {
    carbohydrate_g: texts[at]!,
    protein_g: texts[at + 1]!,
    fa_sat_g: texts[at + 2]!,
    fa_mono_g: texts[at + 3]!,
    fa_poly_g: texts[at + 4]!,
    kcal: texts[at + 5]!,
    description: texts[at + 6]!,
    ...(name === null || name === undefined ? undefined : { name }),
  };
}

/** A batch whose entries are rendered and whose names are counted. */
export interface FoodBatch {
  readonly size: number;
  readonly entries: Uint8Array;
  readonly entryStarts: Uint32Array;
  /** For each food the length of its name in its description, 0 if all of it is the name; absent if that holds for all. */
  readonly nameLengths: Uint32Array | undefined;
  readonly popularities: Float64Array | undefined;
  readonly nameKeys: Int32Array;
  /** Bytes of all folded descriptions, each with its end. */
  readonly textSize: number;
}

/** Reused for all batches of a thread. */
let scratch = Buffer.alloc(0);

function makeRoom(used: number, more: number): void {
  if (used + more <= scratch.length) return;
  const larger = Buffer.allocUnsafeSlow(
    Math.min(constants.MAX_LENGTH, Math.max(2 * scratch.length, used + more)),
  );
  larger.set(scratch.subarray(0, used));
  scratch = larger;
}

/** UTF-16 code units become at most three bytes of UTF-8 each. */
const MAX_BYTES = 3;

export function foodBatch(raw: RawFoods, statistics: NameStatistics, arena: Arena): FoodBatch {
  const size = raw.popularities.length;
  const entryStarts = new Uint32Array(size + 1);
  const nameKeys = new Int32Array(2 * size);
  const nameLengths = new Uint32Array(size);
  let hasNames = false;
  let textSize = 0;
  let used = 0;
  for (let i = 0; i < size; i++) {
    const food = rawFood(raw, i);
    const description = composed(food.description);
    const folded = fold(description);
    if (food.name !== undefined) {
      nameLengths[i] = composed(food.name).length;
      hasNames ||= nameLengths[i] !== 0;
    }
    const name = nameOf(description, folded, nameLengths[i]!);
    statistics.add(name);
    const { low, high } = keyOfName(name);
    nameKeys[2 * i] = low;
    nameKeys[2 * i + 1] = high;
    textSize += Buffer.byteLength(folded) + 1;
    const entry = renderEntry(food);
    makeRoom(used, MAX_BYTES * entry.length);
    used += scratch.write(entry, used);
    entryStarts[i + 1] = used;
  }
  const entries = arena.bytes(used);
  entries.set(scratch.subarray(0, used));
  const hasPopularities = raw.popularities.some((popularity) => popularity !== 0);
  return {
    size,
    entries,
    entryStarts: arena.keep(entryStarts),
    nameLengths: hasNames ? arena.keep(nameLengths) : undefined,
    popularities: hasPopularities ? arena.keep(Float64Array.from(raw.popularities)) : undefined,
    nameKeys: arena.keep(nameKeys),
    textSize,
  };
}

const DESCRIPTION = '"description":';

/** The description of a food, from its entry. */
export function descriptionOf({ entries, entryStarts }: FoodBatch, index: number): string {
  const { buffer, byteOffset } = entries;
  const start = entryStarts[index]!;
  const entry = Buffer.from(buffer, byteOffset + start, entryStarts[index + 1]! - start).toString();
  // The only other text of an entry is a figure.
  const json = entry.slice(entry.indexOf(DESCRIPTION) + DESCRIPTION.length, -1);
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}
