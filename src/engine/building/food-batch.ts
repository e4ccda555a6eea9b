/** Foods in batches, as bytes and numbers, from which an index is made. */
import { composed, type FoodRecord, fold, putUtf8, renderFields, textOfUtf8, utf8Length } from '#core';
import { keyOfName, nameOf } from '../order/food-name.ts';
import type { NameStatistics } from '../order/statistics.ts';
import { readAmount, writeAmount } from '../store/amounts.ts';
import { descriptionIn } from '../store/entries.ts';
import { addAmounts, orderFactsOf } from '../store/facts.ts';
import { VarintReader, VarintWriter } from '../store/varints.ts';

/** The foods of every batch but the last: food 2050 in the order of arrival is the third of the third batch. */
export const BATCH_SIZE = 1024;
const BATCH_BITS = Math.log2(BATCH_SIZE);

export const batchOf = (food: number): number => food >>> BATCH_BITS;
export const indexInBatch = (food: number): number => food % BATCH_SIZE;

/** Foods while they are collected for a thread. */
export interface RawFoods {
  /** For each food its figures, its description, and the amounts of its facts. */
  readonly texts: (string | null)[];
  /** How many facts each food has. */
  readonly factCounts: number[];
  /** The length of the name in each description (UTF-16 code units), if a brand follows it; otherwise 0. */
  readonly nameLengths: number[];
  /** 0 if it is not known. */
  readonly popularities: number[];
}

/** Foods as they are sent to a thread: one long text is copied in a tenth of the time of thousands. */
export interface JoinedFoods extends Omit<RawFoods, 'texts'> {
  readonly text: string;
  /** UTF-16 code units of each text; UNKNOWN for null. */
  readonly lengths: Uint32Array;
}

const UNKNOWN = 2 ** 32 - 1;

export const noFoods = (): RawFoods => ({ texts: [], factCounts: [], nameLengths: [], popularities: [] });
export const countRaw = ({ factCounts }: Pick<RawFoods, 'factCounts'>): number => factCounts.length;

export function addRaw(raw: RawFoods, food: FoodRecord): void {
  const { carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description } = food;
  raw.texts.push(carbohydrate_g, protein_g, fa_sat_g, fa_mono_g, fa_poly_g, kcal, description);
  const facts = orderFactsOf(food);
  raw.nameLengths.push(facts.nameLength);
  raw.popularities.push(facts.popularity);
  raw.factCounts.push(addAmounts(food, facts, raw.texts));
}

export function joined({ texts, ...others }: RawFoods): JoinedFoods {
  const lengths = new Uint32Array(texts.length);
  for (let i = 0; i < texts.length; i++) lengths[i] = texts[i]?.length ?? UNKNOWN;
  return { ...others, text: texts.join(''), lengths };
}

/** The texts of the foods, one after another. */
function textsOf({ text, lengths }: JoinedFoods): () => string | null {
  let from = 0;
  let at = 0;
  return () => {
    const length = lengths[at++]!;
    if (length === UNKNOWN) return null;
    from += length;
    return text.slice(from - length, from);
  };
}

/** A batch whose entries are rendered and whose names are counted. */
export interface FoodBatch {
  readonly size: number;
  readonly entries: Uint8Array;
  readonly entryStarts: Uint32Array;
  /** As in `RawFoods`; undefined if they are all 0. */
  readonly nameLengths: Float64Array | undefined;
  readonly popularities: Float64Array | undefined;
  /** The amounts of all facts (see `store/amounts.ts`), and where those of each food begin. */
  readonly facts: Uint8Array;
  readonly factStarts: Uint32Array;
  /** Undefined once the names are grouped. */
  readonly nameKeys: Int32Array | undefined;
  /** Bytes of all folded descriptions, each with its end. */
  readonly textSize: number;
}

/** UTF-16 code units become at most three bytes of UTF-8 each. */
const MAX_BYTES = 3;

let scratch = new Uint8Array(0);

/** Memory for the texts of a batch, reused for all of a thread: garbage outside the heap would stay for a while. */
export function room(bytes: number): Uint8Array<ArrayBuffer> {
  if (scratch.length < bytes) scratch = new Uint8Array(bytes);
  return scratch;
}

/** The result is to be copied before the next call. */
export function foodBatch(raw: JoinedFoods, statistics: NameStatistics): FoodBatch {
  const size = countRaw(raw);
  const nameKeys = new Int32Array(2 * size);
  const [nameLengths, popularities] = [raw.nameLengths, raw.popularities].map((numbers) =>
    numbers.some((number) => number !== 0) ? Float64Array.from(numbers) : undefined,
  );
  const facts = new VarintWriter(4 * raw.lengths.length);
  const factStarts = new Uint32Array(size + 1);
  const entries: string[] = [];
  let textSize = 0;
  const next = textsOf(raw);
  for (let i = 0; i < size; i++) {
    const food = {
      carbohydrate_g: next(),
      protein_g: next(),
      fa_sat_g: next(),
      fa_mono_g: next(),
      fa_poly_g: next(),
      kcal: next(),
      description: next()!,
    };
    const description = composed(food.description);
    const folded = fold(description);
    const name = nameOf(description, folded, nameLengths?.[i] ?? 0);
    statistics.add(name);
    const { low, high } = keyOfName(name);
    nameKeys[2 * i] = low;
    nameKeys[2 * i + 1] = high;
    for (let count = raw.factCounts[i]!; count > 0; count--) writeAmount(facts, next()!);
    factStarts[i + 1] = facts.length;
    textSize += utf8Length(folded) + 1;
    entries.push(renderFields(food));
  }
  return {
    ...{ size, ...encoded(entries), nameLengths, popularities },
    ...{ facts: facts.written, factStarts, nameKeys, textSize },
  };
}

function encoded(entries: readonly string[]): Pick<FoodBatch, 'entries' | 'entryStarts'> {
  // At once, since the encoder takes longer to be called than to encode an entry.
  const text = entries.join('');
  const bytes = room(MAX_BYTES * text.length);
  const used = putUtf8(text, bytes, 0);
  const entryStarts = new Uint32Array(entries.length + 1);
  for (let i = 0; i < entries.length; i++)
    entryStarts[i + 1] =
      entryStarts[i]! + (used === text.length ? entries[i]!.length : utf8Length(entries[i]!));
  return { entries: bytes.subarray(0, used), entryStarts };
}

/** From its entry. */
export function descriptionOf({ entries, entryStarts }: FoodBatch, index: number): string {
  const json = descriptionIn(entries, entryStarts[index]!, entryStarts[index + 1]!);
  // Without its quotes at once: a part of a text is read more slowly than a text.
  const text = textOfUtf8(json, 1, json.length - 1);
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

const NO_NAMES: readonly string[] = [];

/** They are the first fact of a food that has some. No other amount begins like a list. */
export function otherNamesOf({ facts, factStarts }: FoodBatch, index: number): readonly string[] {
  const start = factStarts[index]!;
  if (start === factStarts[index + 1]) return NO_NAMES;
  const first = readAmount(new VarintReader(facts, start));
  return first.startsWith('[') ? (JSON.parse(first) as string[]) : NO_NAMES;
}
