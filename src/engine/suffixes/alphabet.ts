/**
 * The bytes of the index: folded UTF-8, renumbered so that the bytes that can follow a match are in order. First the
 * end of a description and what ends a segment of it, then what ends a word, then what continues it:
 *
 *     END  ,  ;  |  other characters between words  |  characters of words
 *
 * Suffixes are sorted by these symbols, so all places where a text ends a segment, or a word, are consecutive. A separator
 * whose first byte letters have, too (`、` and `か`), has a symbol of its own for this byte.
 */

import { putUtf8, utf8 } from '#core';

/** Ends each description. UTF-8 never has the byte 0xff, so no text that is searched for contains it. */
export const END = 0;
const END_BYTE = 0xff;

/** Commas and semicolons, and the full stops of scripts in which they end no abbreviation. */
export const SEGMENT_ENDS =
  ',;\u060c\u061b\u06d4\u0964\u0965\u104a\u104b\u1362\u1363\u1364\u17d4\u3001\u3002\uff0c\uff1b\uff61\uff64';

/** What separates words from U+00C0 on, beside U+2000 to U+2FFF: the first and the last character of each range. */
const RANGES =
  '\u060c\u060c\u061b\u061b\u061f\u061f\u06d4\u06d4\u0964\u0965\u104a\u104b\u1361\u1368\u17d4\u17d6' +
  '\u3000\u3004\u3008\u3020\u30fb\u30fb\uff01\uff0f\uff1a\uff20\uff3b\uff40\uff5b\uff65';
const separators = new Set<number>();
for (let i = 0; i < RANGES.length; i += 2)
  for (let code = RANGES.charCodeAt(i); code <= RANGES.charCodeAt(i + 1); code++) separators.add(code);

/** Whether a folded character (a UTF-16 code unit) belongs to a word: letters and digits of any script. */
export function isWordCharacter(code: number): boolean {
  if (code < 0xc0) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return (code < 0x2000 || code > 0x2fff) && !separators.has(code);
}

/** Bytes that UTF-8 never has, one for each first byte of separators, and of those that end a segment. */
const SPARE_BYTES = [0xc0, 0xc1, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc];
const FIRST_WITH_SPARE = 0xd8;
/** By a spare byte, in their order: the first byte that it stands for, as a segment ends there or not. */
const stands: { readonly first: number; readonly endsSegment: boolean }[] = [];
/** By the bytes of a separator. */
const spareOf = new Map<number, number>();
for (const code of separators) {
  const bytes = utf8(String.fromCharCode(code));
  const first = bytes[0]!;
  const endsSegment = SEGMENT_ENDS.includes(String.fromCharCode(code));
  let spare = stands.findIndex((each) => each.first === first && each.endsSegment === endsSegment);
  if (spare < 0) spare = stands.push({ first, endsSegment }) - 1;
  spareOf.set(keyAt(bytes, 0), SPARE_BYTES[spare]!);
}

/** The bytes of a character that has two or three, as a number. */
function keyAt(text: Uint8Array, at: number): number {
  const first = text[at]!;
  return (first << 16) | (text[at + 1]! << 8) | (first < 0xe0 ? 0 : text[at + 2]!);
}

/** Whether a byte is a part of words. Beyond ASCII it is the first one that shows, and 0xc2 and 0xe2 only separators have. */
function isWordByte(byte: number): boolean {
  if (SPARE_BYTES.includes(byte)) return false;
  return byte < 0x80 ? isWordCharacter(byte) : byte !== 0xc2 && byte !== 0xe2;
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
const segmentEnds = [...utf8(',;'), ...SPARE_BYTES.filter((_, spare) => stands[spare]!.endsSegment)];
const betweenWords = bytes.filter((byte) => !isWordByte(byte) && !segmentEnds.includes(byte));
const ofWords = bytes.filter((byte) => isWordByte(byte) && byte !== END_BYTE);

/** From this symbol on, what follows a match does not end a segment. */
export const FIRST_BETWEEN_WORDS = 1 + segmentEnds.length;

/** From this symbol on, what follows a match continues the word. */
export const FIRST_OF_WORDS = FIRST_BETWEEN_WORDS + betweenWords.length;

const order = [END_BYTE, ...segmentEnds, ...betweenWords, ...ofWords];

export const SYMBOL_OF: Readonly<Uint8Array> = new Uint8Array(256);
for (const [symbol, byte] of order.entries()) (SYMBOL_OF as Uint8Array)[byte] = symbol;

/** The byte of UTF-8 of each symbol. */
export const BYTE_OF: Readonly<Uint8Array> = Uint8Array.from(order, (byte) => {
  const spare = SPARE_BYTES.indexOf(byte);
  return spare < 0 ? byte : stands[spare]!.first;
});

/** Whether a symbol is the first one of a character. */
export const beginsCharacter = (symbol: number): boolean =>
  symbol !== END && (BYTE_OF[symbol]! < 0x80 || BYTE_OF[symbol]! >= 0xc0);

/** The UTF-8 of a folded text as symbols of the index. */
export const symbolsOf = (folded: string): Uint8Array => toSymbols(utf8(folded));

/** Writes the symbols of a description and its END from a position on. Returns the position after them. */
export function putSymbols(folded: string, corpus: Uint8Array, at: number): number {
  let end = at;
  // Most are ASCII, for which the encoder takes several times as long.
  for (; end - at < folded.length; end++) {
    const unit = folded.charCodeAt(end - at);
    if (unit >= 0x80) {
      end = putUtf8(folded, corpus, at);
      toSymbols(corpus.subarray(at, end));
      break;
    }
    corpus[end] = SYMBOL_OF[unit]!;
  }
  corpus[end] = END;
  return end + 1;
}

/** Turns UTF-8 into symbols, in place. */
function toSymbols(text: Uint8Array): Uint8Array {
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]!;
    const spare = byte < FIRST_WITH_SPARE ? undefined : spareOf.get(keyAt(text, i));
    text[i] = SYMBOL_OF[spare ?? byte]!;
  }
  return text;
}
