/** UTF-8 of texts, with what browsers have, too. */

const encoder = new TextEncoder();
// Otherwise a text that begins with U+FEFF would lose it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a text. Most are short and ASCII, for which the encoder takes several times as long. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) return encoder.encode(text);
    bytes[i] = unit;
  }
  return bytes;
}

/** Writes the bytes of a text from a position on. Returns the position after them. */
export const putUtf8 = (text: string, bytes: Uint8Array, at: number): number =>
  at + encoder.encodeInto(text, bytes.subarray(at)).written;

/** The text of bytes [from, to). Copies them first, because browsers do not decode memory that threads share. */
export const textOfUtf8 = (bytes: Uint8Array, from = 0, to = bytes.length): string =>
  decoder.decode(bytes.slice(from, to));

/** Bytes of a text in UTF-8, or of a part of it. A lone surrogate counts as U+FFFD, which replaces it. */
export function utf8Length(text: string, from = 0, to = text.length): number {
  let bytes = to - from;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair of surrogates has four bytes, of which two are counted by now, and two units of length.
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
  }
  return bytes;
}

/** Converts positions in a text, requested in ascending order, to positions in its UTF-8. */
export function utf8Positions(text: string): (position: number) => number {
  if (utf8Length(text) === text.length) return (position) => position;
  let known = 0;
  let bytes = 0;
  return (position) => {
    bytes += utf8Length(text, known, position);
    known = position;
    return bytes;
  };
}

const SURROGATE = /[\ud800-\udfff]/;

/** Whether a text has characters of two UTF-16 code units, or halves of such. */
export const hasSurrogates = (text: string): boolean => SURROGATE.test(text);
