/**
 * The tokens of a corpus: the symbols of a word with those after it, up to the next word or the end of the description.
 * A corpus has millions of them, but few distinct ones.
 * Example: "egg, raw|egg, white|" has the tokens "egg, ", "raw|", "egg, " and "white|", of three kinds.
 */
import { firstSlot, isFull, largerSlots, NONE, nextSlot, slotsFor } from '../../text/hash-slots.ts';
import { END, FIRST_OF_WORDS } from './alphabet.ts';

/** Numbers in a row of {@link TokenKinds}: the position of the first token of the kind, its length, the offset of a word in it, a hash. */
export const KIND_ROW = 4;
const [POSITION, LENGTH, WORD, HASH] = [0, 1, 2, 3] as const;

/** The offset of a word if none begins in a token. */
export const NO_WORD = -1;

/** Steps of searching for a kind that are allowed for each token; most need less than one. */
const STEPS = 4;

export class TokenKinds {
  readonly #corpus: Uint8Array;
  #slots = slotsFor(512);
  #rows: Int32Array = new Int32Array(KIND_ROW * 512);
  #size = 0;
  #stepsLeft = 1024;

  constructor(corpus: Uint8Array) {
    this.#corpus = corpus;
  }

  get rows(): Int32Array {
    return this.#rows.subarray(0, KIND_ROW * this.#size);
  }

  /**
   * The kind of a token. Tokens of one kind are equal, with their word at the same offset. If hashes collide too often, equal
   * tokens may get several kinds.
   */
  numberOf(position: number, length: number, word: number, hash: number): number {
    let slot = firstSlot(this.#slots, hash);
    this.#stepsLeft += STEPS;
    for (; this.#stepsLeft > 0; this.#stepsLeft--) {
      const kind = this.#slots[slot]!;
      if (kind === NONE) break;
      if (this.#is(kind, position, length, word, hash)) return kind;
      slot = nextSlot(this.#slots, slot);
    }
    const kind = this.#size++;
    if (this.#stepsLeft > 0) this.#slots[slot] = kind;
    if (KIND_ROW * this.#size > this.#rows.length) this.#rows = doubled(this.#rows);
    this.#rows.set([position, length, word, hash], KIND_ROW * kind);
    if (isFull(this.#slots, this.#size) && this.#stepsLeft > 0)
      this.#slots = largerSlots(this.#size, (each) => this.#rows[KIND_ROW * each + HASH]!);
    return kind;
  }

  /** Adds the kinds of another table; returns the number of each of them here. */
  addAll(rows: Int32Array): Int32Array {
    const numbers = new Int32Array(rows.length / KIND_ROW);
    for (let i = 0; i < numbers.length; i++) {
      const row = KIND_ROW * i;
      numbers[i] = this.numberOf(
        rows[row + POSITION]!,
        rows[row + LENGTH]!,
        rows[row + WORD]!,
        rows[row + HASH]!,
      );
    }
    return numbers;
  }

  #is(kind: number, position: number, length: number, word: number, hash: number): boolean {
    const rows = this.#rows;
    const row = KIND_ROW * kind;
    if (rows[row + HASH] !== hash || rows[row + LENGTH] !== length || rows[row + WORD] !== word) return false;
    const corpus = this.#corpus;
    const known = rows[row + POSITION]!;
    for (let i = 0; i < length; i++) if (corpus[known + i] !== corpus[position + i]) return false;
    return true;
  }
}

function doubled(rows: Int32Array): Int32Array {
  const larger = new Int32Array(2 * rows.length);
  larger.set(rows);
  return larger;
}

/** Whether the symbol at a position is the last one of its token. */
export function endsToken(corpus: Uint8Array, position: number): boolean {
  const symbol = corpus[position]!;
  return symbol === END || (symbol < FIRST_OF_WORDS && corpus[position + 1]! >= FIRST_OF_WORDS);
}
