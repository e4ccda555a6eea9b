/** An index is the same with any number of threads, and its suffixes are in the order of sorting by comparison. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FoodRecord, fold } from '#core';
import { type BuildPool, BuildThread, IndexBuilder, type IndexSections, perform } from '#engine';
import { recombined } from '../../load/tools/corpus.ts';
import { nameOf } from '../../src/engine/order/food-name.ts';
import { symbolsOf } from '../../src/engine/suffixes/alphabet.ts';
import { suffixArray } from '../../src/engine/suffixes/suffix-array.ts';
import { sectionsOf } from '../support/index.ts';
import { food } from '../support/service.ts';
import { starterNames } from '../support/starter-foods.ts';

const starter = await starterNames();

/** Several threads, but all in this one: each has its own state, and they take jobs in turn. */
function poolOf(threads: number): BuildPool {
  const allocate = (bytes: number) => new ArrayBuffer(bytes);
  const members = Array.from({ length: threads }, (_, number) => new BuildThread(number, allocate));
  let turn = 0;
  return {
    threads,
    allocate,
    run: async (step, inputs) => inputs.map((input) => perform(members[turn++ % threads]!, { step, input })),
    runInEach: async (step, input) => members.map((member) => perform(member, { step, input })),
    release: () => {},
    close: async () => {},
  };
}

async function builtBy(threads: number, foods: readonly FoodRecord[]): Promise<IndexSections> {
  const builder = new IndexBuilder({ startPool: () => poolOf(threads) });
  for (const each of foods) await builder.add(each);
  return builder.finish();
}

/** Faster than `toEqual`, which compares the elements one by one. */
function expectSame(one: IndexSections, other: IndexSections): void {
  for (const name of Object.keys(one) as (keyof IndexSections)[])
    expect(isDeepStrictEqual(one[name], other[name]), name).toBe(true);
}

/** Compares the suffixes of an index with those of the whole corpus and the words of each description. */
function expectSorted({ corpus, words, inner }: IndexSections, foods: readonly FoodRecord[]): void {
  const isWord = new Set<number>();
  const texts = foods.map(({ description }) => fold(description));
  let start = 0;
  for (const symbols of descriptionsOf(corpus)) {
    const text = texts.find((each) => Buffer.compare(symbolsOf(each), symbols) === 0)!;
    for (const word of nameOf(text, text).words)
      isWord.add(start + Buffer.byteLength(text.slice(0, word.start)));
    start += symbols.length + 1;
  }
  const all = Array.from(suffixArray(corpus)).filter((position) => corpus[position] !== 0);
  expect(Array.from(words.suffixes)).toEqual(all.filter((position) => isWord.has(position)));
  expect(Array.from(inner.suffixes)).toEqual(all.filter((position) => !isWord.has(position)));
  for (const { suffixes, buckets } of [words, inner]) {
    const counts = new Map<number, number>();
    for (const position of suffixes) {
      const pair = 256 * corpus[position]! + corpus[position + 1]!;
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    expect(buckets.at(-1)).toBe(suffixes.length);
    for (const [pair, count] of counts) expect(buckets[pair + 1]! - buckets[pair]!).toBe(count);
  }
}

function* descriptionsOf(corpus: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < corpus.length; ) {
    const end = corpus.indexOf(0, start);
    yield corpus.subarray(start, end);
    start = end + 1;
  }
}

const WORDS = "egg|eggs|Egg|raw|baker's|3.25|a|aa|é|卵|生卵|NASA|%|(|)|• tea|’s|–|\u00a0x|😀".split('|');
const JOINTS = ' |, |,|; | (|) |-||  |•|\u00a0|，|（|、|。|،|।'.split('|');
const description = fc
  .array(fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...JOINTS)), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat().join(''))
  .filter((text) => text.trim() !== '');

/** Repeats a few descriptions, so that there are fewer tokens than bytes. */
const foods = fc
  .tuple(
    fc.array(fc.record({ description, popularity: fc.constantFrom(0, 0, 1, 7) }), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.integer({ min: 1, max: 30 }),
  )
  .map(([some, times]) =>
    Array.from({ length: some.length * times }, (_, i) => {
      const { description: text, popularity } = some[(i * 7) % some.length]!;
      return { ...food(text), kcal: String(i), ...(popularity > 0 && { popularity }) };
    }),
  );

const RUN = 'a'.repeat(100_000);
const IDEOGRAPHS = Array.from({ length: 300 }, (_, i) => String.fromCodePoint(0x4e00 + i));

describe('an index', () => {
  test('of any foods is the same with one, two and three threads, and its suffixes are sorted', async () => {
    await fc.assert(
      fc.asyncProperty(foods, async (some) => {
        const alone = await sectionsOf(some);
        expectSorted(alone, some);
        for (const threads of [2, 3]) expectSame(await builtBy(threads, some), alone);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ['nothing', []],
    ['one food', ['Egg']],
    ['recombined foods, in several batches', [...recombined(starter, 9000, 7)]],
    ['equal foods', Array<string>(6000).fill('Cheese, blue')],
    ['long runs among short names', [RUN, `b${RUN}`, ...starter.slice(0, 300)]],
    ['long, similar tokens', Array.from({ length: 40 }, (_, i) => `${i} x${'ab'.repeat(3000)}`)],
    ['texts without blanks', IDEOGRAPHS.map((each) => `卵生${each.repeat(9)}`)],
  ])('of %s is the same with one, two and three threads', async (_, descriptions) => {
    const some = descriptions.map((text, i) => ({ ...food(text), kcal: String(i) }));
    const alone = await sectionsOf(some);
    for (const threads of [2, 3]) expectSame(await builtBy(threads, some), alone);
    if (some.length < 500) expectSorted(alone, some);
  });
});
