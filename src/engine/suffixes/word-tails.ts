/**
 * Sorts the suffixes of a corpus by its words, because words repeat: 2,000,000 foods have twelve million, of 3,000 kinds.
 *
 * A *word* here is all up to where the next one begins: "oat " and "milk,". Its *tails* are it and its own suffixes: "oat ",
 * "at ", "t ", " ". A suffix of the corpus is a tail, and words after it. So SA-IS sorts the different tails, and the places where
 * words begin. Then, in the order of these places, each tail of the word before goes to the next free place of its bucket.
 *
 * A word begins where a character of words follows another one, and at every character of three bytes or more (Chinese, Thai), as
 * these have no blanks between words. So whatever begins a word is a greater symbol than whatever would go on with the one
 * before, and the end of a word counts as the greatest of all: "t  " comes before "t ".
 */
import { FNV_OFFSET, hashWith, KeyTable } from '#core';
import { END, FIRST_OF_WORDS, SYMBOL_OF } from './alphabet.ts';
import { sortInto, suffixArray } from './suffix-array.ts';

/** The symbol of a byte that UTF-8 never has, above all others. */
const END_OF_WORD = SYMBOL_OF[0xfe]!;
const FIRST_OF_LONG = SYMBOL_OF[0xe0]!;

const NOTHING = -1;

const beginsWord = (before: number, symbol: number): boolean =>
  before === END || (symbol >= FIRST_OF_WORDS && (before < FIRST_OF_WORDS || symbol >= FIRST_OF_LONG));

/** Different words with more symbols than this, such as codes, need too much memory. */
const mostSymbols = (corpus: Uint8Array): number => Math.max(2 ** 16, corpus.length / 8);

/** Numbers different tails. Each list has an element for each of them. */
class Tails {
  readonly #table = new KeyTable();
  readonly symbols: number[] = [];
  /** What follows the first symbol: a tail or nothing. */
  readonly rest: number[] = [];
  /** How often it stands in the corpus as a word. */
  readonly words: number[] = [];
  /** Whether it begins at a marked position anywhere. */
  readonly isMarked: boolean[] = [];

  add(symbol: number, rest: number): number {
    const tail = this.#table.numberOf(symbol, rest);
    if (tail === this.rest.length) {
      this.symbols.push(symbol);
      this.rest.push(rest);
      this.words.push(0);
      this.isMarked.push(false);
    }
    return tail;
  }

  /** Marks what is left of a tail behind so many symbols. */
  mark(tail: number, offset: number): void {
    let at = tail;
    for (let left = offset; left > 0; left--) at = this.rest[at]!;
    this.isMarked[at] = true;
  }

  /** Whether a tail is the symbols of a corpus from a position to another one. */
  isAt(tail: number, corpus: Uint8Array, from: number, to: number): boolean {
    let [each, at] = [tail, from];
    for (; each !== NOTHING && this.symbols[each] === corpus[at]; at++) each = this.rest[each]!;
    return each === NOTHING && at === to + 1;
  }
}

interface Words {
  readonly tails: Tails;
  /** Of all different words. */
  readonly symbols: number;
  /** For each word of the corpus: the number of the tail that it is, and where it begins. */
  readonly words: Int32Array;
  readonly starts: Int32Array;
}

/** Memory for a number for each word of a corpus, used if it suffices. */
export interface Room {
  readonly order: Int32Array;
  readonly before: Uint16Array;
}

/**
 * Fills `suffixes` with the suffix array of a corpus, and returns pairs of numbers: from where up to where it can have the marked
 * positions. Does nothing and returns undefined if too few words of the corpus are equal. @param marked ascending
 */
export function sortByWords(
  suffixes: Int32Array,
  corpus: Uint8Array,
  marked: Int32Array,
  room: Room,
): number[] | undefined {
  const found = findWords(corpus, suffixes, marked);
  if (found === undefined) return undefined;
  const { tails, words, starts } = found;
  const { places, names, wordOf, ranges } = sortTails(found);
  for (let w = 0; w < words.length; w++) words[w] = names[words[w]!]!;
  const count = words.length;
  const order = room.order.length < count ? new Int32Array(count) : room.order.subarray(0, count).fill(0);
  sortInto(order, words, wordOf.length);
  // From here on for each word, in their order, the one before it. The lists of words are in `suffixes`, which is filled then.
  const before = room.before.length < count || wordOf.length > 2 ** 16 ? new Int32Array(count) : room.before;
  for (let i = 0; i < order.length; i++) {
    const word = order[i]! - 1;
    order[i] = word < 0 ? NOTHING : starts[word]!;
    before[i] = word < 0 ? 0 : words[word]!;
  }
  const place = (name: number, start: number): void => {
    for (let tail = wordOf[name]!, at = start; tail !== NOTHING; tail = tails.rest[tail]!, at++)
      suffixes[places[tail]!++] = at;
  };
  const last = count - 1;
  if (last >= 0) place(words[last]!, starts[last]!);
  for (let i = 0; i < order.length; i++) if (order[i] !== NOTHING) place(before[i]!, order[i]!);
  return ranges;
}

/** Reads the corpus from its end on. The lists of words are parts of `room`. */
function findWords(corpus: Uint8Array, room: Int32Array, marked: Int32Array): Words | undefined {
  const half = room.length >> 1;
  const most = mostSymbols(corpus);
  const tails = new Tails();
  /** By hash and length, the tail that is a word: it is looked up once, not each of its tails. */
  const known = new KeyTable();
  const tailOf: number[] = [];
  let symbols = 0;
  let first = half;
  let mark = marked.length - 1;
  for (let i = corpus.length - 1, end = i; i >= 0; end = i) {
    let hash = FNV_OFFSET;
    do hash = hashWith(hash, corpus[i]!);
    while (--i >= 0 && !beginsWord(corpus[i]!, corpus[i + 1]!));
    const number = known.numberOf(hash, end - i);
    let tail = tailOf[number] ?? NOTHING;
    if (!tails.isAt(tail, corpus, i + 1, end)) {
      tail = NOTHING;
      for (let at = end; at > i; at--) tail = tails.add(corpus[at]!, tail);
      tailOf[number] = tail;
    }
    for (; mark >= 0 && marked[mark]! > i; mark--) tails.mark(tail, marked[mark]! - i - 1);
    if (tails.words[tail]!++ === 0) symbols += end - i;
    if (first-- === 0 || symbols > most) {
      room.fill(0);
      return undefined;
    }
    room[first] = tail;
    room[half + first] = i + 1;
  }
  return { tails, symbols, words: room.subarray(first, half), starts: room.subarray(half + first, 2 * half) };
}

/** Of each tail its first place among all suffixes, and its name if it is a word: names are numbered in the order of the words. */
function sortTails({ tails, symbols }: Words) {
  const words = [...tails.words.keys()].filter((tail) => tails.words[tail]! > 0);
  const text = new Uint8Array(symbols + words.length).fill(END_OF_WORD);
  const tailAt = new Int32Array(text.length).fill(NOTHING);
  const counts = new Int32Array(tails.rest.length);
  let end = 0;
  for (const word of words) {
    for (let tail = word; tail !== NOTHING; tail = tails.rest[tail]!) {
      text[end] = tails.symbols[tail]!;
      tailAt[end++] = tail;
      counts[tail]! += tails.words[word]!;
    }
    end++;
  }
  const places = new Int32Array(tails.rest.length);
  const names = new Int32Array(tails.rest.length);
  const wordOf: number[] = [];
  const ranges: number[] = [];
  let place = 0;
  let last = NOTHING;
  for (const position of suffixArray(text)) {
    const tail = tailAt[position]!;
    // Equal tails are neighbours, and the ends of words the last of all.
    if (tail === last || tail === NOTHING) continue;
    last = tail;
    places[tail] = place;
    if (tails.isMarked[tail]) ranges.push(place, place + counts[tail]!);
    place += counts[tail]!;
    if (tails.words[tail]! > 0) names[tail] = wordOf.push(tail) - 1;
  }
  return { places, names, wordOf, ranges };
}
