/**
 * Holds the first rows of a table until they have been looked at together, and delays the foods of all rows as much.
 */
import type { FoodRecord } from '../../food.ts';
import type { Cell } from './cells.ts';

/** A row as in its container. */
export interface TableRow {
  /** The number of its cells. */
  readonly width: number;
  cell(index: number): Cell;
}

/** A row whose cells outlive the next row of its container. */
export interface HeldRow extends TableRow {
  readonly place: string;
}

const HELD_ROWS = 5000;

export class HeldRows {
  #rows: HeldRow[] | undefined = [];
  /** The last foods, as many as rows were held; the oldest at `#next`. */
  #foods: (FoodRecord | undefined)[] = [];
  #next = 0;

  /** Whether rows are still held. */
  get isHolding(): boolean {
    return this.#rows !== undefined;
  }

  /** @param used the columns whose cells are used @returns whether these are all rows to hold */
  hold(row: TableRow, used: ReadonlySet<number>, place: string): boolean {
    const cells = new Map([...used].map((index) => [index, row.cell(index)]));
    const held = { width: row.width, cell: (index: number) => cells.get(index), place };
    return this.#rows?.push(held) === HELD_ROWS;
  }

  /** The rows that were held, once. */
  release(): readonly HeldRow[] {
    const rows = this.#rows ?? [];
    this.#rows = undefined;
    return rows;
  }

  /** Sets the foods of the rows that were held. */
  fill(foods: readonly (FoodRecord | undefined)[]): void {
    this.#foods = [...foods];
  }

  /** Takes the food of a row, and returns that of a row before. */
  delay(food: FoodRecord | undefined): FoodRecord | undefined {
    const earlier = this.#foods[this.#next];
    this.#foods[this.#next] = food;
    this.#next = (this.#next + 1) % this.#foods.length;
    return earlier;
  }

  /** The foods that were not returned. */
  rest(): FoodRecord[] {
    return [...this.#foods.slice(this.#next), ...this.#foods.slice(0, this.#next)].filter(
      (food) => food !== undefined,
    );
  }
}
