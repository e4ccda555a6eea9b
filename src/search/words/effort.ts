/** What is left of the work that one search may do. It counts steps, not time, so every machine gives the same answer. */
export class Effort {
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }

  /** Returns whether there was enough left. */
  spend(work: number): boolean {
    this.#left -= work;
    return !this.isSpent;
  }
}
