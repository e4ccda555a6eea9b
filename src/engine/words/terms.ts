/** The words and readings of a text while their postings are read. All worths are in parts of WEIGHT_UNIT. */
import { lowerBound } from '#core';
import { begunLoss, missingLoss, PLURAL_LOSS, WEIGHT_UNIT, WORD_WEIGHTS, weightOf } from '../order/points.ts';
import type { Reading } from './readings.ts';
import { countedOf, type SelectedWord, type Selection, wholeOf } from './selection.ts';
import type { Postings, VocabularyFacts } from './vocabulary.ts';

/** A word of the text while its postings are read: the words of the vocabulary that match it. */
export interface Term {
  readonly text: string;
  /** The numbers of these. */
  readonly spellings: readonly number[];
  /** For each of these its first posting, the first one of the block, the first one behind what was read, and its end. */
  readonly firsts: Uint32Array;
  readonly next: Uint32Array;
  readonly read: Uint32Array;
  readonly ends: Uint32Array;
  /** For each of these the food of its next posting; before the block if that is not known. */
  readonly due: Int32Array;
  /** For each of these, what it is worth at each place, a byte. */
  readonly worths: readonly Int32Array[];
  /** The postings of all of them. */
  readonly postings: number;
  /** The weight of the word. */
  readonly weight: number;
  /** The most that it can be worth. */
  readonly most: number;
}

/** A reading while it is read. */
export interface OpenReading {
  /** Those with the fewest postings first: of the others, those that cannot lift a food are not read. */
  readonly terms: readonly Term[];
  /** For each of them what it and those after it can be worth together. */
  readonly rest: readonly number[];
  /** What every food loses: the words as if none had them, and the loss of the reading. */
  readonly base: number;
  /** The most that the words of a whole name are worth: if they were not typed, no more than in their best places. */
  readonly mostOfName: number;
}

/** By the text of each word. */
export const openTerms = (
  { words, share }: Selection,
  sections: VocabularyFacts,
  postings: Postings,
): ReadonlyMap<string, Term> =>
  new Map(words.map((word) => [word.text, openTerm(word, share, sections, postings)]));

function openTerm(
  selected: SelectedWord,
  share: number,
  { postingStarts: counts, staticScores, bestPlaces }: VocabularyFacts,
  { postingStarts }: Postings,
): Term {
  const whole = wholeOf(selected);
  const spellings = [...whole];
  for (const { from, to } of selected.begun) {
    for (let word = from; word < to; word++) if (!whole.includes(word)) spellings.push(word);
  }
  const firsts = new Uint32Array(spellings.length);
  const ends = new Uint32Array(spellings.length);
  const losses: number[] = [];
  let postings = 0;
  let having = 0;
  for (const [i, spelling] of spellings.entries()) {
    const foods = counts[spelling + 1]! - counts[spelling]!;
    const lossOfOthers = i < whole.length ? PLURAL_LOSS : begunLoss(foods, staticScores.length);
    firsts[i] = postingStarts[spelling]!;
    ends[i] = firsts[i]! + countedOf(foods, share);
    losses.push(spelling === selected.itself ? 0 : lossOfOthers);
    postings += ends[i]! - firsts[i]!;
    having += foods;
  }
  const { from, to } = selected.weighed ?? { from: 0, to: 0 };
  const weight = weightOf(Math.max(having, counts[to]! - counts[from]!), staticScores.length);
  const byLoss = new Map(Array.from(new Set(losses), (loss) => [loss, worthsFor(weight, loss)]));
  const worths = losses.map((loss) => byLoss.get(loss)!);
  const most = spellings.reduce((best, spelling, i) => Math.max(best, worths[i]![bestPlaces[spelling]!]!), 0);
  const [next, read] = [firsts.slice(), firsts.slice()];
  const due = new Int32Array(spellings.length).fill(-1);
  return { text: selected.text, spellings, firsts, next, read, ends, due, worths, postings, weight, most };
}

/** What a word is worth at each place. @param loss of its spelling, never below a place of 0 */
function worthsFor(weight: number, loss: number): Int32Array {
  const worths = new Int32Array(256).fill(weight * WORD_WEIGHTS.had);
  for (let place = loss + 1; place < 256; place++) worths[place]! += weight * (place - loss);
  return worths;
}

export function openReading(
  { words, loss, replaced }: Reading,
  opened: ReadonlyMap<string, Term>,
): OpenReading {
  const all = words.map(({ text }) => opened.get(text)!);
  const terms = all.toSorted((a, b) => a.postings - b.postings);
  const rest = [0];
  for (const { most } of terms.toReversed()) rest.unshift(rest[0]! + most);
  const full = missingLoss() * all.reduce((sum, { weight }) => sum + weight, 0);
  const mostOfName = replaced.length === 0 ? Number.POSITIVE_INFINITY : full;
  return { terms, rest, base: full + loss * WEIGHT_UNIT, mostOfName };
}

/** The most that a reading gives a food, without its static score. */
export const mostOf = (reading: OpenReading): number => wholeOfName(reading.rest[0]!, reading) - reading.base;

/** The most that a whole name adds. */
export const mostForName = (): number => WORD_WEIGHTS.wholeName * WEIGHT_UNIT;

/** What the words of a name are worth that has no others. */
export const wholeOfName = (sum: number, { mostOfName }: OpenReading): number =>
  Math.max(sum, Math.min(mostOfName, sum + mostForName()));

/** The spelling of a word that is worth most in a food, with its place there; undefined if the food lacks the word. */
export function bestSpelling(
  { spellings, firsts, ends, worths }: Term,
  food: number,
  { foods, places }: Postings,
) {
  let best: { readonly spelling: number; readonly place: number; readonly worth: number } | undefined;
  for (let k = 0; k < firsts.length; k++) {
    const at = lowerBound(foods, firsts[k]!, ends[k]!, food);
    if (at === ends[k] || foods[at] !== food) continue;
    const place = places[at]!;
    const worth = worths[k]![place]!;
    if (best === undefined || worth > best.worth) best = { spelling: spellings[k]!, place, worth };
  }
  return best;
}

/** `lowerBound` in a few steps if it is near `low`. */
export function nearBound(numbers: Int32Array, low: number, high: number, number: number): number {
  let step = 1;
  for (; low + step < high && numbers[low + step]! < number; step *= 2) low += step;
  return lowerBound(numbers, low, Math.min(high, low + step), number);
}
