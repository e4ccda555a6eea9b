/** Sizes of texts in UTF-8. */

/** The bytes of a text; one that is not well-formed counts as U+FFFD where a surrogate has no partner, as `TextEncoder` writes it. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A pair of surrogates takes four bytes.
    if (isHigh(unit) && isLow(text.charCodeAt(i + 1))) i++;
    bytes += unit < 0x800 ? 1 : 2;
  }
  return bytes;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
