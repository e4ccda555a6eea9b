/**
 * Searches for the text that costs most. From the shapes and kinds of words that are known to be expensive, it climbs: it changes
 * a word or a piece of one of the worst texts at a time, and keeps what costs more processor time.
 */

import type { OtherNames } from '#core';
import { FoodIndex, OtherNameTable } from '#engine';
import { readIndexFile } from '#service';
import { readNamePairs } from '#tables';
import { Vocabulary, type VocabularySections } from '../../src/engine/words/vocabulary.ts';
import { parameterOf } from '../../src/service/http/food-request.ts';
import { MAX_TARGET_LENGTH } from '../../src/service/operations/outcomes.ts';
import { type Random, seeded } from '../../test/support/random.ts';
import { textShapes } from '../../test/support/text-shapes.ts';
import { median, processorTime } from '../tools/measure.ts';
import { edited } from '../tools/typed-texts.ts';

/** Texts that climb, and how often one of them is changed. */
const CLIMBERS = 10;
const TRIES = 5000;
const ROUNDS = 9;
const SEED = 29;

/** Bytes of a text, which fit into a request unless some of its characters must be encoded. */
const MOST_BYTES = 16_000;

/** Words at the beginning of a text that are changed; all later ones hardly cost anything. */
const CHANGED = 32;

const OTHER_NAMES = 'data/other-names.csv';
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const LONG = 30;
const COMMON = 300;
const OF_A_KIND = 2000;

export interface WorstFigures {
  readonly foods: number;
  /** The worst texts, what they have climbed from, and the medians of their ms of processor time. */
  readonly worst: readonly { readonly kind: string; readonly text: string; readonly ms: number }[];
}

export async function measureWorstWords(indexFile: string): Promise<WorstFigures> {
  const { index: sections } = await readIndexFile(indexFile);
  const index = new FoodIndex(sections);
  const pairs = await readNamePairs(OTHER_NAMES);
  const names = new OtherNameTable(pairs);
  const random = seeded(SEED);
  const kinds = kindsOf(sections.vocabulary, random);
  const pools = { ...kinds, 'other names': pairs.flatMap(({ name, other }) => [name, other]) };
  const shapes = textShapes(kinds['common words'], random);
  const texts = {
    ...mapped(shapes, (shape) => shape(MOST_BYTES)),
    ...mapped(pools, (pool) => pool.join(' ').slice(0, MOST_BYTES)),
  };
  const cost = (text: string): number => costOf(index, text, names);
  const measured = (climber: { readonly kind: string; readonly text: string }) => {
    const rounds = Array.from({ length: ROUNDS }, () => cost(climber.text));
    return { ...climber, ms: median(rounds) };
  };
  const climbers = Object.entries(texts)
    .map(([kind, text]) => measured({ kind, text: fitting(text) }))
    .toSorted(costliestFirst)
    .slice(0, CLIMBERS);
  for (let i = 0; i < TRIES; i++) {
    const climber = climbers[random(climbers.length)]!;
    const text = fitting(changed(climber.text, Object.values(pools), random));
    if (cost(text) <= climber.ms) continue;
    // Once may be chance.
    const ms = Math.min(cost(text), cost(text));
    if (ms > climber.ms) Object.assign(climber, { text, ms });
  }
  return { foods: index.size, worst: climbers.map(measured).toSorted(costliestFirst) };
}

const costliestFirst = (one: { readonly ms: number }, other: { readonly ms: number }): number =>
  other.ms - one.ms;

const targetOf = (text: string): string => `/api/food?${new URLSearchParams({ q: text })}&match=words`;

/** The beginning of a text that fits into a request. */
function fitting(text: string): string {
  let fits = text;
  for (let size = targetOf(fits).length; size > MAX_TARGET_LENGTH; size = targetOf(fits).length)
    fits = fits.slice(0, Math.floor((fits.length * MAX_TARGET_LENGTH) / size) - 1).toWellFormed();
  return fits;
}

function mapped<Value>(values: Readonly<Record<string, Value>>, map: (value: Value) => string) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

/** ms of processor time from a request target to its answer, as typed or by words. */
function costOf(index: FoodIndex, text: string, names: OtherNames): number {
  const target = targetOf(text);
  const asked = (): string => parameterOf(target, 'q') ?? '';
  return Math.max(
    processorTime(() => index.search(asked())),
    processorTime(() => index.searchWords(asked(), names)),
  );
}

/** The text with one of its first words or any piece of it removed, replaced, repeated or moved. */
function changed(text: string, pools: readonly (readonly string[])[], random: Random): string {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)]!;
  if (random(3) > 0) {
    const words = text.split(' ');
    const added = random(4) === 0 ? [] : [pick(pick(pools))];
    const at = random(Math.min(CHANGED, words.length));
    return words.toSpliced(at, random(3) === 0 ? 0 : 1, ...added).join(' ');
  }
  const [from, at] = [random(text.length + 1), random(text.length + 1)];
  const piece = text.slice(from, from + 1 + random(2 ** random(14)));
  const without = random(2) === 0 ? text : text.replace(piece, '');
  return (without.slice(0, at) + piece.repeat(random(3)) + without.slice(at)).toWellFormed();
}

/** The kinds of words that are known to be expensive. */
function kindsOf(sections: VocabularySections, random: Random) {
  const vocabulary = new Vocabulary(sections);
  const foodsOf = (word: number): number => vocabulary.foodsOf({ from: word, to: word + 1 });
  const words = Array.from({ length: vocabulary.size }, (_, word) => word);
  const common = words.toSorted((a, b) => foodsOf(b) - foodsOf(a)).map((word) => vocabulary.textOf(word));
  const some = <Item>(make: () => Item): Item[] => Array.from({ length: OF_A_KIND }, make);
  const letter = (): string => LETTERS[random(LETTERS.length)]!;
  const any = (): string => common[random(common.length)]!;
  const spoilt = (word: string): string => edited(word, random);
  return {
    letters: [...LETTERS, ...'0123456789'],
    'pairs of letters': some(() => letter() + letter()),
    'common words': common.slice(0, COMMON),
    'misspelt words': some(() => spoilt(spoilt(any()))),
    'misspelt common words': common.slice(0, COMMON).map(spoilt),
    'unfinished words': some(() => any().slice(0, 1 + random(3))),
    'long unknown words': some(() => Array.from({ length: LONG }, letter).join('')),
    'one letter many times': some(() => letter().repeat(4 + random(LONG)) + letter()),
  };
}
