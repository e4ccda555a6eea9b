/**
 * A search for a single word, for engines that have postings but no suffix array: the foods of a rare word are ranked one
 * by one (`rank-matches.ts: bestOfWord`); the answers to common words are stored.
 */
import { type AskedWord, askedWord, formsOf, otherForms, type Vocabulary, type WordRange } from '#engine';
import { MAX_KEY, ROW_PLACES } from './text-rows.ts';

/** Characters that may continue a word ("baker's", "3.25"), so that the part before them is also a whole word. */
const JOINTS = ['.', "'", '\u2019'];

/** More than the ranges in which a word is found: its own, and those of its singulars and plurals. */
const MOST_RANGES = 8;

/** The most bytes by which a singular is shorter than its plural. */
const SHORTER = 2;

/** The words whose foods are found, perhaps with repetitions. */
export function wordsFor(vocabulary: Vocabulary, word: AskedWord): WordRange[] {
  const others = otherForms(vocabulary, word).flatMap((other) => {
    const itself = vocabulary.find(other);
    return [{ from: itself, to: itself + 1 }, ...JOINTS.map((joint) => vocabulary.begunBy(other + joint))];
  });
  return [word.begun, ...others].filter(({ from, to }) => from < to);
}

export function isCommon(vocabulary: Vocabulary, word: AskedWord): boolean {
  if (Buffer.byteLength(word.text) > MAX_KEY) return false;
  const foods = wordsFor(vocabulary, word).reduce((sum, range) => sum + vocabulary.foodsOf(range), 0);
  return foods > ROW_PLACES;
}

/** All common words that can be searched for, and some that cannot. */
export function* commonWords(vocabulary: Vocabulary): Generator<AskedWord> {
  const known = new Set<string>();
  for (const beginning of beginnings(vocabulary, '', { from: 0, to: vocabulary.size })) {
    const texts = vocabulary.find(beginning) < 0 ? [beginning] : formsOf(beginning);
    for (const text of texts) {
      const word = askedWord(vocabulary, text);
      if (known.has(text) || !isCommon(vocabulary, word)) continue;
      known.add(text);
      yield word;
    }
  }
}

/** The prefixes of words of many foods: if a word is common, at least one of its ranges is that of such a prefix. */
function* beginnings(vocabulary: Vocabulary, text: string, { from, to }: WordRange): Generator<string> {
  for (let word = from; word < to; ) {
    const next = String.fromCodePoint(vocabulary.textOf(word).codePointAt(text.length) ?? 0);
    const isItself = vocabulary.lengthOf(word) === Buffer.byteLength(text);
    const range = isItself ? { from: word, to: word + 1 } : vocabulary.begunBy(text + next);
    word = range.to;
    const isLong = Buffer.byteLength(text + next) > MAX_KEY + SHORTER;
    if (isItself || isLong || vocabulary.foodsOf(range) * MOST_RANGES <= ROW_PLACES) continue;
    yield text + next;
    yield* beginnings(vocabulary, text + next, range);
  }
}
