/**
 * Answers texts from an index: the best 100 foods whose description contains a text, as bytes.
 *
 * All places where the text stands are one range of each suffix array, found by binary search. What follows
 * the text parts the range of the words into a few, each with its own scores; the best of them are found
 * without reading the rest. Where words do not fill the answer, places inside words follow.
 *
 * Cost of a text of m bytes among n bytes of descriptions: O(m log n) to find it, and about the same work for
 * each entry of the answer however many foods match.
 */
import { MAX_ENTRIES } from '../food.ts';
import { FIRST_BETWEEN_WORDS, FIRST_OF_WORDS, SYMBOL_OF } from './alphabet.ts';
import { fold } from './fold.ts';
import { endOfText, PLURALS } from './match-end.ts';
import { POINTS } from './ranking.ts';
import { BLOCK_SIZE, type IndexSections, type SuffixSections } from './sections.ts';
import { BestFirst, SlotTree } from './slot-tree.ts';
import { readInOrder, type SlotRange, SMALL_RANGE } from './small-range.ts';

const COMMA = 0x2c;
const [OPEN, CLOSE] = ['[', ']'].map((bracket) => bracket.charCodeAt(0)) as [number, number];

/** A part of the slots of words, by what follows the text. */
interface Part extends SlotRange {
  readonly tree: SlotTree;
}

/** In the order of their suffixes. */
const PLURALS_IN_ORDER = PLURALS.map(symbolsOf).sort((a, b) => a[0]! - b[0]!);

export class FoodIndex {
  readonly #sections: IndexSections;
  readonly #trees: { readonly segmentEnd: SlotTree; readonly wordEnd: SlotTree; readonly inside: SlotTree };
  readonly #innerTree: SlotTree;

  constructor(sections: IndexSections) {
    this.#sections = sections;
    const { suffixes } = sections.words;
    this.#trees = {
      segmentEnd: new SlotTree(suffixes, sections.segmentEndScores),
      wordEnd: new SlotTree(suffixes, sections.wordEndScores),
      inside: new SlotTree(suffixes, sections.insideScores),
    };
    this.#innerTree = new SlotTree(sections.inner.suffixes, null);
  }

  /** The number of foods. */
  get size(): number {
    return this.#sections.entryStarts.length - 1;
  }

  /** A JSON array of the entries of the best foods whose description contains the text, which is not empty. */
  search(text: string): Uint8Array {
    return this.#assemble(this.find(text));
  }

  /** The numbers of these foods, best first. */
  find(text: string): number[] {
    const found: number[] = [];
    // Half a surrogate pair stands in no description, but its UTF-8 would be that of U+FFFD.
    if (!text.isWellFormed()) return found;
    const folded = fold(text);
    const symbols = symbolsOf(folded);
    const { words, inner } = this.#sections;
    const [from, to] = this.#range(words, symbols);
    if (from < to) this.#findWords(this.#parts(folded, symbols, from, to), to - from, found);
    if (found.length < MAX_ENTRIES) {
      const [innerFrom, innerTo] = this.#range(inner, symbols);
      this.#findInner(innerFrom, innerTo, found);
    }
    return found;
  }

  /** The descriptions of all foods in their static order. */
  *descriptions(): Generator<string> {
    const { entries, entryStarts } = this.#sections;
    const bytes = Buffer.from(entries.buffer, entries.byteOffset, entries.length);
    for (let food = 0; food < this.size; food++) {
      const entry = JSON.parse(bytes.toString('utf8', entryStarts[food], entryStarts[food + 1])) as {
        description: string;
      };
      yield entry.description;
    }
  }

  /** The suffixes that begin with these symbols. */
  #range({ suffixes, buckets }: SuffixSections, symbols: Uint8Array): [number, number] {
    const first = 256 * symbols[0]!;
    if (symbols.length === 1) return [buckets[first]!, buckets[first + 256]!];
    const bucket = first + symbols[1]!;
    const from = this.#lowerBound(suffixes, buckets[bucket]!, buckets[bucket + 1]!, symbols, 2);
    return [from, this.#upperBound(suffixes, from, buckets[bucket + 1]!, symbols, 2)];
  }

  /** The first of the suffixes [low, high), alike in their first `known` symbols, that is not below these. */
  #lowerBound(suffixes: Int32Array, low: number, high: number, symbols: Uint8Array, known: number): number {
    const { text } = this.#sections;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const position = suffixes[middle]!;
      let i = known;
      while (i < symbols.length && text[position + i] === symbols[i]) i++;
      if (i < symbols.length && text[position + i]! < symbols[i]!) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The first of the suffixes [low, high), alike in their first `known` symbols, that is above these. */
  #upperBound(suffixes: Int32Array, low: number, high: number, symbols: Uint8Array, known: number): number {
    const { text } = this.#sections;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const position = suffixes[middle]!;
      let i = known;
      while (i < symbols.length && text[position + i] === symbols[i]) i++;
      if (i < symbols.length && text[position + i]! > symbols[i]!) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The first of the suffixes [low, high) whose symbol at `offset` is not below this one. */
  #boundary(low: number, high: number, offset: number, symbol: number): number {
    const { text, words } = this.#sections;
    const { suffixes } = words;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (text[suffixes[middle]! + offset]! < symbol) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Parts the range of a text by how it ends there. */
  #parts(folded: string, symbols: Uint8Array, from: number, to: number): Part[] {
    const { segmentEndScores, wordEndScores, insideScores } = this.#sections;
    const { segmentEnd, wordEnd, inside } = this.#trees;
    const closed = endOfText(folded);
    if (closed === 'segmentEnd') return [{ scores: segmentEndScores, tree: segmentEnd, from, to, bonus: 0 }];
    if (closed === 'wordEnd') return [{ scores: wordEndScores, tree: wordEnd, from, to, bonus: 0 }];

    const parts: Part[] = [];
    const addClosed = (low: number, high: number, length: number, bonus: number): number => {
      const middle = this.#boundary(low, high, length, FIRST_BETWEEN_WORDS);
      const end = this.#boundary(middle, high, length, FIRST_OF_WORDS);
      if (low < middle)
        parts.push({ scores: segmentEndScores, tree: segmentEnd, from: low, to: middle, bonus });
      if (middle < end) parts.push({ scores: wordEndScores, tree: wordEnd, from: middle, to: end, bonus });
      return end;
    };
    let open = addClosed(from, to, symbols.length, 0);
    const addOpen = (end: number): void => {
      if (open < end) parts.push({ scores: insideScores, tree: inside, from: open, to: end, bonus: 0 });
    };
    for (const plural of PLURALS_IN_ORDER) {
      let [low, high] = [open, to];
      for (let i = 0; i < plural.length; i++) {
        low = this.#boundary(low, high, symbols.length + i, plural[i]!);
        high = this.#boundary(low, high, symbols.length + i, plural[i]! + 1);
      }
      if (low === high) continue;
      addOpen(low);
      open = addClosed(low, high, symbols.length + plural.length, POINTS.plural);
    }
    addOpen(to);
    return parts;
  }

  #findWords(parts: readonly Part[], slots: number, found: number[]): void {
    const foods = new Set<number>();
    const take = (position: number): boolean => {
      const food = this.#foodAt(position);
      if (!foods.has(food)) {
        foods.add(food);
        found.push(food);
      }
      return found.length < MAX_ENTRIES;
    };
    if (slots <= SMALL_RANGE) readInOrder(this.#sections.words.suffixes, parts, take);
    else {
      const bestFirst = new BestFirst();
      for (const { tree, from, to, bonus } of parts) bestFirst.add(tree, from, to, bonus);
      for (let position = bestFirst.next(); position >= 0 && take(position); position = bestFirst.next());
    }
  }

  #findInner(from: number, to: number, found: number[]): void {
    const foods = new Set(found);
    const bestFirst = new BestFirst();
    bestFirst.add(this.#innerTree, from, to, 0);
    for (let position = bestFirst.next(); position >= 0; position = bestFirst.next()) {
      const food = this.#foodAt(position);
      if (foods.has(food)) continue;
      foods.add(food);
      if (found.push(food) === MAX_ENTRIES) return;
    }
  }

  #foodAt(position: number): number {
    const { text, foodOfBlock } = this.#sections;
    const block = Math.floor(position / BLOCK_SIZE);
    let food = foodOfBlock[block]!;
    for (let i = block * BLOCK_SIZE; i < position; i++) if (text[i] === 0) food++;
    return food;
  }

  #assemble(found: readonly number[]): Uint8Array {
    const { entries, entryStarts } = this.#sections;
    let size = 2 + Math.max(0, found.length - 1);
    for (const food of found) size += entryStarts[food + 1]! - entryStarts[food]!;
    const answer = new Uint8Array(size);
    answer[0] = OPEN;
    let at = 1;
    for (const food of found) {
      if (at > 1) answer[at++] = COMMA;
      answer.set(entries.subarray(entryStarts[food], entryStarts[food + 1]), at);
      at += entryStarts[food + 1]! - entryStarts[food]!;
    }
    answer[at] = CLOSE;
    return answer;
  }
}

/** The UTF-8 of a folded text in the symbols of the index. */
function symbolsOf(folded: string): Uint8Array {
  return new Uint8Array(Buffer.from(folded)).map((byte) => SYMBOL_OF[byte]!);
}
