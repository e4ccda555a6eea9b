/**
 * What whoever imports may ask of the sources, and is told while they are read.
 */

import type { DataSetLabel } from '../../catalog.ts';
import type { FoodRecord } from '../../food.ts';

/** How far a source is. */
export interface Progress {
  /** The source as it was named. */
  readonly source: string;
  /** `download`, `read`, or the table that is being read. */
  readonly phase: string;
  /** Bytes of this phase so far, as stored; of all tables together where a source has several. */
  readonly bytes: number;
  /** Undefined where nobody knows. */
  readonly totalBytes: number | undefined;
  /** Rows so far. */
  readonly rows: number;
}

/** What an index file holds. */
export interface IndexContent {
  readonly label: DataSetLabel & { readonly notes?: readonly string[] };
  readonly foods: Iterable<FoodRecord>;
}

export interface ReadOptions {
  /** The table or view of SQLite files; `entries` where it is absent. */
  readonly table?: string;
  /** Another address for the one source that is given by name. */
  readonly url?: string;
  /** What the one downloaded file must be, as 64 hexadecimal digits. */
  readonly sha256?: string;
  /** Puts what the fatty acids lack to the total fat into the missing one. */
  readonly completeFat?: boolean;
  /** Where downloads are kept; the user's cache folder where it is absent. */
  readonly cacheFolder?: string;
  /** Called often, a few hundred times a second at most. */
  readonly progress?: (progress: Progress) => void;
  /** Reads an index file, which this room knows nothing of. */
  readonly readIndex?: (file: string) => Promise<IndexContent>;
  readonly signal?: AbortSignal;
}
