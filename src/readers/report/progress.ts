/** How far an import is. */
export interface Progress {
  /** What is read or written, as it was named; undefined while the index is built. */
  readonly name?: string;
  /** `download`, `read`, the table that is being read, or a step of the building. */
  readonly phase: string;
  /** From 0 to 1: of the bytes of this phase, of all tables together where a source has several. */
  readonly share?: number | undefined;
  /** Rows so far; undefined where the phase has none to count. */
  readonly rows?: number;
}

/** Called often, a few hundred times a second at most. */
export type OnProgress = (progress: Progress) => void;
