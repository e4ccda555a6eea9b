/**
 * Splits a description into words and segments, for the rules of the order (`ranking.ts`).
 *
 * Segments are separated by commas, as USDA writes names ("Fish, salmon, pink, raw"), by semicolons, brackets and dashes
 * between spaces. A name without any ("Organic whole milk 1L") is one segment. Text in brackets explains, and is not a
 * segment.
 */

import { FNV_OFFSET, fold, hashWith, TextKey } from '#core';
import { isWordCharacter, SEGMENT_ENDS } from '../suffixes/alphabet.ts';
import { BEGIN_ADDITIONS, DENIALS, DISHES, LINKS, NO_WORDS, SHELVES, type Span } from './kinds.ts';

export interface Segment extends Span {
  readonly firstWord: number;
}

export interface Word extends Span {
  /** Number of its segment, or IN_BRACKETS. */
  readonly segment: number;
  readonly begins: boolean;
  /** For a word in brackets, the number of the segment right before these: "Broadbeans (fava beans)". Else NO_SEGMENT. */
  readonly explains: number;
  /**
   * Whether it is the last word of its segment, except for a quantity ("Milk 2 pints"), or before a word that begins an
   * addition ("Soy sauce made from soy").
   */
  ends: boolean;
  /** Whether it is written in capitals, in a description that is not. */
  brand: boolean;
  /** The last link before it in its segment. */
  readonly link: string | undefined;
  /** Whether the food does not have it, because of a word before it in its segment: "without added salt". */
  readonly isDenied: boolean;
}

/** In brackets, or in the brand after the name. */
export const IN_BRACKETS = -1;
const NO_SEGMENT = -2;

export interface FoodName {
  readonly folded: string;
  /** Where the name ends in the folded description: at its end, or before the brand. */
  readonly end: number;
  readonly words: readonly Word[];
  readonly segments: readonly Segment[];
  /** The segment that names the food: the first that is not a shelf. */
  readonly front: number;
  readonly isDish: boolean;
}

/** After a number, they are a quantity, which is not part of the name. */
const UNITS: ReadonlySet<string> = new Set(
  'g,gr,kg,ml,cl,dl,l,ltr,litre,oz,fl,lb,lbs,pint,pints,ct,pk,pack,x'.split(','),
);

/** Consecutive letters that show whether a word is in capitals. */
const LETTERS_OF_A_CASE = 3;

/** Brackets of any script around what explains, commas that may stand in a number, and what ends a segment. */
const [OPENING, CLOSING, COMMA, ENDING] = [1, 2, 4, 8] as const;
/** By a UTF-16 code unit, which of these it is. */
const SEPARATORS = new Uint8Array(2 ** 16);
for (const [what, characters] of [
  [OPENING, '(\uff08\u3010\u3014\u3016'],
  [CLOSING, ')\uff09\u3011\u3015\u3017'],
  [COMMA, ',\u060c\uff0c'],
  [ENDING, SEGMENT_ENDS],
] as const)
  for (const character of characters) SEPARATORS[character.charCodeAt(0)]! |= what;
const SEGMENT_END = new RegExp(`[${SEGMENT_ENDS}]`);

export const textOf = (folded: string, span: Span): string => folded.slice(span.start, span.end);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isDash = (code: number): boolean => code === 45 || code === 0x2013 || code === 0x2014;

/** Whether a word continues after a character that is not part of words: "3.25", "baker's". */
function goesOn(folded: string, i: number, code: number): boolean {
  const next = folded.charCodeAt(i + 1);
  if (code === 46) return isDigit(folded.charCodeAt(i - 1)) && isDigit(next);
  const isApostrophe = code === 39 || code === 0x2019;
  return isApostrophe && next === 115 && !isWordCharacter(folded.charCodeAt(i + 2));
}

const isInWord = (folded: string, i: number): boolean => {
  const code = folded.charCodeAt(i);
  return isWordCharacter(code) || goesOn(folded, i, code);
};

/** Where the words of a name begin and end, alternating, for which {@link nameOf} would take several times as long. */
export function wordBoundsOf(folded: string): number[] {
  const bounds: number[] = [];
  for (let i = 0; i < folded.length; i++) {
    if (!isWordCharacter(folded.charCodeAt(i))) continue;
    bounds.push(i);
    while (i < folded.length && isInWord(folded, i)) i++;
    bounds.push(i);
  }
  return bounds;
}

export function wordTextsOf(folded: string): string[] {
  const bounds = wordBoundsOf(folded);
  const texts: string[] = [];
  for (let i = 0; i < bounds.length; i += 2) texts.push(folded.slice(bounds[i], bounds[i + 1]));
  return texts;
}

/**
 * The name of a food. @param description in normal form C
 * @param nameLength of the beginning of the description that a brand follows; 0 if all of it is the name
 */
export function nameOf(description: string, folded: string, nameLength = 0): FoodName {
  const end = nameLength === 0 ? folded.length : fold(description.slice(0, nameLength)).length;
  return new NameReader(description, folded, end).read();
}

class NameReader {
  readonly #description: string;
  readonly #folded: string;
  readonly #end: number;
  /** False if folding changed the length. */
  readonly #knowsCapitals: boolean;
  readonly #words: Word[] = [];
  readonly #segments: Segment[] = [];
  /** If everything is in capitals, capitals do not show a brand. */
  #isMixedCase = false;
  #isInBrackets = false;
  #explained = NO_SEGMENT;
  #firstWord = 0;

  constructor(description: string, folded: string, end: number) {
    this.#description = description;
    this.#folded = folded;
    this.#end = end;
    this.#knowsCapitals = description.length === folded.length;
  }

  read(): FoodName {
    const folded = this.#folded;
    for (let i = 0; i < folded.length; i++) {
      if (isWordCharacter(folded.charCodeAt(i))) i = this.#readWord(i);
      if (i < folded.length) this.#readSeparator(i);
      if (i >= this.#end && i < folded.length) {
        this.#isInBrackets = true;
        this.#explained = NO_SEGMENT;
      }
    }
    this.#closeSegment();
    if (!this.#isMixedCase) for (const word of this.#words) word.brand = false;
    const [words, segments] = [this.#words, this.#segments];
    let front = 0;
    while (front < segments.length - 1 && SHELVES.of(folded, segments[front]!)) front++;
    const isDish = segments.length > 1 && DISHES.of(folded, segments[0]!) === true;
    return { folded, end: this.#end, words, segments, front, isDish };
  }

  /** Reads the word at a position, and returns the position after it. */
  #readWord(start: number): number {
    const [folded, description, knowsCapitals] = [this.#folded, this.#description, this.#knowsCapitals];
    let hash = FNV_OFFSET;
    let capitals = 0;
    let small = 0;
    let brand = false;
    let i = start;
    for (; i < folded.length; i++) {
      const code = folded.charCodeAt(i);
      if (!isWordCharacter(code)) {
        if (!goesOn(folded, i, code)) break;
        capitals = small = 0;
      } else if (knowsCapitals && !isDigit(code)) {
        const isCapital = description.charCodeAt(i) !== code;
        capitals = isCapital ? capitals + 1 : 0;
        small = isCapital ? 0 : small + 1;
        if (capitals === LETTERS_OF_A_CASE) brand = true;
        if (small === LETTERS_OF_A_CASE) this.#isMixedCase = true;
      }
      hash = hashWith(hash, code);
    }
    const segment = this.#isInBrackets ? IN_BRACKETS : this.#segments.length;
    const begins = this.#words.length === this.#firstWord;
    const explains = this.#isInBrackets ? this.#explained : NO_SEGMENT;
    const span = { start, end: i, hash };
    const before = begins ? undefined : this.#words.at(-1);
    if (before && BEGIN_ADDITIONS.of(folded, span)) before.ends = true;
    const link = before && (LINKS.of(folded, before) ?? before.link);
    const isDenied = before !== undefined && (before.isDenied || DENIALS.of(folded, before) !== undefined);
    this.#words.push({ start, end: i, hash, segment, begins, explains, ends: false, brand, link, isDenied });
    return i;
  }

  #readSeparator(i: number): void {
    const folded = this.#folded;
    const code = folded.charCodeAt(i);
    if (code === 32) return;
    const before = folded.charCodeAt(i - 1);
    const after = folded.charCodeAt(i + 1);
    const what = SEPARATORS[code]!;
    const isOpening = (what & OPENING) !== 0;
    const isBracket = isOpening || (what & CLOSING) !== 0;
    const isDecimal = (what & COMMA) !== 0 && isDigit(before) && isDigit(after);
    const isSeparator = (what & ENDING) !== 0 && !isDecimal;
    const isSpacedDash = isDash(code) && before === 32 && after === 32;
    if (isSeparator || isBracket || isSpacedDash) this.#closeSegment();
    if (isBracket) this.#isInBrackets = isOpening;
    if (isOpening) this.#explained = this.#segments.length - 1;
  }

  #closeSegment(): void {
    const words = this.#words;
    const first = this.#firstWord;
    if (words.length === first) return;
    const last = this.#lastWithoutQuantity();
    words[last]!.ends = true;
    if (!this.#isInBrackets) {
      let hash = NO_WORDS;
      for (let i = first; i <= last; i++) hash = hashWith(hash, words[i]!.hash);
      this.#segments.push({ start: words[first]!.start, end: words[last]!.end, hash, firstWord: first });
    }
    this.#firstWord = words.length;
  }

  #lastWithoutQuantity(): number {
    const words = this.#words;
    const last = words.length - 1;
    const isNumber = (word: number): boolean =>
      word > this.#firstWord && isDigit(this.#folded.charCodeAt(words[word]!.start));
    if (isNumber(last)) return last - 1;
    return isNumber(last - 1) && UNITS.has(textOf(this.#folded, words[last]!)) ? last - 2 : last;
  }
}

/** Equal for names that differ only in case and blanks; a brand after the name does not count. */
export function keyOfName({ folded, end }: FoodName): TextKey {
  const key = new TextKey();
  let isAfterBlank = true;
  for (let i = 0; i < end; i++) {
    const code = folded.charCodeAt(i);
    const isBlank = code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
    if (isBlank && isAfterBlank) continue;
    isAfterBlank = isBlank;
    key.add(isBlank ? 32 : code);
  }
  // Every name gets a blank at the end, whether it has one or not.
  if (!isAfterBlank) key.add(32);
  return key;
}

/** Whether matches that begin at a word and end their segment are the whole description. */
export function isWholeDescription({ folded, words, segments }: FoodName, index: number): boolean {
  return (
    index === 0 &&
    segments.length === 1 &&
    words[0]!.start === 0 &&
    words.at(-1)!.end === folded.length &&
    !SEGMENT_END.test(folded)
  );
}
