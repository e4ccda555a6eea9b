/** Foods in batches, as bytes and numbers, from which an index is made. */
import { composed, type FoodRecord, fold, putUtf8, renderEntry, textOfUtf8, utf8Length } from '#core';
import { keyOfName, nameOf } from '../order/food-name.ts';
import type { NameStatistics } from '../order/statistics.ts';
import { descriptionIn } from '../store/entries.ts';
import { addNumbers, byColumn, type OfColumns } from '../store/index-columns.ts';

/** The foods of every batch but the last: food 2050 in the order of arrival is the third of the third batch. */
export const BATCH_SIZE = 1024;
const BATCH_BITS = Math.log2(BATCH_SIZE);

export const batchOf = (food: number): number => food >>> BATCH_BITS;
export const indexInBatch = (food: number): number => food % BATCH_SIZE;

/** Foods while they are collected for a thread. */
export interface RawFoods {
  /** TEXTS for each food: its figures, its description. */
  readonly texts: (string | null)[];
  readonly numbers: OfColumns<number[]>;
  /** The JSON of the names of each food up to the last that has some; empty for a food without. */
  readonly names: string[];
}

/** Foods as they are sent to a thread: one long text is copied in a tenth of the time of thousands. */
export interface JoinedFoods extends Pick<RawFoods, 'numbers' | 'names'> {
  readonly text: string;
  /** UTF-16 code units of each text; UNKNOWN for null. */
  readonly lengths: Uint32Array;
}

const TEXTS = 7;
const UNKNOWN = 2 ** 32 - 1;

export const noFoods = (): RawFoods => ({ texts: [], numbers: byColumn(() => []), names: [] });
export const countRaw = ({ texts }: Pick<RawFoods, 'texts'>): number => texts.length / TEXTS;

export function addRaw({ texts, numbers, names }: RawFoods, food: FoodRecord): void {
  const { carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description } = food;
  texts.push(carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description);
  addNumbers(numbers, food);
  if (food.names === undefined) return;
  const before = countRaw({ texts }) - 1;
  while (names.length < before) names.push('');
  names.push(JSON.stringify(food.names));
}

export const joined = ({ texts, ...others }: RawFoods): JoinedFoods => ({
  ...others,
  text: texts.join(''),
  lengths: Uint32Array.from(texts, (text) => text?.length ?? UNKNOWN),
});

/** The foods in their order. */
function* foodsOf({ text, lengths }: JoinedFoods): Generator<FoodRecord> {
  let from = 0;
  let at = 0;
  const next = (): string | null => {
    const length = lengths[at++]!;
    if (length === UNKNOWN) return null;
    from += length;
    return text.slice(from - length, from);
  };
  while (at < lengths.length)
    yield {
      carbohydrate_g: next(),
      protein_g: next(),
      fa_sat_g: next(),
      fa_mono_g: next(),
      fa_poly_g: next(),
      kcal: next(),
      description: next()!,
    };
}

/** A batch whose entries are rendered and whose names are counted. */
export interface FoodBatch {
  readonly size: number;
  readonly entries: Uint8Array;
  readonly entryStarts: Uint32Array;
  /** By food; undefined where no food has a number. */
  readonly columns: OfColumns<Float64Array | undefined>;
  /** As in `RawFoods`, back to back; without starts if no food has names. */
  readonly names: Uint8Array;
  readonly nameStarts: Uint32Array;
  readonly nameKeys: Int32Array;
  /** Bytes of all folded descriptions, each with its end. */
  readonly textSize: number;
}

/** UTF-16 code units become at most three bytes of UTF-8 each. */
const MAX_BYTES = 3;

let scratch = new Uint8Array(0);

/** Memory for the entries of a batch, reused for all of a thread: garbage outside the heap would stay for a while. */
function room(bytes: number): Uint8Array<ArrayBuffer> {
  if (scratch.length < bytes) scratch = new Uint8Array(bytes);
  return scratch;
}

/** The result is to be copied before the next call. */
export function foodBatch(raw: JoinedFoods, statistics: NameStatistics): FoodBatch {
  const size = raw.lengths.length / TEXTS;
  const nameKeys = new Int32Array(2 * size);
  const columns = byColumn((name) => {
    const numbers = raw.numbers[name];
    return numbers.some((number) => number !== 0) ? Float64Array.from(numbers) : undefined;
  });
  const entries: string[] = [];
  let textSize = 0;
  let i = 0;
  for (const food of foodsOf(raw)) {
    const description = composed(food.description);
    const folded = fold(description);
    const name = nameOf(description, folded, columns.nameLengths?.[i] ?? 0);
    statistics.add(name);
    const { low, high } = keyOfName(name);
    nameKeys[2 * i] = low;
    nameKeys[2 * i + 1] = high;
    i++;
    textSize += utf8Length(folded) + 1;
    entries.push(renderEntry(food));
  }
  const names = encoded(raw.names);
  const ofNames = { names: names.entries.slice(), nameStarts: names.entryStarts };
  return { size, ...encoded(entries), ...ofNames, columns, nameKeys, textSize };
}

function encoded(entries: readonly string[]): Pick<FoodBatch, 'entries' | 'entryStarts'> {
  const bytes = room(MAX_BYTES * entries.reduce((sum, entry) => sum + entry.length, 0));
  const entryStarts = new Uint32Array(entries.length + 1);
  let used = 0;
  for (const [i, entry] of entries.entries()) {
    used = putUtf8(entry, bytes, used);
    entryStarts[i + 1] = used;
  }
  return { entries: bytes.subarray(0, used), entryStarts };
}

/** The descriptions of all foods of a batch, from their entries. */
export const descriptionsOf = (batch: FoodBatch): string[] =>
  Array.from({ length: batch.size }, (_, i) => descriptionOf(batch, i));

export function descriptionOf({ entries, entryStarts }: FoodBatch, index: number): string {
  const json = textOfUtf8(descriptionIn(entries, entryStarts[index]!, entryStarts[index + 1]!));
  return json.includes('\\') ? (JSON.parse(json) as string) : json.slice(1, -1);
}

const NO_NAMES: readonly string[] = [];

export function otherNamesOf({ names, nameStarts }: FoodBatch, index: number): readonly string[] {
  const [start, end] = [nameStarts[index] ?? 0, nameStarts[index + 1] ?? 0];
  return start < end ? (JSON.parse(textOfUtf8(names, start, end)) as string[]) : NO_NAMES;
}
