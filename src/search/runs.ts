/** Runs: consecutive entries of one level of a tree, from one range. They are in arrays, because objects would cost time. */

/** Maximum number of entries of a run; longer ones are added in pieces. */
export const LONGEST_RUN = 2 ** 16;

export class Runs {
  readonly ranges: Uint8Array;
  readonly froms: Int32Array;
  readonly tos: Int32Array;
  count = 0;
  /** The entries of all runs. */
  size = 0;

  constructor(room: number) {
    this.ranges = new Uint8Array(room);
    this.froms = new Int32Array(room);
    this.tos = new Int32Array(room);
  }

  clear(): void {
    this.count = 0;
    this.size = 0;
  }

  add(range: number, from: number, to: number): void {
    for (let start = from; start < to; start += LONGEST_RUN) {
      const end = Math.min(to, start + LONGEST_RUN);
      this.ranges[this.count] = range;
      this.froms[this.count] = start;
      this.tos[this.count++] = end;
      this.size += end - start;
    }
  }
}
