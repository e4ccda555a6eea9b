/**
 * The place of the engine: whatever answers searches (memory, a database) stands behind this interface,
 * and the HTTP route knows nothing else.
 */

import { Unavailable } from './errors.ts';

/**
 * The version of the answers: order, rendering, and what matches. It is a part of every tag, beside the identity of the data
 * set, which an index file and a database keep from the program that imported them. Its value is a digest of the answers to
 * fixed texts, which `test/answers-version.test.ts` makes anew. A change of answers that the test does not see needs another
 * food or text there.
 */
export const ANSWERS_VERSION = '6cb42924';

/** What people are told of a data set. */
export interface DataSetLabel {
  /** A short name, such as the file's. */
  readonly name: string;
  /** Date of the release or of the file, as YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly date: string;
  /** Where the figures come from, and under which licence they are; null: not known. */
  readonly source: string | null;
  readonly licence: string | null;
}

/** What a catalog holds. */
export interface DataSet extends DataSetLabel {
  /** The number of foods that can be found. */
  readonly foods: number;
  /** Rows that were left out because their description is empty. */
  readonly leftOut: number;
  /** The same for the same foods and label, wherever they are served from; another one for others. */
  readonly identity: string;
}

/** The data set of a search was replaced while it ran; the next one is answered from the new one. */
export class DataSetReplaced extends Unavailable {
  override readonly name = 'DataSetReplaced';
}

export interface FoodCatalog {
  readonly dataSet: DataSet;
  /**
   * The answer to a text that is not empty: the UTF-8 bytes of a JSON array of at most 100 entries,
   * best first, each with a description that contains the text (case ignored).
   *
   * It is from the data set that `dataSet` tells of at the moment of the call.
   * @throws Unavailable where it cannot be answered for now; DataSetReplaced where it is worth asking again at once
   */
  search(text: string): Buffer | Promise<Buffer>;
  /**
   * s since `dataSet` was last known to be the current one; 0 while it is known. Absent where nobody but the
   * catalog itself can replace it.
   */
  age?(): number;
  /** Why no search can be answered for now, in one sentence; undefined, or absent: searches are answered. */
  unavailable?(): string | undefined;
  /** Gives back what the catalog holds open. No search may follow. */
  close(): Promise<void>;
}
