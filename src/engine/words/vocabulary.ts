/** Which foods have which words, for searches for several words. */
import { firstWhere, textOfUtf8, utf8 } from '#core';
import { characterAt, type Spellings, type SpellingTree, spellingTreeOf } from './spelling-tree.ts';

export interface Postings {
  /** The first posting of each word, and last the end of all postings. */
  readonly postingStarts: Uint32Array;
  /** For each word the foods that have it, ascending. */
  readonly foods: Int32Array;
  /** For each of these the byte of the best place of the word in the food (`placeScoreOf`). */
  readonly places: Uint8Array;
}

/** The distinct words of all descriptions, `v` in number, and the facts about them and about the foods, without the postings. */
export interface VocabularyFacts extends Spellings {
  /** v + 1 positions in all postings. */
  readonly postingStarts: Uint32Array;
  /** For each word its best place in any food. */
  readonly bestPlaces: Uint8Array;
  /** For each food its static score. */
  readonly staticScores: Uint8Array;
  /** The number of distinct words in the name of each food, at most 255. */
  readonly nameWords: Uint8Array;
}

export type VocabularySections = VocabularyFacts & Postings;

/** Words [from, to). */
export interface WordRange {
  readonly from: number;
  readonly to: number;
}

/** The words of a data set in the order of their UTF-8: words with the same beginning are consecutive. */
export class Vocabulary {
  readonly #sections: VocabularyFacts;

  #tree: SpellingTree | undefined;

  /** @param tree of its words, if it is known already */
  constructor(sections: VocabularyFacts, tree?: SpellingTree) {
    this.#sections = sections;
    this.#tree = tree;
  }

  get tree(): SpellingTree {
    this.#tree ??= spellingTreeOf(this.#sections);
    return this.#tree;
  }

  get size(): number {
    return this.#sections.spellingStarts.length - 1;
  }

  /** The number of foods. */
  get foods(): number {
    return this.#sections.staticScores.length;
  }

  /** The words that begin with a folded text. */
  begunBy(text: string): WordRange {
    const bytes = utf8(text);
    const from = this.#firstFrom(bytes);
    return { from, to: firstWhere(from, this.size, (word) => this.#compare(word, bytes) > 0) };
  }

  /** The number of a word, or -1. */
  find(word: string): number {
    const bytes = utf8(word);
    const at = this.#firstFrom(bytes);
    return at < this.size && this.lengthOf(at) === bytes.length && this.#compare(at, bytes) === 0 ? at : -1;
  }

  textOf(word: number): string {
    const { spellings, spellingStarts } = this.#sections;
    return textOfUtf8(spellings, spellingStarts[word], spellingStarts[word + 1]);
  }

  /** Bytes of a word. */
  lengthOf(word: number): number {
    const { spellingStarts } = this.#sections;
    return spellingStarts[word + 1]! - spellingStarts[word]!;
  }

  /** The code point of a word that begins at a position below its length in bytes. */
  characterOf(word: number, position: number): number {
    const { spellings, spellingStarts } = this.#sections;
    return characterAt(spellings, spellingStarts[word]! + position);
  }

  /** The number of foods with words of a range, each counted once for each of the words. */
  foodsOf({ from, to }: WordRange): number {
    const { postingStarts } = this.#sections;
    return postingStarts[to]! - postingStarts[from]!;
  }

  /** The first of the postings of a word. */
  postingOf(word: number): number {
    return this.#sections.postingStarts[word]!;
  }

  /** The first word that is not before a text. */
  #firstFrom(text: Uint8Array): number {
    return firstWhere(0, this.size, (word) => this.#compare(word, text) >= 0);
  }

  /** Below 0 if a word is before a text, above 0 if it is after it, 0 if it begins with it. */
  #compare(word: number, text: Uint8Array): number {
    const { spellings, spellingStarts } = this.#sections;
    const start = spellingStarts[word]!;
    const length = spellingStarts[word + 1]! - start;
    for (let i = 0; i < text.length; i++) {
      if (i === length) return -1;
      const difference = spellings[start + i]! - text[i]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
