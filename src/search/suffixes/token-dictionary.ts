/**
 * The distinct tokens of a corpus in the order of their symbols, and all their ends in that order.
 *
 * A suffix of the corpus is the end of a token and the tokens after it. So two suffixes have the order of these ends, and
 * if these are equal, that of the tokens after them. No end is the beginning of another one: the symbol after a
 * token is of a word, where any longer one has a symbol between words.
 * Example: of "egg, ", "eggs, " and "raw|" the ends are, in order, ", " and "s, " of two and one token, and so on.
 */
import { END } from './alphabet.ts';
import { suffixArray } from './suffix-array.ts';
import { KIND_ROW } from './token-kinds.ts';

/** Follows each token; above all symbols between words. */
const MARK = 255;

export interface TokenDictionary {
  /** For each kind of token its rank among all distinct tokens; kinds that differ only in their word have the same. */
  readonly rankOf: Int32Array;
  readonly ranks: number;
  /** The ends of kind k are [firstEnds[k], firstEnds[k + 1]): from the whole token on, without an END that stands alone. */
  readonly firstEnds: Int32Array;
  /** For each end its group: its rank among all distinct ends. */
  readonly groupOf: Int32Array;
  readonly groups: number;
  /** For each kind the offset of a word in it, or NO_WORD. */
  readonly words: Int32Array;
}

/** @param rows of `TokenKinds` */
export function tokenDictionary(
  corpus: Uint8Array,
  rows: Int32Array,
  allocate: (bytes: number) => ArrayBufferLike,
): TokenDictionary {
  const size = rows.length / KIND_ROW;
  const starts = new Int32Array(size + 1);
  for (let kind = 0; kind < size; kind++) starts[kind + 1] = starts[kind]! + rows[KIND_ROW * kind + 1]! + 1;
  const length = starts[size]!;
  const text = new Uint8Array(length).fill(MARK);
  for (let kind = 0; kind < size; kind++) {
    const position = rows[KIND_ROW * kind]!;
    text.set(corpus.subarray(position, position + rows[KIND_ROW * kind + 1]!), starts[kind]!);
  }
  const { groupAt, groups } = groupEnds(text);
  const rankAt = new Int32Array(groups);
  for (let kind = 0; kind < size; kind++) rankAt[groupAt[starts[kind]!]!] = 1;
  let ranks = 0;
  for (let group = 0; group < groups; group++) if (rankAt[group] === 1) rankAt[group] = ranks++;
  const rankOf = Int32Array.from({ length: size }, (_, kind) => rankAt[groupAt[starts[kind]!]!]!);
  const words = new Int32Array(size);
  const firstEnds = new Int32Array(size + 1);
  const groupOf = new Int32Array(allocate(4 * length));
  let end = 0;
  for (let kind = 0; kind < size; kind++) {
    words[kind] = rows[KIND_ROW * kind + 2]!;
    for (let at = starts[kind]!; at < starts[kind + 1]! - 1; at++)
      if (text[at] !== END) groupOf[end++] = groupAt[at]!;
    firstEnds[kind + 1] = end;
  }
  return { rankOf, ranks, firstEnds, groupOf, groups, words };
}

/**
 * The group of the end of a token that begins at each position of the dictionary. The comparisons are as many as its symbols: the
 * end behind a symbol has at least one less in common with the one before it in the order (Kärkkäinen, Manzini & Puglisi, 2009).
 */
function groupEnds(text: Uint8Array): { groupAt: Int32Array; groups: number } {
  const sorted = suffixArray(text);
  const before = new Int32Array(text.length);
  for (let i = 0; i < sorted.length; i++) before[sorted[i]!] = i === 0 ? -1 : sorted[i - 1]!;
  const isNew = new Uint8Array(text.length);
  let same = 0;
  for (let at = 0; at < text.length; at++) {
    while (text[at + same] === text[before[at]! + same] && text[at + same] !== MARK) same++;
    if (text[at + same] !== text[before[at]! + same]) isNew[at] = 1;
    if (same > 0) same--;
  }
  // No longer needed: its memory is used again.
  const groupAt = before;
  let groups = 0;
  for (const at of sorted) {
    if (text[at] === MARK) break;
    groups += isNew[at]!;
    groupAt[at] = groups - 1;
  }
  return { groupAt, groups };
}
