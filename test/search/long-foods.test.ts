/** Foods in which a text occurs very often: the same answers, without reading every occurrence. */
import { expect, test } from 'vitest';
import { FoodIndex, lookupsOf } from '../../src/search/food-index.ts';
import type { RangeMaxTree } from '../../src/search/range-max-tree.ts';
import { indexOf, placesIn, sectionsOf } from '../support/index.ts';
import { numbered } from '../support/service.ts';
import { RulesOracle } from './rules-oracle.ts';

type Descriptions = readonly string[];
const foods = (count: number, description: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => description(i));

const arrivals = (index: FoodIndex, text: string): number[] => placesIn(index.search(text));

const few = (words: string, times: number): string[] =>
  foods(60, (i) => `Food ${i}, ${i % 3 === 0 ? 'raw, ' : ''}${words.repeat(times + i)}`);

const SETS: readonly [name: string, descriptions: Descriptions][] = [
  [
    '300 foods of a hundred words, too short to count as long',
    foods(300, (i) => `Food ${i} ${'egg '.repeat(100)}`),
  ],
  ['99 foods that repeat a word', foods(99, (i) => `food${i} ${'egg '.repeat(1000)}`)],
  ['60 foods of words and commas', few('egg, eggs milk, ', 600)],
  ['20 foods that repeat a letter', foods(20, (i) => `${i} ${'a'.repeat(9000)}`)],
  ['20 foods that repeat a word of one letter', foods(20, (i) => `${i} ${'a '.repeat(9000)}`)],
  ['150 foods, the long ones last', [...few('egg ', 1000), ...foods(90, (i) => `Milk ${i}, raw, egg`)]],
  [
    'long foods before very many others',
    [
      ...few('eggs ', 1500),
      ...foods(6000, (i) => `Babyfood, imitation, ${['egg', 'eggs', 'eggnog', 'milk'][i % 4]} ${i % 70}`),
    ],
  ],
  [
    'long foods before few others',
    [
      ...few('egg;', 1500),
      ...foods(30, (i) => `Babyfood, imitation, ${['egg', 'eggs', 'eggnog', 'begg'][i % 4]} ${i}`),
      ...foods(20_000, (i) => `Milk ${i % 90}`),
    ],
  ],
];
const TEXTS = 'a|e|g|k|f| |,|;|egg|eggs|eg|gg|g e|egg egg|egg,|, |egg;egg|aa|a a| a|food|milk|begg|nog'.split(
  '|',
);

test.each(SETS)(
  'the engine answers like the rules applied to every match on %s',
  async (_name, descriptions) => {
    const index = await indexOf(numbered(descriptions));
    const oracle = new RulesOracle(descriptions);
    for (const text of TEXTS) {
      expect(arrivals(index, text), JSON.stringify(text)).toEqual(oracle.search(text));
    }
  },
);

/** An index, and a function that returns the number of suffixes read since its last call. */
async function countedIndex(descriptions: Descriptions): Promise<{ index: FoodIndex; reads: () => number }> {
  let count = 0;
  const counted = (positions: Int32Array): Int32Array =>
    new Proxy(positions, {
      get(target, key) {
        if (key !== 'length') count++;
        return Reflect.get(target, key);
      },
    });
  const sections = await sectionsOf(numbered(descriptions));
  const countedTree = ({ levels, ...tree }: RangeMaxTree): RangeMaxTree => ({
    ...tree,
    levels: levels.map((level) => ({ ...level, positions: counted(level.positions) })),
  });
  const { segmentEnd, wordEnd, inside, inner, ...tables } = lookupsOf(sections);
  const index = new FoodIndex(sections, {
    ...tables,
    segmentEnd: countedTree(segmentEnd),
    wordEnd: countedTree(wordEnd),
    inside: countedTree(inside),
    inner: countedTree(inner),
  });
  const reads = (): number => {
    const before = count;
    count = 0;
    return before;
  };
  return { index, reads };
}

test.each([
  ['words', (times: number) => foods(20, (i) => `food${i} ${'egg '.repeat(times)}`), 10_000],
  ['one letter', (times: number) => foods(20, (i) => `food${i} ${'a'.repeat(times)}`), 10_000],
] as const)('four times the %s in long foods take hardly more reads', async (_name, make, times) => {
  const small = await countedIndex(make(times));
  const large = await countedIndex(make(4 * times));
  for (const text of ['e', 'egg', 'gg', ' ', 'g e', 'egg egg', 'a', 'aa']) {
    expect(arrivals(large.index, text)).toHaveLength(arrivals(small.index, text).length);
    expect(large.reads(), text).toBeLessThan(1.5 * small.reads() + 1000);
  }
});

test('a search with very many occurrences takes little memory', async () => {
  const index = await indexOf(numbered(foods(50, (i) => `food${i} ${'egg '.repeat(8000)}`)));
  const before = process.memoryUsage().arrayBuffers;
  for (const text of ['egg', 'gg', ' ']) expect(arrivals(index, text)).toHaveLength(50);
  // Three answers of 1.6 MB. Storing all 400,000 occurrences would take 30 MB.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10e6);
});
