/**
 * Finds words of nearly the same spelling. The sorted vocabulary is a tree of prefixes; the search enters only branches that
 * can still be near enough. An edit is an added, a missing or a wrong character, or two adjacent characters
 * swapped (optimal string alignment; Damerau, 1964; Levenshtein, 1965). A missing accent is not an edit.
 *
 * A library that compares two words at a time reads the whole vocabulary for each word (`docs/design.md` has the figures).
 */
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** From this many characters on, a word may have one edit, or two. */
const [ONE_EDIT, TWO_EDITS] = [4, 8];

/** Longer words are not corrected; real ones are shorter. */
const MOST_CHARACTERS = 32;

/** Shorter words are not corrected, and do not replace others. */
const LEAST_CHARACTERS = 3;

/*
 * What counts against a candidate, in doublings of its foods: a word that 32 times as many foods have makes up for a wrong
 * first letter.
 */
const EDIT = 10;
const OTHER_FIRST = 5;
const BEGUN = 3;

/** A word that may be meant. */
interface Candidate {
  readonly word: string;
  /** Lower is better. */
  readonly cost: number;
}

/** The number of edits that a word may have. */
function editsOf(characters: number): number {
  if (characters < ONE_EDIT) return 0;
  return characters < TWO_EDITS ? 1 : 2;
}

/**
 * Words near a folded one, the best first: few edits before many, the same first letter before another one, common words
 * before rare ones.
 * @param isUnfinished whether more of the word may follow, so that its beginning may be corrected, too
 */
export function corrections(vocabulary: Vocabulary, word: string, isUnfinished: boolean): string[] {
  const characters = Array.from(word, (character) => baseOf(character.codePointAt(0)!));
  if (characters.length < LEAST_CHARACTERS || characters.length > MOST_CHARACTERS) return [];
  const walk = new Walk(vocabulary, characters, isUnfinished);
  walk.enter({ from: 0, to: vocabulary.size }, 0, 0);
  walk.found.sort((a, b) => a.cost - b.cost || (a.word < b.word ? -1 : 1));
  return [...new Set(walk.found.map((candidate) => candidate.word))];
}

class Walk {
  readonly found: Candidate[] = [];
  readonly most: number;
  readonly #vocabulary: Vocabulary;
  readonly #word: readonly number[];
  readonly #isUnfinished: boolean;
  /** The characters of the branch, and for each depth the edits between the branch and each prefix of the word. */
  readonly #branch: number[] = [];
  readonly #rows: Uint8Array[] = [];

  constructor(vocabulary: Vocabulary, word: readonly number[], isUnfinished: boolean) {
    this.#vocabulary = vocabulary;
    this.#word = word;
    this.#isUnfinished = isUnfinished;
    this.most = editsOf(word.length);
    for (let depth = 0; depth <= word.length + this.most; depth++)
      this.#rows.push(new Uint8Array(word.length + 1));
    for (let i = 0; i <= word.length; i++) this.#rows[0]![i] = i;
  }

  /** Enters the words of a range, whose first `depth` characters, of `bytes` bytes, are the same. */
  enter({ from, to }: WordRange, depth: number, bytes: number): void {
    const vocabulary = this.#vocabulary;
    let at = from;
    if (at < to && vocabulary.lengthOf(at) === bytes) {
      this.#take(at, depth, { from: at, to: at + 1 }, 0);
      at++;
    }
    if (depth > 0 && this.#isUnfinished && at < to) this.#take(at, depth, { from, to }, BEGUN);
    if (depth === this.#rows.length - 1) return;
    while (at < to) {
      const size = sizeOf(vocabulary.byteOf(at, bytes));
      const end = this.#endOf(at, to, bytes, size);
      this.#branch[depth] = baseOf(this.#characterOf(at, bytes, size));
      if (this.#fillRow(depth + 1) <= this.most) this.enter({ from: at, to: end }, depth + 1, bytes + size);
      at = end;
    }
  }

  /** Adds the branch as a candidate if it is near enough. */
  #take(word: number, depth: number, range: WordRange, extra: number): void {
    const edits = this.#rows[depth]![this.#word.length]!;
    if (edits > this.most || depth < LEAST_CHARACTERS) return;
    const vocabulary = this.#vocabulary;
    const common = extra === 0 ? word : mostCommonOf(vocabulary, range);
    const first = this.#branch[0] === this.#word[0] ? 0 : OTHER_FIRST;
    const cost = EDIT * edits + first + extra - Math.log2(vocabulary.foodsOf(range));
    this.found.push({ word: vocabulary.textOf(common), cost });
  }

  /** Fills the row of a depth from those above it, and returns its least number. */
  #fillRow(depth: number): number {
    const word = this.#word;
    const row = this.#rows[depth]!;
    const above = this.#rows[depth - 1]!;
    const character = this.#branch[depth - 1]!;
    const before = this.#branch[depth - 2];
    let least = depth;
    row[0] = depth;
    for (let i = 1; i <= word.length; i++) {
      const isSame = word[i - 1] === character;
      let edits = Math.min(above[i]! + 1, row[i - 1]! + 1, above[i - 1]! + (isSame ? 0 : 1));
      if (depth > 1 && i > 1 && word[i - 2] === character && word[i - 1] === before)
        edits = Math.min(edits, this.#rows[depth - 2]![i - 2]! + 1);
      row[i] = edits;
      if (edits < least) least = edits;
    }
    return least;
  }

  /** The end of the words that have the same character at a position as the first of them. */
  #endOf(from: number, to: number, position: number, size: number): number {
    let [low, high] = [from + 1, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isAlike(from, middle, position, size)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isAlike(a: number, b: number, position: number, size: number): boolean {
    const vocabulary = this.#vocabulary;
    for (let i = position; i < position + size; i++) {
      if (vocabulary.byteOf(a, i) !== vocabulary.byteOf(b, i)) return false;
    }
    return true;
  }

  #characterOf(word: number, position: number, size: number): number {
    let character = this.#vocabulary.byteOf(word, position);
    if (size > 1) character &= 0x7f >> size;
    for (let i = 1; i < size; i++)
      character = (character << 6) | (this.#vocabulary.byteOf(word, position + i) & 0x3f);
    return character;
  }
}

function mostCommonOf(vocabulary: Vocabulary, { from, to }: WordRange): number {
  let best = from;
  let most = 0;
  for (let word = from; word < to; word++) {
    const foods = vocabulary.foodsOf({ from: word, to: word + 1 });
    if (foods > most) [best, most] = [word, foods];
  }
  return best;
}

/** A character without its accents. */
const baseOf = (character: number): number =>
  character < 0xc0 ? character : String.fromCodePoint(character).normalize('NFD').codePointAt(0)!;

/** Bytes of the character of UTF-8 that begins with a byte. */
const sizeOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);
