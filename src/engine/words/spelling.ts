/**
 * Finds words of nearly the same spelling. The sorted vocabulary is a tree of prefixes; the search enters only branches that
 * can still be near enough. An edit is an added, a missing or a wrong letter (`lettersOf`), or two adjacent letters swapped
 * (optimal string alignment; Damerau, 1964; Levenshtein, 1965). A missing accent is not an edit.
 *
 * A library that compares two words at a time reads the whole vocabulary for each word (`docs/design.md` has the figures).
 */
import { editsOf } from '#core';
import { FIRST_WITH_LETTERS, knownLettersOf, lettersOf } from './letters.ts';
import { utf8SizeOf } from './spelling-tree.ts';
import type { Vocabulary, WordRange } from './vocabulary.ts';

/** Sets of states: with no edit, one, or two. */
const SETS = 3;

/** Longer words are not corrected; real ones are shorter. A set of states has a bit more. */
const MOST_LETTERS = 31;

/** Shorter words are not corrected, and do not replace others. */
const LEAST_LETTERS = 3;

/** For each word, this many are tried, best first. */
const MOST_CORRECTIONS = 4;

/** Up to so many letters, only slips of the fingers are corrected: "soap" is no soup, and "mask" no masa. */
const SHORT = 4;

/* What counts against a candidate, in doublings of its foods: the first letters swapped, as much as a word that 32 times as many have. */
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

/**
 * The best words near a folded one: few edits before many, the same first letter before swapped ones, common words before rare
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
  walk.enter(0, vocabulary.size, 0, 0);
  if (effort.left < 0) return [];
  walk.found.sort((a, b) => a.cost - b.cost || a.words.from - b.words.from || a.words.to - b.words.to);
  const best = new Set<string>();
  for (const { words } of walk.found) {
    best.add(vocabulary.textOf(mostCommonOf(vocabulary, words)));
    if (best.size === MOST_CORRECTIONS) break;
  }
  return [...best];
}

const FIRST_BEYOND_LATIN = 0x280;

/** Whether a character is of another script: those of Vietnamese are among these, too. */
const isBeyondLatin = (character: number): boolean =>
  character >= FIRST_BEYOND_LATIN && (character < 0x1000 || character >= 0x2000);

/** All places: of a branch that an edit is left for. */
const ANY_PLACE = -1;

/** In place of the depth of a branch that needs more edits than the word may have. */
const TOO_FAR = -1;

/**
 * The letters of a branch of the tree are the input of an automaton (Wu and Manber, 1992): for each number of edits it has a set of
 * states, of which state i means that the branch may be what was typed as the first i letters of the word. Sets are bits of a number.
 */
class Walk {
  readonly found: Correction[] = [];
  readonly #most: number;
  readonly #vocabulary: Vocabulary;
  readonly #word: readonly number[];
  /** For each letter the states from which it leads on, as it is the next one of the word: of the Latin ones, and of others. */
  readonly #latin = new Int32Array(FIRST_BEYOND_LATIN);
  readonly #others = new Map<number, number>();
  /** All states. */
  readonly #all: number;
  /** No letter of another script is typed for one of these. */
  readonly #isLatin: boolean;
  readonly #isUnfinished: boolean;
  readonly #effort: Effort;
  /** The letters of the branch, and for each depth the states with no edit, with at most one, and with at most two. */
  readonly #branch: number[] = [];
  readonly #states: Int32Array;

  constructor(vocabulary: Vocabulary, word: readonly number[], isUnfinished: boolean, effort: Effort) {
    this.#vocabulary = vocabulary;
    this.#word = word;
    for (const [i, letter] of word.entries()) {
      if (letter < FIRST_BEYOND_LATIN) this.#latin[letter]! |= 1 << i;
      else this.#others.set(letter, this.#placesOf(letter) | (1 << i));
    }
    this.#all = -1 >>> (MOST_LETTERS - word.length);
    this.#isLatin = word.every((letter) => letter < FIRST_BEYOND_LATIN);
    this.#isUnfinished = isUnfinished;
    this.#effort = effort;
    this.#most = editsOf(word.length);
    this.#states = new Int32Array(SETS * (word.length + this.#most + 1));
    // The first letters of the word may be missing.
    this.#states.set([0b1, 0b11, 0b111].slice(0, this.#most + 1));
  }

  /** Enters the children of a node, whose words end at `end`, behind a branch of this many letters and bytes. */
  enter(parent: number, end: number, depth: number, bytes: number): void {
    const { characters, children, words } = this.#vocabulary.tree;
    const next = this.#nextPlaces(depth);
    const to = children[parent + 1]!;
    for (let node = children[parent]!; node < to; node++) {
      const character = characters[node]!;
      if (character < FIRST_WITH_LETTERS) {
        if (next !== ANY_PLACE && (this.#latin[character]! & next) === 0) continue;
      } else if (this.#isLatin && isBeyondLatin(character)) continue;
      const below = this.#extend(depth, character);
      if (below === TOO_FAR) continue;
      const from = words[node]!;
      const last = node + 1 < to ? words[node + 1]! : end;
      const size = bytes + utf8SizeOf(character);
      if (last - from === 1) this.#readRest(from, below, size);
      else {
        if (this.#vocabulary.lengthOf(from) === size) this.#take(below, { from, to: from + 1 }, 0);
        if (this.#isUnfinished) this.#take(below, { from, to: last }, BEGUN);
        this.enter(node, last, below, size);
      }
    }
  }

  /** Reads what a single word has behind the branch. */
  #readRest(word: number, depth: number, bytes: number): void {
    const vocabulary = this.#vocabulary;
    const words = { from: word, to: word + 1 };
    const end = vocabulary.lengthOf(word);
    while (bytes < end) {
      if (this.#isUnfinished) this.#take(depth, words, BEGUN);
      const character = vocabulary.characterOf(word, bytes);
      depth = this.#extend(depth, character);
      if (depth === TOO_FAR) return;
      bytes += utf8SizeOf(character);
    }
    this.#take(depth, words, 0);
  }

  /** Adds the branch as a candidate if it is near enough. */
  #take(depth: number, words: WordRange, extra: number): void {
    if (depth < LEAST_LETTERS || !this.#isLikely(depth)) return;
    const last = this.#word.length;
    let edits = 0;
    while (edits < SETS && ((this.#states[SETS * depth + edits]! >>> last) & 1) === 0) edits++;
    if (edits === SETS) return;
    const first = this.#branch[0] === this.#word[0] ? 0 : OTHER_FIRST;
    const cost = EDIT * edits + first + extra - Math.log2(this.#vocabulary.foodsOf(words));
    this.found.push({ words, cost });
  }

  /** Whether a typist may have meant a branch of this depth, which is near enough: the first letter is rarely wrong. */
  #isLikely(depth: number): boolean {
    const [word, branch] = [this.#word, this.#branch];
    const isSwapped = (i: number): boolean => branch[i] === word[i + 1] && branch[i + 1] === word[i];
    if (branch[0] !== word[0] && !isSwapped(0)) return false;
    if (word.length > SHORT) return true;
    // A letter is missing, doubled, or in the place of its neighbour.
    const i = word.findIndex((letter, at) => letter !== branch[at]);
    if (i < 0 || depth > word.length) return true;
    return depth < word.length ? word[i] === word[i - 1] : isSwapped(i);
  }

  /** Extends the branch by the letters of a character, and returns its depth then. */
  #extend(depth: number, character: number): number {
    if (--this.#effort.left < 0) return TOO_FAR;
    if (character < FIRST_WITH_LETTERS) return this.#extendBy(depth, character);
    for (const letter of knownLettersOf(character)) {
      depth = this.#extendBy(depth, letter);
      if (depth === TOO_FAR) break;
    }
    return depth;
  }

  #extendBy(depth: number, letter: number): number {
    const states = this.#states;
    const most = this.#most;
    const to = SETS * (depth + 1);
    if (to === states.length) return TOO_FAR;
    const at = to - SETS;
    const none = states[at]!;
    const one = states[at + 1]!;
    const two = states[at + 2]!;
    const here = this.#placesOf(letter);
    // Two letters swapped, of which the branch had the second one before.
    const swapped = depth === 0 ? 0 : here & (this.#placesOf(this.#branch[depth - 1]!) >>> 1);
    // The letter is the next one; or it is one too many, stands for the next one or swapped two; or others are missing behind it.
    const noneNow = (none & here) << 1;
    let oneNow = 0;
    let twoNow = 0;
    if (most > 0) {
      oneNow = ((one & here) << 1) | none | (none << 1) | (noneNow << 1);
      if (swapped !== 0) oneNow |= (states[at - SETS]! & swapped) << 2;
    }
    if (most > 1) {
      twoNow = ((two & here) << 1) | one | (one << 1) | (oneNow << 1);
      if (swapped !== 0) twoNow |= (states[at - SETS + 1]! & swapped) << 2;
    }
    states[to] = noneNow;
    states[to + 1] = oneNow & this.#all;
    states[to + 2] = twoNow & this.#all;
    this.#branch[depth] = letter;
    return ((noneNow | oneNow | twoNow) & this.#all) === 0 ? TOO_FAR : depth + 1;
  }

  /** The places in the word of which a letter behind a branch of this depth must have one, if no edit is left; else all. */
  #nextPlaces(depth: number): number {
    const states = this.#states;
    const most = this.#most;
    const at = SETS * depth;
    if (most > 0 && states[at + most - 1] !== 0) return ANY_PLACE;
    const swapped =
      depth === 0 || most === 0
        ? 0
        : states[at - SETS + most - 1]! & (this.#placesOf(this.#branch[depth - 1]!) >>> 1);
    return states[at + most]! | swapped;
  }

  #placesOf(letter: number): number {
    return letter < FIRST_BEYOND_LATIN ? this.#latin[letter]! : (this.#others.get(letter) ?? 0);
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
