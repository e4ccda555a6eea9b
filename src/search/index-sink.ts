/**
 * Receives an index while it is made. Its entries, most of its bytes, arrive piece by piece.
 */
import type { IndexSections, SectionArray } from './sections.ts';

export interface IndexSink {
  /** Takes all arrays but the entries, most of them not yet filled in, to own them. @param entriesSize bytes of the entries */
  begin(index: IndexSections, entriesSize: number): void;
  /** Takes the next entries, whose memory is reused. Further ones wait for the returned promise. */
  entries(bytes: Uint8Array): Promise<void> | void;
  /** Some of the arrays are final. Resolves when the sink no longer keeps them, if it does not keep all. */
  finished(arrays: readonly SectionArray[]): Promise<void>;
}

/** The whole index that a function hands over. */
export async function inMemory(make: (sink: IndexSink) => Promise<void>): Promise<IndexSections> {
  let index: IndexSections | undefined;
  let size = 0;
  await make({
    begin: (begun, entriesSize) => {
      index = { ...begun, entries: new Uint8Array(entriesSize) };
    },
    entries: (bytes) => {
      index!.entries.set(bytes, size);
      size += bytes.length;
    },
    finished: async () => {},
  });
  return index!;
}
