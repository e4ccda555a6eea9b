/**
 * Searches by words: decides what each word of a text stands for, and finds the foods.
 */
import type { FoundFoods } from '../found-foods.ts';
import type { IndexSections } from '../sections.ts';
import { type AskedWord, askedWhole, askedWord, isKnown, withoutImplied, wordsOf } from './asked-words.ts';
import type { OtherNames } from './other-names.ts';
import { corrections } from './spelling.ts';
import { Vocabulary } from './vocabulary.ts';
import { WordSearch } from './word-search.ts';

/** Unknown words of a text that are corrected; each takes some tenths of a millisecond. */
const MOST_CORRECTED = 8;

/** Corrections of an only unknown word that are tried, the best first, until some food has one beside the other words. */
const MOST_CORRECTIONS = 4;

/** What was searched for in place of what was typed: words, with a blank between two. */
export interface Replacement {
  readonly typed: string;
  readonly searched: string;
}

/** Words to search for, and what they replace. */
interface Meaning {
  readonly words: readonly string[];
  readonly replaced: readonly Replacement[];
}

/** A word, and its singular and plural as far as they do not begin with it. */
export interface OneWord {
  readonly text: string;
  readonly plurals: readonly string[];
}

export interface Asked {
  readonly replaced: readonly Replacement[];
  /** The only word that any food has, which is still to be searched for; undefined where the foods are found. */
  readonly only?: OneWord;
}

export class WordsIndex {
  readonly #vocabulary: Vocabulary;
  readonly #search: WordSearch;

  constructor({ vocabulary, firstRepeat }: Pick<IndexSections, 'vocabulary' | 'firstRepeat'>) {
    this.#vocabulary = new Vocabulary(vocabulary);
    this.#search = new WordSearch(vocabulary, firstRepeat[0]!);
  }

  /** Adds the best foods that have the words of a text, unless it comes down to one word. */
  find(text: string, names: OtherNames, found: FoundFoods): Asked {
    const meanings = this.#correct(this.#rename(wordsOf(text), names));
    const asked = meanings.map(({ words, replaced }) => ({
      words: withoutImplied(words.map((word) => askedWord(this.#vocabulary, word))),
      replaced,
    }));
    for (const { words, replaced } of asked) {
      if (words.length === 1) return { replaced, only: this.#oneWord(words[0]!) };
      if (words.every(isKnown) && this.#search.addAll(words, found)) return { replaced };
    }
    const { words, replaced } = asked[0]!;
    const known = words.filter(isKnown);
    if (known.length === 1) return { replaced, only: this.#oneWord(known[0]!) };
    this.#search.addMost(known, found);
    return { replaced };
  }

  #oneWord({ text, plurals }: AskedWord): OneWord {
    const spellings = plurals.map((plural) => this.#vocabulary.textOf(plural));
    return { text, plurals: spellings.filter((spelling) => !spelling.startsWith(text)) };
  }

  /** Puts other names in the place of those that no food has. */
  #rename(words: readonly string[], names: OtherNames): Meaning {
    const renamed: string[] = [];
    const replaced: Replacement[] = [];
    for (let i = 0; i < words.length; ) {
      const { length, other } = this.#otherNameAt(words, i, names);
      renamed.push(...(other ?? words.slice(i, i + length)));
      if (other !== undefined)
        replaced.push({ typed: words.slice(i, i + length).join(' '), searched: other.join(' ') });
      i += length;
    }
    return { words: renamed, replaced };
  }

  /** The longest name that begins at a place and that no food has, with another name that some food has. */
  #otherNameAt(words: readonly string[], from: number, names: OtherNames) {
    for (let length = Math.min(names.longest, words.length - from); length > 0; length--) {
      const name = words.slice(from, from + length);
      const others = names.of(name);
      if (others.length === 0 || this.#isName(name)) continue;
      const other = others.find((each) => this.#isName(each));
      if (other !== undefined) return { length, other };
    }
    return { length: 1 };
  }

  /** Whether some food has all of the words, as whole words. */
  #isName(words: readonly string[]): boolean {
    const whole = words.map((word) => askedWhole(this.#vocabulary, word));
    return whole.every(isKnown) && (whole.length === 1 || this.#search.hasAll(whole));
  }

  /** Corrects the words that no food has: all that may be meant, the likeliest first. */
  #correct({ words, replaced }: Meaning): Meaning[] {
    const unknown = words.flatMap((word, i) => (isKnown(askedWord(this.#vocabulary, word)) ? [] : [i]));
    const likely = new Map(
      unknown
        .slice(0, MOST_CORRECTED)
        .map((i) => [i, corrections(this.#vocabulary, words[i]!, i === words.length - 1)]),
    );
    const tried = likely.size === 1 && words.length > 1 ? MOST_CORRECTIONS : 1;
    return Array.from({ length: tried }, (_, choice) => {
      const chosen = words.map((word, i) => likely.get(i)?.[choice] ?? likely.get(i)?.[0] ?? word);
      const pairs = chosen.map((searched, i) => ({ typed: words[i]!, searched }));
      return {
        words: chosen,
        replaced: [...replaced, ...pairs.filter(({ typed, searched }) => typed !== searched)],
      };
    });
  }
}
