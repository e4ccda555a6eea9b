/**
 * A search by words: decides what each word of a text means, and finds the foods. It is a generator, so that the same
 * steps work with postings in memory and with postings from a database.
 */
import type { OtherNames, Replacement } from '../../catalog.ts';
import type { FoundFoods } from '../collections/found-foods.ts';
import { type AskedWord, askedWhole, askedWord, isKnown, withoutImplied, wordsOf } from './asked-words.ts';
import { corrections } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { WordSearch } from './word-search.ts';

/** Unknown words of a text that are corrected; each takes some tenths of a millisecond. */
const MOST_CORRECTED = 8;

/** If only one word is unknown, this many of its corrections are tried, best first, until a food has one and the other words. */
const MOST_CORRECTIONS = 4;

/** Words to search for, and what they replace. */
interface Meaning {
  readonly words: readonly string[];
  readonly replaced: readonly Replacement[];
}

export interface Asked {
  readonly replaced: readonly Replacement[];
  /** The only word that any food has, which must still be searched for; undefined if the foods were found. */
  readonly only?: AskedWord;
}

/** Yields words whenever a search in their postings is needed. */
type Steps<Result> = Generator<readonly AskedWord[], Result, WordSearch>;

/** Adds the best foods that have the words of a text, unless it comes down to one word. */
export function* findWords(
  vocabulary: Vocabulary,
  text: string,
  names: OtherNames,
  found: FoundFoods,
): Steps<Asked> {
  const meanings = corrected(vocabulary, yield* renamed(vocabulary, wordsOf(text), names));
  const asked = meanings.map(({ words, replaced }) => ({
    words: withoutImplied(words.map((word) => askedWord(vocabulary, word))),
    replaced,
  }));
  for (const { words, replaced } of asked) {
    if (words.length === 1) return { replaced, only: words[0]! };
    if (words.every(isKnown) && (yield words).addAll(words, found)) return { replaced };
  }
  const { words, replaced } = asked[0]!;
  const known = words.filter(isKnown);
  if (known.length === 1) return { replaced, only: known[0]! };
  (yield known).addMost(known, found);
  return { replaced };
}

/** Replaces names that no food has by other names. */
function* renamed(vocabulary: Vocabulary, words: readonly string[], names: OtherNames): Steps<Meaning> {
  const used: string[] = [];
  const replaced: Replacement[] = [];
  for (let i = 0; i < words.length; ) {
    const { length, other } = yield* otherNameAt(vocabulary, words, i, names);
    const typed = words.slice(i, i + length);
    used.push(...(other ?? typed));
    if (other !== undefined) replaced.push({ typed: typed.join(' '), searched: other.join(' ') });
    i += length;
  }
  return { words: used, replaced };
}

/** The longest name at a place that no food has, with another name that some food has. */
function* otherNameAt(
  vocabulary: Vocabulary,
  words: readonly string[],
  from: number,
  names: OtherNames,
): Steps<{ readonly length: number; readonly other?: readonly string[] }> {
  for (let length = Math.min(names.longest, words.length - from); length > 0; length--) {
    const name = words.slice(from, from + length);
    const others = names.of(name);
    if (others.length === 0 || (yield* isName(vocabulary, name))) continue;
    for (const other of others) if (yield* isName(vocabulary, other)) return { length, other };
  }
  return { length: 1 };
}

/** Whether some food has all of the words, as whole words. */
function* isName(vocabulary: Vocabulary, words: readonly string[]): Steps<boolean> {
  const whole = words.map((word) => askedWhole(vocabulary, word));
  return whole.every(isKnown) && (whole.length === 1 || (yield whole).hasAll(whole));
}

/** Corrects the words that no food has: returns all candidates, the likeliest first. */
function corrected(vocabulary: Vocabulary, { words, replaced }: Meaning): Meaning[] {
  const unknown = words.flatMap((word, i) => (isKnown(askedWord(vocabulary, word)) ? [] : [i]));
  const likely = new Map(
    unknown
      .slice(0, MOST_CORRECTED)
      .map((i) => [i, corrections(vocabulary, words[i]!, i === words.length - 1)]),
  );
  const [only = []] = likely.values();
  const tried = likely.size === 1 && words.length > 1 ? Math.min(only.length, MOST_CORRECTIONS) : 1;
  return Array.from({ length: Math.max(1, tried) }, (_, choice) => {
    const chosen = words.map((word, i) => likely.get(i)?.[choice] ?? likely.get(i)?.[0] ?? word);
    const pairs = chosen.map((searched, i) => ({ typed: words[i]!, searched }));
    return {
      words: chosen,
      replaced: [...replaced, ...pairs.filter(({ typed, searched }) => typed !== searched)],
    };
  });
}
