/**
 * A search by words: decides what each word of a text means, and finds the foods. It is a generator, so that the same
 * steps work with postings in memory and with postings from a database.
 */
import type { OtherNames, Replacement } from '../../catalog.ts';
import type { FoundFoods } from '../collections/found-foods.ts';
import { type AskedWord, askedWhole, askedWord, isKnown, withoutImplied, wordsOf } from './asked-words.ts';
import { Effort } from './effort.ts';
import { MOST_PARTS, type Selection, select } from './selection.ts';
import { corrections } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { WordSearch } from './word-search.ts';

/** Characters that all corrections of a text compare: 50,000 take some 8 ms. */
const MOST_COMPARED = 50_000;

/** Parts of postings that decide between other names, and between corrections, of a text. */
const MOST_TRIED = MOST_PARTS;

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

/** Yields the words whose postings it needs next. */
type Steps<Result> = Generator<Selection, Result, WordSearch>;

/** Adds the best foods that have the words of a text, unless it comes down to one word. */
export function* findWords(
  vocabulary: Vocabulary,
  text: string,
  names: OtherNames,
  found: FoundFoods,
): Steps<Asked> {
  const effort = new Effort(MOST_TRIED);
  const meanings = corrected(vocabulary, yield* renamed(vocabulary, wordsOf(text), names, effort));
  const asked = meanings.map(({ words, replaced }) => ({
    words: withoutImplied(words.map((word) => askedWord(vocabulary, word))),
    replaced,
  }));
  for (const { words, replaced } of asked) {
    if (words.length === 1) return { replaced, only: words[0]! };
    if (!words.every(isKnown)) continue;
    const selection = select(vocabulary, words);
    if ((yield selection).addAll(selection, found)) return { replaced };
    if (!effort.spend(selection.parts)) break;
  }
  const { words, replaced } = asked[0]!;
  const known = words.filter(isKnown);
  if (known.length === 1) return { replaced, only: known[0]! };
  const selection = select(vocabulary, known);
  (yield selection).addMost(selection, found);
  return { replaced };
}

/** Replaces names that no food has by other names. */
function* renamed(
  vocabulary: Vocabulary,
  words: readonly string[],
  names: OtherNames,
  effort: Effort,
): Steps<Meaning> {
  const used: string[] = [];
  const replaced: Replacement[] = [];
  for (let i = 0; i < words.length; ) {
    const { length, other } = yield* otherNameAt(vocabulary, words, i, names, effort);
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
  effort: Effort,
): Steps<{ readonly length: number; readonly other?: readonly string[] }> {
  for (let length = Math.min(names.longest, words.length - from); length > 0; length--) {
    const name = words.slice(from, from + length);
    const others = names.of(name);
    if (others.length === 0 || (yield* isName(vocabulary, name, effort))) continue;
    for (const other of others) if (yield* isName(vocabulary, other, effort)) return { length, other };
  }
  return { length: 1 };
}

/** Whether some food has all of the words, as whole words, and little enough work is left to find that out. */
function* isName(vocabulary: Vocabulary, words: readonly string[], effort: Effort): Steps<boolean> {
  const whole = words.map((word) => askedWhole(vocabulary, word));
  if (whole.length === 1 || !whole.every(isKnown)) return whole.every(isKnown);
  const selection = select(vocabulary, whole);
  return effort.spend(selection.parts) && (yield selection).hasAll(selection);
}

/** Corrects the words that no food has: returns all candidates, the likeliest first. */
function corrected(vocabulary: Vocabulary, { words, replaced }: Meaning): Meaning[] {
  const unknown = words.flatMap((word, i) => (isKnown(askedWord(vocabulary, word)) ? [] : [i]));
  const effort = new Effort(MOST_COMPARED);
  const likely = new Map(
    unknown.map((i) => [i, corrections(vocabulary, words[i]!, i === words.length - 1, effort)]),
  );
  const [only = []] = likely.values();
  const tried = likely.size === 1 && words.length > 1 ? only.length : 1;
  return Array.from({ length: Math.max(1, tried) }, (_, choice) => {
    const chosen = words.map((word, i) => likely.get(i)?.[choice] ?? likely.get(i)?.[0] ?? word);
    const pairs = chosen.map((searched, i) => ({ typed: words[i]!, searched }));
    return {
      words: chosen,
      replaced: [...replaced, ...pairs.filter(({ typed, searched }) => typed !== searched)],
    };
  });
}
