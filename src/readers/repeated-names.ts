/**
 * Counts the names of foods: in a list of foods, a name that occurs many times is probably a group or a column mixed up.
 */
import { fold } from '../fold.ts';
import { KeyTable } from '../key-table.ts';
import { keyOf } from '../text-key.ts';

/** Foods of one name, from which on it is reported. */
const MANY = 3;

export class RepeatedNames {
  readonly #names = new KeyTable();
  readonly #counts: number[] = [];
  /** The names that occur many times, by their numbers. */
  readonly #many = new Map<number, string>();

  add(name: string): void {
    const { low, high } = keyOf(fold(name));
    const number = this.#names.numberOf(low, high);
    const count = (this.#counts[number] ?? 0) + 1;
    this.#counts[number] = count;
    if (count === MANY) this.#many.set(number, name);
  }

  /** The names that occur many times, the most frequent first. */
  get many(): readonly (readonly [name: string, count: number])[] {
    return [...this.#many]
      .map(([number, name]) => [name, this.#counts[number] ?? 0] as const)
      .toSorted(([, a], [, b]) => b - a);
  }
}
