import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { symbolsOf } from '../../src/engine/suffixes/alphabet.ts';
import { suffixArray } from '../../src/engine/suffixes/suffix-array.ts';
import { sortByWords } from '../../src/engine/suffixes/word-tails.ts';
import { seeded } from '../support/random.ts';

/** The oracle: all suffixes sorted by comparison. */
function naive(text: Uint8Array): number[] {
  const bytes = Buffer.from(text);
  const positions = Array.from(text, (_, i) => i);
  return positions.sort((a, b) => Buffer.compare(bytes.subarray(a), bytes.subarray(b)));
}

function expectNaiveOrder(text: Uint8Array): void {
  expect(Array.from(suffixArray(text))).toEqual(naive(text));
}

const smallAlphabetText = (maxLength: number): fc.Arbitrary<Uint8Array> =>
  fc.integer({ min: 0, max: 5 }).chain((max) => fc.uint8Array({ max, maxLength, size: 'max' }));

describe('suffixArray', () => {
  it('agrees with sorting by comparison on small alphabets', () => {
    fc.assert(fc.property(smallAlphabetText(120), expectNaiveOrder), { numRuns: 3000 });
  });

  it('agrees with sorting by comparison on repeated blocks, with deep recursion', () => {
    const repeated = fc
      .tuple(smallAlphabetText(40), fc.integer({ min: 1, max: 40 }), smallAlphabetText(10))
      .map(([block, times, tail]) =>
        Uint8Array.from([
          ...Array(times)
            .fill([...block])
            .flat(),
          ...tail,
        ]),
      );
    fc.assert(fc.property(repeated, expectNaiveOrder), { numRuns: 500 });
  });

  it.each([
    ['a run', (_: number) => 97],
    ['separators only', (_: number) => 0],
    ['rising bytes', (i: number) => i & 255],
    ['falling bytes', (i: number) => 255 - (i & 255)],
    ['two alternating bytes', (i: number) => i & 1],
    ['growing runs', (i: number) => (Number.isInteger(Math.sqrt(i)) ? 1 : 2)],
    ['the ruler sequence', (i: number) => 31 - Math.clz32((i + 1) & -(i + 1))],
    ['noise of all bytes', (i: number) => (Math.imul(i ^ (i >>> 7), 0x9e3779b1) >>> 13) & 255],
  ])('sorts %s of any length', (_, byteAt) => {
    for (const length of [0, 1, 2, 3, 31, 32, 33, 64, 255, 256, 257, 1000, 5000])
      expectNaiveOrder(Uint8Array.from({ length }, (__, i) => byteAt(i)));
  });

  it('sorts a million bytes of noise', () => {
    const random = seeded(1);
    const text = Uint8Array.from({ length: 1_000_000 }, () => random(256));
    const bytes = Buffer.from(text.buffer);
    const sorted = suffixArray(text);
    expect(new Set(sorted).size).toBe(text.length);
    const misplaced = sorted.findIndex(
      (position, i) => i > 0 && Buffer.compare(bytes.subarray(sorted[i - 1]!), bytes.subarray(position)) > 0,
    );
    expect(misplaced).toBe(-1);
  });
});

/** Each description as symbols, and the symbol 0. */
function corpusOf(descriptions: readonly string[]): Uint8Array {
  return Uint8Array.from(descriptions.flatMap((description) => [...symbolsOf(description), 0]));
}

/** None: the memory is not enough. */
const NO_ROOM = { order: new Int32Array(0), before: new Uint16Array(0) };

describe('sortByWords', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '番', '茄', 'ต', '😀'), maxLength: 4 });
  const gap = fc.string({
    unit: fc.constantFrom(' ', ',', ';', '.', '’', '½', '，', '。', '（', '،', '؟'),
    minLength: 1,
    maxLength: 3,
  });
  const description = fc
    .array(fc.tuple(word, gap), { maxLength: 6 })
    .map((parts) => parts.flat().join(''))
    .chain((begin) => word.map((end) => begin + end));

  it('agrees with the suffix array, and knows where marked positions are', () => {
    const descriptions = fc.array(description, { maxLength: 12, size: 'max' });
    fc.assert(
      fc.property(descriptions, fc.infiniteStream(fc.boolean()), (texts, marks) => {
        const corpus = corpusOf(texts);
        const suffixes = new Int32Array(corpus.length);
        const marked = Int32Array.from(corpus.keys()).filter(() => marks.next().value);
        const ranges = sortByWords(suffixes, corpus, marked, NO_ROOM);
        // A corpus in which nearly every symbol is a word is left to the other one.
        expect(suffixes).toEqual(ranges ? suffixArray(corpus) : new Int32Array(corpus.length));
        const inRanges = ranges?.flatMap((from, i) =>
          i % 2 === 0 ? Array.from(suffixes.subarray(from, ranges[i + 1])) : [],
        );
        if (inRanges) expect(Array.from(marked).filter((each) => !inRanges.includes(each))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  it('leaves a corpus of different words alone', () => {
    const random = seeded(7);
    const corpus = corpusOf(Array.from({ length: 20_000 }, () => `${random(1e9)}x${random(1e9)}`));
    const suffixes = new Int32Array(corpus.length);
    expect(sortByWords(suffixes, corpus, new Int32Array(0), NO_ROOM)).toBeUndefined();
    expect(suffixes.every((position) => position === 0)).toBe(true);
  });
});
