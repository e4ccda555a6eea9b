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

/** Comparisons of symbols for each symbol of the dictionary; only long similar tokens need more. */
const COMPARISONS = 16;

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

/** Undefined if the distinct tokens have more symbols than `limit`, or are too similar: then tokens gain nothing. */
export function tokenDictionary(
  corpus: Uint8Array,
  rows: Int32Array,
  limit: number,
): TokenDictionary | undefined {
  const size = rows.length / KIND_ROW;
  const starts = new Int32Array(size + 1);
  for (let kind = 0; kind < size; kind++) starts[kind + 1] = starts[kind]! + rows[KIND_ROW * kind + 1]! + 1;
  const length = starts[size]!;
  if (length > limit) return undefined;
  const text = new Uint8Array(length).fill(MARK);
  for (let kind = 0; kind < size; kind++) {
    const position = rows[KIND_ROW * kind]!;
    text.set(corpus.subarray(position, position + rows[KIND_ROW * kind + 1]!), starts[kind]!);
  }
  const found = groupEnds(text);
  if (found === undefined) return undefined;
  const { groupAt, groups } = found;
  const rankAt = new Int32Array(groups);
  for (let kind = 0; kind < size; kind++) rankAt[groupAt[starts[kind]!]!] = 1;
  let ranks = 0;
  for (let group = 0; group < groups; group++) if (rankAt[group] === 1) rankAt[group] = ranks++;
  const rankOf = Int32Array.from({ length: size }, (_, kind) => rankAt[groupAt[starts[kind]!]!]!);
  const words = new Int32Array(size);
  const firstEnds = new Int32Array(size + 1);
  const groupOf = new Int32Array(length);
  let end = 0;
  for (let kind = 0; kind < size; kind++) {
    words[kind] = rows[KIND_ROW * kind + 2]!;
    for (let at = starts[kind]!; at < starts[kind + 1]! - 1; at++)
      if (text[at] !== END) groupOf[end++] = groupAt[at]!;
    firstEnds[kind + 1] = end;
  }
  return { rankOf, ranks, firstEnds, groupOf: groupOf.slice(0, end), groups, words };
}

/** The group of the end of a token that begins at each position of the dictionary. */
function groupEnds(text: Uint8Array): { groupAt: Int32Array; groups: number } | undefined {
  const groupAt = new Int32Array(text.length);
  let comparisons = COMPARISONS * text.length;
  let groups = 0;
  let previous = -1;
  for (const at of suffixArray(text)) {
    if (text[at] === MARK) continue;
    let same = 0;
    while (text[at + same] === text[previous + same] && text[at + same] !== MARK) same++;
    comparisons -= same;
    if (comparisons < 0) return undefined;
    if (text[at + same] !== text[previous + same]) groups++;
    groupAt[at] = groups - 1;
    previous = at;
  }
  return { groupAt, groups };
}
