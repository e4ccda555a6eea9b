/**
 * The foods of one answer in their order, each once.
 */
import { MAX_ENTRIES } from '../food.ts';

/** A power of two, large enough that few foods meet in one slot. */
const SLOTS = 4 * 128;
const NONE = -1;

export class FoundFoods {
  readonly foods = new Int32Array(MAX_ENTRIES);
  readonly #slots = new Int32Array(SLOTS);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#slots.fill(NONE);
    this.#count = 0;
  }

  /** Adds a food that is not among them yet, where there is room. */
  add(food: number): void {
    if (this.#count === MAX_ENTRIES) return;
    let slot = Math.imul(food, 0x9e3779b1) & (SLOTS - 1);
    for (; this.#slots[slot] !== NONE; slot = (slot + 1) & (SLOTS - 1)) {
      if (this.#slots[slot] === food) return;
    }
    this.#slots[slot] = food;
    this.foods[this.#count++] = food;
  }
}
