/** The progress of an import. */
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
