/** The work of a search is bounded: bytes and postings that it reads, not time. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { OtherNames } from '#core';
import { AnswerFoods, FoodIndex, OtherNameTable, readingsOf, WordSearch, wordsIn } from '#engine';
import {
  MOST_PARTS,
  POSTINGS_OF_A_PART,
  type Selection,
  select,
  wordsBehind,
} from '../../src/engine/words/selection.ts';
import {
  type Postings,
  Vocabulary,
  type VocabularySections,
  type WordRange,
} from '../../src/engine/words/vocabulary.ts';
import { type PostingPart, PostingParts } from '../../src/postgres/posting-parts.ts';
import { sectionsOf as indexOf } from '../support/index.ts';
import { seeded } from '../support/random.ts';
import { numbered } from '../support/service.ts';
import { textShapes } from '../support/text-shapes.ts';

const FOODS = 200_000;
const FIRST_REPEAT = 150_000;
const WORDS_OF_A_FOOD = 12;
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const WORDS_OF_A_LETTER = 1500;

/** Postings that a text reads, bytes of the vocabulary that it compares, and for each of its own bytes those looked up or compared. */
const MOST_POSTINGS = 2_000_000;
const MOST_BYTES = 500_000;
const MOST_FOR_A_BYTE = 50;

const SIZES = [1000, 4000, 16_000];

const random = seeded(29);
const letter = (): string => LETTERS[random(26)] ?? '';
const word = (length: number): string => Array.from({ length }, letter).join('');
const textOf = (count: number, make: () => string): string => Array.from({ length: count }, make).join(' ');

const begun = (first: string) => Array.from({ length: WORDS_OF_A_LETTER }, () => first + word(random(9)));
const WORDS = [...new Set(LETTERS.flatMap(begun))].sort();
/** The words of most foods. */
const COMMON = Array.from({ length: 40 }, () => random(WORDS.length));
const commonWord = (): string => WORDS[COMMON[random(COMMON.length)] ?? 0] ?? '';

/** Foods of random words: a third of the words are among the common ones. */
function sectionsOf(): VocabularySections {
  const foodsOf = WORDS.map((): number[] => []);
  for (let food = 0; food < FOODS; food++)
    for (let i = 0; i < WORDS_OF_A_FOOD; i++) {
      const of = foodsOf[random(3) === 0 ? (COMMON[random(40)] ?? 0) : random(WORDS.length)];
      if (of !== undefined && of.at(-1) !== food) of.push(food);
    }
  const starts = (lengths: readonly number[]): Uint32Array => {
    const ends = Uint32Array.of(0, ...lengths);
    for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!;
    return ends;
  };
  const foods = Int32Array.from(foodsOf.flat());
  return {
    spellings: Buffer.from(WORDS.join('')),
    spellingStarts: starts(WORDS.map((each) => each.length)),
    postingStarts: starts(foodsOf.map((each) => each.length)),
    bestPlaces: new Uint8Array(WORDS.length).fill(200),
    staticScores: Uint8Array.from({ length: FOODS }, (_, food) => 239 - Math.floor((200 * food) / FOODS)),
    nameWords: new Uint8Array(FOODS).fill(WORDS_OF_A_FOOD),
    foods,
    places: Uint8Array.from(foods, () => random(201)),
  };
}

/** The same array, which counts how often an item is read. */
function counted<Items extends Uint8Array | Int32Array>(items: Items, onRead: () => void): Items {
  return new Proxy(items, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'number' && key !== 'length') onRead();
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const LETTERS_IN_ORDER = LETTERS.join(' ');
const NAMES = new OtherNameTable(
  Array.from({ length: 100 }, () => ({
    name: `${commonWord()} ${commonWord()}`,
    other: `${commonWord()} ${commonWord()} ${commonWord()}`,
  })),
);

const SHAPES = Object.entries(textShapes([...new Set(COMMON.map((each) => WORDS[each] ?? ''))], random));
const shaped = (bytes: number) =>
  SHAPES.map(([shape, make]): [kind: string, text: string] => [`${bytes} bytes: ${shape}`, make(bytes)]);
const SHAPED = SIZES.flatMap(shaped);

const TEXTS: readonly [kind: string, text: string][] = [
  ['all letters', LETTERS_IN_ORDER],
  ['all letters, and one misspelt word', `${LETTERS_IN_ORDER} ${WORDS[COMMON[0] ?? 0]}qx`],
  ['300 pairs of letters', textOf(300, () => word(2))],
  ['common words', textOf(32, commonWord)],
  ['common words and letters', `${textOf(16, commonWord)} ${LETTERS_IN_ORDER}`],
  ['misspelt words', textOf(8, () => `${WORDS[random(WORDS.length)]}zz`)],
  ['long unknown words', textOf(32, () => word(30))],
  ['16 kB of unknown words', textOf(1600, () => word(9))],
  ['other names', textOf(32, commonWord)],
];

interface Work {
  postings: number;
  bytes: number;
}

/** Counts the bytes of the words that are looked up. */
class CountingVocabulary extends Vocabulary {
  readonly #work: Work;

  constructor(sections: VocabularySections, work: Work) {
    super({ ...sections, spellings: counted(sections.spellings, () => void work.bytes++) });
    this.#work = work;
  }

  override find(word: string): number {
    this.#work.bytes += Buffer.byteLength(word);
    return super.find(word);
  }

  override begunBy(text: string): WordRange {
    this.#work.bytes += Buffer.byteLength(text);
    return super.begunBy(text);
  }
}

describe('a search by words', () => {
  let sections: VocabularySections;
  let work: Work;
  let names: OtherNames;
  let vocabulary: Vocabulary;
  let plain: Vocabulary;
  let parts: PostingParts;
  let search: WordSearch;
  let postings: Postings;
  beforeAll(() => {
    sections = sectionsOf();
    work = { postings: 0, bytes: 0 };
    const foods = counted(sections.foods, () => void work.postings++);
    vocabulary = new CountingVocabulary(sections, work);
    plain = new Vocabulary(sections);
    parts = new PostingParts(sections);
    const of: OtherNames['of'] = (words) => {
      work.bytes += Buffer.byteLength(words.join(' '));
      return NAMES.of(words);
    };
    names = { of, longest: NAMES.longest, json: NAMES.json };
    search = new WordSearch(sections, FIRST_REPEAT);
    postings = { ...sections, foods };
  });

  function foodsBy(words: Vocabulary, text: string, postingsFor: (selection: Selection) => Postings) {
    const found = new AnswerFoods(FIRST_REPEAT);
    const readings = readingsOf(words, text, names);
    const selection = select(words, wordsIn(readings));
    const finding = search.find(readings, selection, postingsFor(selection), found);
    found.finish();
    return { ...finding, foods: found.foods.subarray(0, found.count) };
  }

  test.each([...TEXTS, ...SHAPED])('for %s reads few postings and few bytes', (_kind, text) => {
    Object.assign(work, { postings: 0, bytes: 0 });
    foodsBy(vocabulary, text, () => postings);
    expect(work.postings).toBeLessThan(MOST_POSTINGS);
    expect(work.bytes).toBeLessThan(MOST_BYTES + MOST_FOR_A_BYTE * text.length);
  });

  test.each([...TEXTS, ...shaped(4000)])('for %s finds the same foods in few parts', (_kind, text) => {
    const { foods, places } = sections;
    let fetched = 0;
    const fromParts = (selection: Selection): Postings => {
      const words = wordsBehind(selection);
      const numbers = parts.numbersFor(words, selection.share);
      fetched = Math.max(fetched, numbers.size);
      const some = new Map<number, PostingPart>();
      for (const number of numbers) {
        const [from, to] = [number * POSTINGS_OF_A_PART, (number + 1) * POSTINGS_OF_A_PART];
        some.set(number, { foods: foods.subarray(from, to), places: places.subarray(from, to) });
      }
      return parts.join(words, selection.share, some);
    };
    expect(foodsBy(plain, text, fromParts)).toEqual(foodsBy(plain, text, () => sections));
    expect(fetched).toBeLessThanOrEqual(MOST_PARTS);
  });
});

test('a search for a text as typed compares few bytes of the foods, whatever the text', async () => {
  const descriptions = Array.from({ length: 3000 }, () => textOf(1 + random(6), commonWord));
  const index = await indexOf(numbered([...descriptions, 'a'.repeat(9000), 'ab'.repeat(4000)]));
  const work = { bytes: 0 };
  const corpus = counted(index.corpus, () => void work.bytes++);
  const foods = new FoodIndex({ ...index, corpus });
  for (const [kind, text] of SHAPED) {
    work.bytes = 0;
    foods.search(text);
    expect(work.bytes, kind).toBeLessThan(MOST_FOR_A_BYTE * text.length);
  }
});
