/**
 * Defines when two texts are the same: Unicode normal form C, then lower case, code point by code point and without a
 * locale. Lower-casing a whole string would depend on neighbours: a final `Σ` becomes `ς`, so that a part of the text
 * would no longer be found in it. Accents stay: `creme` is not `crème`.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const normal = text.normalize('NFC');
  const lowered = normal.toLowerCase();
  // U+03A3 is the only character that Unicode lower-cases by its neighbours when no locale is given.
  return normal.includes('Σ') ? Array.from(normal, (point) => point.toLowerCase()).join('') : lowered;
}

export function composed(text: string): string {
  return isAscii(text) ? text : text.normalize('NFC');
}

/** Most texts are ASCII, and so in normal form already. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
