/**
 * The place of the engine: whatever answers searches (memory, a database) stands behind this interface,
 * and the HTTP route knows nothing else.
 */

/** What a catalog holds. */
export interface DataSet {
  /** A short name for people, such as the file's. */
  readonly name: string;
  /** The number of foods that can be found. */
  readonly foods: number;
  /** Rows that were left out because their description is empty. */
  readonly leftOut: number;
}

export interface FoodCatalog {
  readonly dataSet: DataSet;
  /**
   * The answer to a text that is not empty: the UTF-8 bytes of a JSON array of at most 100 entries,
   * best first, each with a description that contains the text (case ignored).
   */
  search(text: string): Uint8Array | Promise<Uint8Array>;
  /** Gives back what the catalog holds open. No search may follow. */
  close(): Promise<void>;
}
