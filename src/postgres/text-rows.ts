/**
 * The index as a table of texts, for engines that can only look up keys.
 *
 * It is the top of the tree of all suffixes: a row for each text that occurs at many places, with its best foods in order,
 * and below them a row for each shortest text that occurs at few, with all its foods. The row of a text is the last one
 * whose key is not above it in the order of bytes:
 *   - the key is the text: its answer, or all its foods;
 *   - the key has few foods and begins the text: the foods of the text are among them;
 *   - otherwise the text occurs nowhere.
 *
 * Size for n bytes of descriptions: at most MAX_KEY n / ROW_PLACES rows of the first kind (a twentieth of that in real
 * data), and each place of the text in one row of the second.
 */

import { BYTE_OF, boundary, END, foodAt, type IndexSections } from '#engine';

/** Up to this many places, a text is one of few places. */
export const ROW_PLACES = 512;

/** From this many bytes on, a text counts as one of few places, however often it occurs. */
export const MAX_KEY = 64;

/** Maximum number of foods in a row, the best by themselves; only keys of at least MAX_KEY bytes reach it. */
export const ROW_FOODS = 2000;

export interface TextRow {
  readonly key: string;
  /** Whether the foods are the answer to the key, in its order; otherwise they are all of its foods, ascending. */
  readonly isAnswer: boolean;
  readonly foods: Int32Array;
  /** The share of the corpus that is done: from 0 to 1, ascending from row to row. */
  readonly progress: number;
}

/** The places of a text: ranges of the suffixes that begin a word, and of the others. */
interface Places {
  readonly words: readonly [from: number, to: number];
  readonly inner: readonly [from: number, to: number];
  readonly length: number;
  /** Missing bytes of its last character. */
  readonly lacks: number;
}

export function* textRows(
  sections: IndexSections,
  best: (folded: string) => Int32Array,
  few = ROW_PLACES,
): Generator<TextRow> {
  const { words, inner } = sections;
  const all: Places = {
    words: [0, words.suffixes.length],
    inner: [0, inner.suffixes.length],
    length: 0,
    lacks: 0,
  };
  const places = words.suffixes.length + inner.suffixes.length;
  const open = longerTexts(sections, all);
  for (let text = open.pop(); text !== undefined; text = open.pop()) {
    if (text.lacks === 0) {
      const key = keyOfPlaces(sections, text);
      const progress = (text.words[0] + text.inner[0]) / places;
      if (countOf(text) <= few || text.length > MAX_KEY) {
        yield { key, isAnswer: false, foods: foodsAt(sections, text), progress };
        continue;
      }
      yield { key, isAnswer: true, foods: best(key), progress };
    }
    open.push(...longerTexts(sections, text));
  }
}

const countOf = ({ words, inner }: Places): number => words[1] - words[0] + inner[1] - inner[0];

/** The texts with one more byte, in descending order. */
function longerTexts(sections: IndexSections, { words, inner, length, lacks }: Places): Places[] {
  const longer: Places[] = [];
  const next = (suffixes: Int32Array, [from, to]: Places['words']): number =>
    from < to ? sections.corpus[suffixes[from]! + length]! : BYTE_OF.length;
  for (;;) {
    const symbol = Math.min(next(sections.words.suffixes, words), next(sections.inner.suffixes, inner));
    if (symbol === BYTE_OF.length) return longer.reverse();
    const wordsEnd = endOf(sections.corpus, sections.words.suffixes, words, length, symbol);
    const innerEnd = endOf(sections.corpus, sections.inner.suffixes, inner, length, symbol);
    // A suffix may begin inside a character; a text does not.
    if (symbol !== END && (lacks > 0 || !isInside(BYTE_OF[symbol]!))) {
      longer.push({
        words: [words[0], wordsEnd],
        inner: [inner[0], innerEnd],
        length: length + 1,
        lacks: lacks > 0 ? lacks - 1 : bytesBehind(BYTE_OF[symbol]!),
      });
    }
    words = [wordsEnd, words[1]];
    inner = [innerEnd, inner[1]];
  }
}

/** The first of the suffixes of a range whose symbol at `offset` is above this one. */
function endOf(
  corpus: Uint8Array,
  suffixes: Int32Array,
  [from, to]: Places['words'],
  offset: number,
  symbol: number,
): number {
  // Mostly all of them continue with the same symbol.
  if (from < to && corpus[suffixes[to - 1]! + offset] === symbol) return to;
  return boundary(corpus, suffixes, from, to, offset, symbol + 1);
}

const isInside = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

const bytesBehind = (first: number): number => (first < 0xc0 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3);

function keyOfPlaces({ corpus, words, inner }: IndexSections, places: Places): string {
  const [from, to] = places.words;
  const start = from < to ? words.suffixes[from]! : inner.suffixes[places.inner[0]]!;
  const bytes = corpus.subarray(start, start + places.length).map((symbol) => BYTE_OF[symbol]!);
  return Buffer.from(bytes.buffer).toString();
}

/** The best ROW_FOODS foods of these places, ascending, each once. */
function foodsAt({ blocks, words, inner }: IndexSections, places: Places): Int32Array {
  const foods = new Int32Array(countOf(places));
  let count = 0;
  for (let i = places.words[0]; i < places.words[1]; i++) foods[count++] = foodAt(blocks, words.suffixes[i]!);
  for (let i = places.inner[0]; i < places.inner[1]; i++) foods[count++] = foodAt(blocks, inner.suffixes[i]!);
  foods.sort();
  let kept = 0;
  for (let i = 0; i < count && kept < ROW_FOODS; i++) {
    if (i === 0 || foods[i] !== foods[i - 1]) foods[kept++] = foods[i]!;
  }
  return foods.subarray(0, kept);
}
