/**
 * Finds words of nearly the same spelling. The sorted vocabulary is a tree of prefixes; the search enters only branches that
 * can still be near enough. An edit is an added, a missing or a wrong letter (`lettersOf`), or two adjacent letters swapped
 * (optimal string alignment; Damerau, 1964; Levenshtein, 1965). A missing accent is not an edit.
 *
 * A library that compares two words at a time reads the whole vocabulary for each word (`docs/design.md` has the figures).
 */
import { firstWhere } from '#core';
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** From this many letters on, a word may have one edit, or two. */
const [ONE_EDIT, TWO_EDITS] = [4, 8];

/** Longer words are not corrected; real ones are shorter. */
const MOST_LETTERS = 32;

/** Shorter words are not corrected, and do not replace others. */
const LEAST_LETTERS = 3;

/** For each word, this many are tried, best first. */
const MOST_CORRECTIONS = 4;

/*
 * What counts against a candidate, in doublings of its foods: a word that 32 times as many foods have makes up for a wrong
 * first letter.
 */
const EDIT = 10;
const OTHER_FIRST = 5;
const BEGUN = 3;

/** The characters that a search may still compare. It counts steps, not time, so every machine gives the same answer. */
export interface Effort {
  left: number;
}

/** Words that may be meant: one, or those with a beginning, of which the most common one is meant. */
interface Correction {
  readonly words: WordRange;
  /** Lower is better. */
  readonly cost: number;
}

/** The number of edits that a word may have. */
function editsOf(letters: number): number {
  if (letters < ONE_EDIT) return 0;
  return letters < TWO_EDITS ? 1 : 2;
}

/**
 * The best words near a folded one: few edits before many, the same first letter before another one, common words before rare
 * ones. None if that takes more than is left of the effort, of which each character compared takes one.
 * @param isUnfinished whether more of the word may follow, so that its beginning may be corrected, too
 */
export function corrections(
  vocabulary: Vocabulary,
  word: string,
  isUnfinished: boolean,
  effort: Effort,
): string[] {
  if (word.length > 2 * MOST_LETTERS) return [];
  const letters = Array.from(word, (character) => lettersOf(character.codePointAt(0)!)).flat();
  if (letters.length < LEAST_LETTERS || letters.length > MOST_LETTERS) return [];
  const walk = new Walk(vocabulary, letters, isUnfinished, effort);
  walk.enter({ from: 0, to: vocabulary.size }, 0, 0, false);
  if (effort.left < 0) return [];
  walk.found.sort((a, b) => a.cost - b.cost || a.words.from - b.words.from || a.words.to - b.words.to);
  const best = new Set<string>();
  for (const { words } of walk.found) {
    best.add(vocabulary.textOf(mostCommonOf(vocabulary, words)));
    if (best.size === MOST_CORRECTIONS) break;
  }
  return [...best];
}

/** In fewer words, looking at each takes no longer. */
const FEW_WORDS = 8;

const FIRST_BEYOND_ASCII = 0x80;
const FIRST_BEYOND_LATIN = 0x280;

/** Whether characters of UTF-8 that begin with a byte are not Latin: those with 0xe1 are Vietnamese, too. */
const isBeyondLatin = (byte: number): boolean => byte >= 0xca && byte !== 0xe1;

class Walk {
  readonly found: Correction[] = [];
  readonly #most: number;
  readonly #vocabulary: Vocabulary;
  readonly #word: readonly number[];
  /** No letter of another script is typed for one of these. */
  readonly #isLatin: boolean;
  readonly #isUnfinished: boolean;
  readonly #effort: Effort;
  /**
   * The letters of the branch, and for each depth the edits between the branch and each prefix of the word. Prefixes whose
   * length differs from the depth by more than the edits that the word may have always need more.
   */
  readonly #branch: number[] = [];
  readonly #rows: Uint8Array[] = [];

  constructor(vocabulary: Vocabulary, word: readonly number[], isUnfinished: boolean, effort: Effort) {
    this.#vocabulary = vocabulary;
    this.#word = word;
    this.#isLatin = word.every((letter) => letter < FIRST_BEYOND_LATIN);
    this.#isUnfinished = isUnfinished;
    this.#effort = effort;
    this.#most = editsOf(word.length);
    for (let depth = 0; depth <= word.length + this.#most; depth++) {
      const row = new Uint8Array(word.length + 1).fill(this.#most + 1);
      row[0] = depth;
      this.#rows.push(row);
    }
    for (let i = 0; i <= word.length; i++) this.#rows[0]![i] = i;
  }

  /**
   * Enters the words of a range, whose first `depth` letters, of `bytes` bytes, are the same.
   * @param isExact whether no edit is left, so that only few letters can follow
   */
  enter({ from, to }: WordRange, depth: number, bytes: number, isExact: boolean): void {
    const vocabulary = this.#vocabulary;
    let at = from;
    if (at < to && vocabulary.lengthOf(at) === bytes) {
      this.#take(depth, { from: at, to: at + 1 }, 0);
      at++;
    }
    if (depth > 0 && this.#isUnfinished && at < to) this.#take(depth, { from, to }, BEGUN);
    if (isExact && to - at > FEW_WORDS) {
      for (const letter of this.#nextLetters(depth)) {
        at = this.#firstFrom(letter, at, to, bytes);
        if (at < to && vocabulary.byteOf(at, bytes) === letter) at = this.#enterBranch(at, to, depth, bytes);
      }
      at = this.#firstFrom(FIRST_BEYOND_ASCII, at, to, bytes);
    }
    while (at < to) at = this.#enterBranch(at, to, depth, bytes);
  }

  /** Enters the words that continue as the first of a range, if they can be near enough; returns their end. */
  #enterBranch(from: number, to: number, depth: number, bytes: number): number {
    if (--this.#effort.left < 0) return to;
    const byte = this.#vocabulary.byteOf(from, bytes);
    if (this.#isLatin && isBeyondLatin(byte)) return this.#firstFrom(byte + 1, from, to, bytes);
    const size = sizeOf(byte);
    const end = this.#endOf(from, to, bytes, size);
    const letters = knownLettersOf(this.#characterOf(from, bytes, size));
    const least = this.#extend(depth, letters);
    const isExact = least === this.#most;
    if (least <= this.#most) this.enter({ from, to: end }, depth + letters.length, bytes + size, isExact);
    return end;
  }

  /** The letters of ASCII, ascending, that can follow the branch without another edit. */
  #nextLetters(depth: number): number[] {
    const letters: number[] = [];
    const word = this.#word;
    const row = this.#rows[depth]!;
    const above = this.#rows[depth - 1]!;
    const before = this.#branch[depth - 1]!;
    const last = Math.min(word.length - 1, depth + this.#most);
    for (let i = Math.max(0, depth - 1 - this.#most); i <= last; i++) {
      // Two letters swapped, of which the branch has the first one.
      const isSwapped = above[i]! < this.#most && i < word.length - 1 && word[i + 1] === before;
      if ((row[i]! > this.#most && !isSwapped) || word[i]! >= FIRST_BEYOND_ASCII) continue;
      // Put in order at once: a set, and sorting it, take longer.
      const letter = word[i]!;
      let at = letters.length;
      while (at > 0 && letters[at - 1]! > letter) at--;
      if (at > 0 && letters[at - 1] === letter) continue;
      letters.push(letter);
      for (let k = letters.length - 1; k > at; k--) letters[k] = letters[k - 1]!;
      letters[at] = letter;
    }
    return letters;
  }

  /** The first word of a range whose byte at a position is not below this one. */
  #firstFrom(byte: number, from: number, to: number, position: number): number {
    return firstWhere(from, to, (word) => this.#vocabulary.byteOf(word, position) >= byte);
  }

  /** Adds the branch as a candidate if it is near enough. */
  #take(depth: number, words: WordRange, extra: number): void {
    const edits = this.#rows[depth]![this.#word.length]!;
    if (edits > this.#most || depth < LEAST_LETTERS) return;
    const first = this.#branch[0] === this.#word[0] ? 0 : OTHER_FIRST;
    const cost = EDIT * edits + first + extra - Math.log2(this.#vocabulary.foodsOf(words));
    this.found.push({ words, cost });
  }

  /** Extends the branch by letters, and returns the least number of edits that it has then; above `most` if it is too far. */
  #extend(depth: number, letters: readonly number[]): number {
    let least = depth + letters.length < this.#rows.length ? 0 : this.#most + 1;
    for (let i = 0; i < letters.length && least <= this.#most; i++) {
      this.#branch[depth + i] = letters[i]!;
      least = this.#fillRow(depth + i + 1);
    }
    return least;
  }

  /** Fills the row of a depth from those above it, and returns its least number. */
  #fillRow(depth: number): number {
    const word = this.#word;
    const row = this.#rows[depth]!;
    const above = this.#rows[depth - 1]!;
    const letter = this.#branch[depth - 1]!;
    const before = this.#branch[depth - 2];
    const from = Math.max(1, depth - this.#most);
    const to = Math.min(word.length, depth + this.#most);
    let least = row[from - 1]!;
    for (let i = from; i <= to; i++) {
      const isSame = word[i - 1] === letter;
      let edits = Math.min(above[i]! + 1, row[i - 1]! + 1, above[i - 1]! + (isSame ? 0 : 1));
      if (depth > 1 && i > 1 && word[i - 2] === letter && word[i - 1] === before)
        edits = Math.min(edits, this.#rows[depth - 2]![i - 2]! + 1);
      row[i] = edits;
      if (edits < least) least = edits;
    }
    return least;
  }

  /** The end of the words that have the same character at a position as the first of them: mostly a few, so the steps grow. */
  #endOf(from: number, to: number, position: number, size: number): number {
    let low = from + 1;
    let high = low;
    for (let step = 1; high < to && this.#isAlike(from, high, position, size); step *= 2) {
      low = high + 1;
      high = Math.min(to, low + step);
    }
    // With `firstWhere`, a search with corrections takes 6 % longer.
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

/** Bytes of the character of UTF-8 that begins with a byte. */
const sizeOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4);

/** Letters that Unicode does not divide, and what people write who cannot type them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', ß: 'ss', þ: 'th' },
  ...{ ø: 'o', ð: 'd', đ: 'd', ł: 'l', ı: 'i' },
};

/** They only modify a letter, and are often left out: accents, which Latin, Greek and Cyrillic take, and Arabic hamza and madda. */
const ACCENTS = /[\u0300-\u036f\u0653-\u0655]/gu;

const FIRST_SYLLABLE = 0xac00;
const FIRST_VOWEL = 'ㅏ'.codePointAt(0)!;
const VOWELS = 21;

/** A consonant is the same letter before and after the vowel, so that "바브" is "밥" with one letter more. */
const INITIALS = codesOf('ㄱ ㄲ ㄴ ㄷ ㄸ ㄹ ㅁ ㅂ ㅃ ㅅ ㅆ ㅇ ㅈ ㅉ ㅊ ㅋ ㅌ ㅍ ㅎ');
const FINALS = codesOf(
  ' ㄱ ㄲ ㄱㅅ ㄴ ㄴㅈ ㄴㅎ ㄷ ㄹ ㄹㄱ ㄹㅁ ㄹㅂ ㄹㅅ ㄹㅌ ㄹㅍ ㄹㅎ ㅁ ㅂ ㅂㅅ ㅅ ㅆ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ',
);
const SYLLABLES = INITIALS.length * VOWELS * FINALS.length;

function codesOf(letters: string): number[][] {
  return letters.split(' ').map((some) => Array.from(some, (letter) => letter.codePointAt(0)!));
}

/** Those of the characters of vocabularies, which every search for corrections meets again. */
const known = new Map<number, readonly number[]>();

function knownLettersOf(character: number): readonly number[] {
  if (!known.has(character)) known.set(character, lettersOf(character));
  return known.get(character)!;
}

/**
 * The letters of a character, as code points; none for an accent by itself. A vowel sign of Devanagari or Thai counts like any
 * letter, and a Hangul syllable is two to four letters ("닭" is ㄷㅏㄹㄱ).
 */
function lettersOf(character: number): readonly number[] {
  if (character < 0xc0) return [character];
  const syllable = character - FIRST_SYLLABLE;
  if (syllable >= 0 && syllable < SYLLABLES) {
    const rest = Math.floor(syllable / FINALS.length);
    const vowel = FIRST_VOWEL + (rest % VOWELS);
    return [...INITIALS[Math.floor(rest / VOWELS)]!, vowel, ...FINALS[syllable % FINALS.length]!];
  }
  // In normal form C again: a letter of another script stays whole, such as Japanese が.
  const letter = String.fromCodePoint(character).normalize('NFD').replace(ACCENTS, '').normalize('NFC');
  const plain = PLAIN_LETTERS[letter] ?? letter;
  return Array.from(plain, (letter) => letter.codePointAt(0)!);
}
