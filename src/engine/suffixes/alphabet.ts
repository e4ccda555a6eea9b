/**
 * The bytes of the index: folded UTF-8, renumbered so that the bytes that can follow a match are in order. First the
 * end of a description and what ends a segment of it, then what ends a word, then what continues it:
 *
 *     END  ,  ;  |  other characters between words  |  characters of words
 *
 * Suffixes are sorted by these symbols, so all places where a text ends a segment, or a word, are consecutive.
 */

import { utf8 } from '#core';

/** Ends each description. UTF-8 never has the byte 0xff, so no text that is searched for contains it. */
export const END = 0;
const END_BYTE = 0xff;

const SEGMENT_ENDS = [',', ';'].map((character) => character.charCodeAt(0));

/**
 * Whether a folded character (a UTF-16 code unit) belongs to a word: letters and digits of any script. All
 * others are in ranges that the first byte of UTF-8 shows: ASCII, U+0080 to U+00BF, U+2000 to U+2FFF.
 */
export function isWordCharacter(code: number): boolean {
  if (code < 0xc0) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return code < 0x2000 || code > 0x2fff;
}

function isWordByte(byte: number): boolean {
  return byte < 0x80 ? isWordCharacter(byte) : byte !== 0xc2 && byte !== 0xe2;
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
const betweenWords = bytes.filter((byte) => !isWordByte(byte) && !SEGMENT_ENDS.includes(byte));
const ofWords = bytes.filter((byte) => isWordByte(byte) && byte !== END_BYTE);

/** From this symbol on, what follows a match does not end a segment. */
export const FIRST_BETWEEN_WORDS = 1 + SEGMENT_ENDS.length;

/** From this symbol on, what follows a match continues the word. */
export const FIRST_OF_WORDS = FIRST_BETWEEN_WORDS + betweenWords.length;

export const BYTE_OF: Readonly<Uint8Array> = Uint8Array.of(
  END_BYTE,
  ...SEGMENT_ENDS,
  ...betweenWords,
  ...ofWords,
);

export const SYMBOL_OF: Readonly<Uint8Array> = new Uint8Array(256);
for (const [symbol, byte] of BYTE_OF.entries()) (SYMBOL_OF as Uint8Array)[byte] = symbol;

/** The UTF-8 of a folded text as symbols of the index. */
export function symbolsOf(folded: string): Uint8Array {
  const symbols = utf8(folded);
  for (let i = 0; i < symbols.length; i++) symbols[i] = SYMBOL_OF[symbols[i]!]!;
  return symbols;
}
