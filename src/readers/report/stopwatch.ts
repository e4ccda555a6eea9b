/** The time that phases take which follow one another. */

/** Milliseconds that only grow. */
export type Clock = () => number;

export class Stopwatch {
  readonly #seconds = new Map<string, number>();
  readonly #clock: Clock;
  #phase: { readonly name: string; since: number } | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the phase that ran and begins the one of this name; undefined only ends. */
  phase(name: string | undefined): void {
    const now = this.#clock();
    if (this.#phase !== undefined) this.#add(this.#phase.name, now - this.#phase.since);
    this.#phase = name === undefined ? undefined : { name, since: now };
  }

  get phaseName(): string {
    return this.#phase?.name ?? '';
  }

  /** Takes the time since a moment from the phase that runs, and counts it as that of another. */
  lend(name: string, since: number): void {
    const spent = this.#clock() - since;
    if (this.#phase !== undefined) this.#phase.since += spent;
    this.#add(name, spent);
  }

  /** s by phase, in the order in which the phases ended first. */
  get seconds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#seconds);
  }

  #add(name: string, milliseconds: number): void {
    this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + milliseconds / 1000);
  }
}
