/** The time that each phase of an import takes. */

/** Milliseconds that only grow. */
export type Clock = () => number;

export class Stopwatch {
  readonly #seconds = new Map<string, number>();
  readonly #clock: Clock;
  #phase: { readonly name: string; since: number } | undefined;
  #interrupted = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends the running phase and begins the one of this name; undefined only ends. */
  phase(name: string | undefined): void {
    const now = this.#clock();
    if (this.#phase !== undefined) this.#add(this.#phase.name, now - this.#phase.since);
    this.#phase = name === undefined ? undefined : { name, since: now };
  }

  get phaseName(): string | undefined {
    return this.#phase?.name;
  }

  /** Interrupts the running phase until {@link resume}. */
  pause(): void {
    this.#interrupted = this.#clock();
  }

  /** Counts the time since {@link pause} as that of another phase. */
  resume(name: string): void {
    const spent = this.#clock() - this.#interrupted;
    if (this.#phase !== undefined) this.#phase.since += spent;
    this.#add(name, spent);
  }

  /** s by phase, in the order in which the phases first ended. */
  get seconds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#seconds);
  }

  #add(name: string, milliseconds: number): void {
    this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + milliseconds / 1000);
  }
}

export const timesOf = (seconds: Readonly<Record<string, number>>): string =>
  Object.entries(seconds)
    .map(([phase, spent]) => `${phase} ${spent.toFixed(1)} s`)
    .join(', ');
