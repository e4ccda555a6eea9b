/**
 * Searches by words in the tables of one data set. It reads the words and the arrays about all foods once, and postings when
 * a search needs them, the latest of which it keeps.
 */
import { LRUCache } from 'lru-cache';
import { composed, fold, type OtherNames, readEntry, type WordsAnswer } from '#core';
import {
  AnswerFoods,
  contiguousOf,
  foodsNamed,
  hasMore,
  isHeadless,
  type NameKeys,
  type OnlyWord,
  onlyWordOf,
  onlyWordOrder,
  otherForms,
  type Reading,
  readingsOf,
  select,
  Vocabulary,
  type WordRange,
  WordSearch,
  wordsBehind,
  wordsIn,
  wordsOf,
} from '#engine';
import { isCommon, wordsFor } from './only-word.ts';
import { type PostingPart, PostingParts } from './posting-parts.ts';
import { bestOfWord } from './rank-matches.ts';
import { bodyOf, type FoundRow, type StoredTables, wordKey } from './schema.ts';
import { Unusable } from './servers/connection.ts';
import { ROW_FOODS } from './text-rows.ts';
import { POSTINGS, postingsIn, readFacts, type WordFacts } from './word-parts.ts';

/** Bytes of postings that are kept. */
const MOST_KEPT = 32 * 2 ** 20;

/** Parts that one statement reads: 0.7 MB, so that it stays well within its time limit. */
const MOST_AT_ONCE = 32;

/** A JSON array of the entries of all foods that were found. */
async function bodyOfAll(found: AnswerFoods, tables: StoredTables): Promise<Buffer> {
  found.finish();
  return bodyOf(await tables.foods(Array.from(found.foods.subarray(0, found.count))));
}

export class StoredWords {
  readonly #vocabulary: Vocabulary;
  readonly #names: NameKeys;
  readonly #firstRepeat: number;
  /** Shared by all searches: legal only because a step of a search never awaits. */
  readonly #parts: PostingParts;
  readonly #search: WordSearch;
  readonly #kept = new LRUCache<number, PostingPart>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ foods, places }) => foods.byteLength + places.byteLength,
  });
  /** Ends when no search reads more parts than MOST_AT_ONCE. */
  #large: Promise<void> = Promise.resolve();

  private constructor(facts: WordFacts) {
    this.#vocabulary = new Vocabulary(facts);
    [this.#firstRepeat = 0] = facts.firstRepeat;
    this.#parts = new PostingParts(facts);
    this.#names = facts.names;
    this.#search = new WordSearch(facts, this.#firstRepeat, facts.names);
  }

  /** @throws Unusable if the words are not as an import writes them; what the driver throws */
  static async read(tables: StoredTables): Promise<StoredWords> {
    const facts = await readFacts(async (section) => {
      const rows = await tables.parts(section);
      return Buffer.concat(rows.map(({ bytes }) => bytes));
    });
    if (facts.nameWords.length !== tables.dataSet.foods || facts.spellingStarts.length === 0)
      throw new Unusable('its table of words is not as an import makes it; import again');
    return new StoredWords(facts);
  }

  /** @throws what the driver throws */
  async search(text: string, names: OtherNames, tables: StoredTables): Promise<WordsAnswer> {
    // No description contains a lone surrogate.
    const readings = readingsOf(this.#vocabulary, text.isWellFormed() ? text : '', names);
    const contiguous = contiguousOf(text);
    const only = contiguous === undefined ? onlyWordOf(this.#vocabulary, readings) : undefined;
    const found = new AnswerFoods(this.#firstRepeat);
    if (contiguous !== undefined) {
      this.#addNamed(await tables.found(contiguous), contiguous, wordsOf(text), found);
      found.finish();
    }
    const finding = only ?? (await this.#find(readings, tables, found));
    if (contiguous === undefined && isHeadless(tables.dataSet.language, finding))
      return { readings, replaced: [], missing: [], body: Buffer.from('[]') };
    const body = await (only === undefined ? bodyOfAll(found, tables) : this.#answerOf(only, tables));
    return { ...finding, readings, body };
  }

  async #find(readings: readonly Reading[], tables: StoredTables, found: AnswerFoods) {
    const selection = select(this.#vocabulary, wordsIn(readings));
    const words = wordsBehind(selection);
    const parts = await this.#fetch(words, selection.share, tables);
    return this.#search.find(readings, selection, this.#parts.join(words, selection.share, parts), found);
  }

  async #answerOf({ word, reading }: OnlyWord, tables: StoredTables): Promise<Buffer> {
    if (isCommon(this.#vocabulary, word)) return tables.answer(wordKey(word.text));
    const words = wordsFor(this.#vocabulary, word);
    const { foods } = this.#parts.join(words, 1, await this.#fetch(words, 1, tables));
    const candidates = [...new Set(foods.sort())].slice(0, ROW_FOODS);
    const others = otherForms(this.#vocabulary, word);
    const best = bestOfWord(word.text, others, await tables.foods(candidates));
    const [asked = word] = reading.words;
    if (this.#names.foods.length === 0 && !hasMore(this.#vocabulary, asked, best.length)) return bodyOf(best);
    const found = new AnswerFoods(this.#firstRepeat);
    this.#addNamed(best, word.text, [word.text], found);
    if (!found.isFull) await this.#find([reading], tables, found);
    return bodyOfAll(found, tables);
  }

  /** Adds the foods with this other name before those described so, but for one whose whole description it is. */
  #addNamed(
    described: readonly FoundRow[],
    folded: string,
    words: readonly string[],
    found: AnswerFoods,
  ): void {
    const [first] = described;
    const isWhole = first !== undefined && fold(composed(readEntry(first.entry).description)) === folded;
    const ids = described.map(({ id }) => id);
    for (const food of onlyWordOrder(ids, isWhole, foodsNamed(this.#names, words))) found.add(food);
  }

  /** The parts in which the postings of the words are. @param share of each word */
  async #fetch(
    words: readonly WordRange[],
    share: number,
    tables: StoredTables,
  ): Promise<ReadonlyMap<number, PostingPart>> {
    const parts = new Map<number, PostingPart>();
    const missing = Array.from(this.#parts.numbersFor(words, share)).filter((number) => {
      const kept = this.#kept.get(number);
      if (kept !== undefined) parts.set(number, kept);
      return kept === undefined;
    });
    const read = async (): Promise<void> => {
      for (let i = 0; i < missing.length; i += MOST_AT_ONCE) {
        const some = missing.slice(i, i + MOST_AT_ONCE);
        const rows = await tables.parts(POSTINGS, some);
        if (rows.length < some.length) throw new Unusable('its table of words lacks rows; import again');
        for (const { part, bytes } of rows) {
          const fetched = postingsIn(bytes);
          parts.set(part, fetched);
          this.#kept.set(part, fetched);
        }
      }
    };
    if (missing.length <= MOST_AT_ONCE) await read();
    else {
      // One at a time: many, for single letters, would fill the memory.
      const reading = this.#large.then(read);
      this.#large = reading.catch(() => {});
      await reading;
    }
    return parts;
  }
}
