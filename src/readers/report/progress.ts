/**
 * The progress of an import, and the time that each of its phases takes.
 */

export interface Progress {
  /** The source or the target, as it was named; undefined while the index is built. */
  readonly name?: string;
  /** `download`, `read`, a table of the source, or a step after reading. */
  readonly phase: string;
  /** From 0 to 1: of the bytes of this phase; of all tables together if a source has several. */
  readonly share?: number | undefined;
  /** Rows so far; undefined if the phase has no rows. */
  readonly rows?: number;
}

/** Called often, a few hundred times a second at most. */
export type OnProgress = (progress: Progress) => void;

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

  /** Empty between phases. */
  get phaseName(): string {
    return this.#phase?.name ?? '';
  }

  /** Stops the time of the phase while the caller works on the foods. */
  pause(): void {
    this.#interrupted = this.#clock();
  }

  /** Counts the time since {@link pause} as that of the index. */
  resume(): void {
    const spent = this.#clock() - this.#interrupted;
    if (this.#phase !== undefined) this.#phase.since += spent;
    this.#add('index', spent);
  }

  /** s by phase, in the order in which the phases first ended. */
  get seconds(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#seconds);
  }

  /** The same for people; empty before the first phase. */
  get times(): string {
    return [...this.#seconds].map(([phase, spent]) => `${phase} ${spent.toFixed(1)} s`).join(', ');
  }

  #add(name: string, milliseconds: number): void {
    this.#seconds.set(name, (this.#seconds.get(name) ?? 0) + milliseconds / 1000);
  }
}
