/** The interface of everything that answers searches, in memory or in a database: all that the HTTP routes know of a data set. */
import type { FoodRecord } from './food.ts';

/**
 * The version of the answers: order, rendering, and which foods match. Every tag contains it. Its value is a digest of the answers
 * to fixed texts, which `test/answers-version.test.ts` recomputes. A change that the test does not detect needs another food or
 * text there.
 */
export const ANSWERS_VERSION = '510a6394';

/** The first bytes of every index file, of any version. */
export const INDEX_MAGIC = 'FOODIDX\n';

export interface DataSetLabel {
  /** A short name, such as the file's. */
  readonly name: string;
  /** Date of the release or of the file, as YYYY, YYYY-MM or YYYY-MM-DD. */
  readonly date: string;
  /** Origin and licence of the figures; null if unknown. */
  readonly source: string | null;
  readonly licence: string | null;
  /** Of the descriptions, as a BCP 47 tag, such as "en"; absent if it is unknown, or if there are several. */
  readonly language?: string | undefined;
}

export interface DataSet extends DataSetLabel {
  readonly foods: number;
  /** Rows that were left out because their description is empty. */
  readonly leftOut: number;
  /** The codes by which foods can be looked up; absent if there are none. */
  readonly codes?: number;
  /** Absent if nothing is known of any food beside its figures. */
  readonly hasNutrients?: true;
  /** The further languages in which foods have names, as BCP 47 tags; absent if there are none. */
  readonly languages?: readonly string[];
  /** How a file that was not imported was read, a line each: which column was read as what. */
  readonly remarks?: readonly string[];
  /** Equal for the same foods and label, wherever they are served from; different for others. */
  readonly identity: string;
}

export interface FoundAnswer {
  readonly body: Buffer;
  /** Of the data set that the answer is from, which may have been replaced in the meantime. */
  readonly identity: string;
}

/** What operators should know about a data set that is replaced, or about the servers it is on. */
export interface CatalogEvents {
  /** Another data set is served from now on. */
  replaced(dataSet: DataSet): void;
  /** A new data set cannot be used; the old one stays. */
  refused(error: Error): void;
  /** The server at this host is used. */
  connected(host: string): void;
  /** No server can be used; reported at every attempt. */
  away(reason: string): void;
}

export interface NamePair {
  readonly name: string;
  readonly other: string;
}

export interface OtherName {
  readonly words: readonly string[];
  /** Whether the table leads to it: from "aubergine" to "eggplant", but not back. */
  readonly isPreferred: boolean;
}

export interface OtherNames {
  /** The other names of what these words name, in the order of the table. */
  of(words: readonly string[]): readonly OtherName[];
  readonly longest: number;
  /** The pairs as JSON. */
  readonly json: string;
}

export const NO_OTHER_NAMES: OtherNames = { of: () => [], longest: 0, json: '[]' };

/** The words that were searched for instead of those that were typed, separated by spaces. */
export interface Replacement {
  readonly typed: string;
  readonly searched: string;
}

/** One way to understand a text: as typed, by other names, with corrections. */
export interface WordsReading {
  readonly words: readonly { readonly text: string }[];
  /** The words that were not taken as typed, in the order of the text. */
  readonly replaced: readonly Replacement[];
  /** What a food loses by it, in bytes of a score (`engine/order/points.ts`). */
  readonly loss: number;
}

export interface WordsAnswer<Bytes extends Uint8Array = Buffer> {
  readonly body: Bytes;
  /** All that competed, the cheapest first; the best one of each food counts. */
  readonly readings: readonly WordsReading[];
  /** How the first food was found: in the order of the text; empty if it was searched for as typed. */
  readonly replaced: readonly Replacement[];
  /** The words, of those searched for, that the first food lacks; empty if any food of the answer has all of them. */
  readonly missing: readonly string[];
}

/** What is looked up by the description of a food. */
export type FactName = 'portions' | 'names' | 'nutrients';

export interface FoodCatalog {
  readonly dataSet: DataSet;
  /**
   * The answer to a text that is not empty, in UTF-8; one that is not a promise is from the current `dataSet`.
   * @throws Unavailable if it cannot be answered at present
   */
  search(text: string): Buffer | Promise<FoundAnswer>;
  /** @param language one of `dataSet.languages`: descriptions are in it, and texts are rather understood in it */
  searchWords(
    text: string,
    names: OtherNames,
    language?: string,
  ): WordsAnswer | Promise<WordsAnswer & FoundAnswer>;
  /**
   * What is known of the food of exactly this description, composed or not, in any of its languages. Of several foods portions and
   * other names are those of the first one that has any.
   */
  lookUp(what: FactName, description: string, language?: string): Buffer | Promise<FoundAnswer>;
  /** The description in the data set's own language of a food with this one in another. Absent if there is no further language. */
  originalOf?(description: string, language: string): string | undefined;
  /** The first foods with the code that a text is, in any spelling (see `foodCodeOf`); nothing for any other text. */
  searchBarcode(text: string): Buffer | Promise<FoundAnswer>;
  /** The foods in their static order, with total fat instead of its three kinds. Absent if they cannot be read. */
  records?(): Iterable<FoodRecord>;
  /**
   * The bytes of an index file of the foods; for a page in a language, without the names of all others; for '', without further
   * languages, whose names searches by words find all the same. Absent if there is no index.
   */
  indexFile?(language?: string): Uint8Array;
  /** Reports to operators from now on. Absent if the data set cannot be replaced. */
  watch?(events: CatalogEvents): void;
  /** Looks for a new data set at once. Present if `watch` is. */
  reload?(): Promise<void>;
  /** s since `dataSet` was last known to be current; 0 while it is known. Absent if it always is. */
  age?(): number;
  /** Why no search can be answered at present, in one sentence; undefined or absent if searches are answered. */
  unavailable?(): string | undefined;
  /** Closes the catalog's files and connections. No search may follow. */
  close(): Promise<void>;
}
