/**
 * Receives an index while it is made. Its entries, most of its bytes, arrive piece by piece.
 */
import type { SectionArray } from './build-step.ts';
import { allocateEntries } from './entries.ts';
import type { IndexSections } from './sections.ts';

export interface IndexSink {
  /** Takes all arrays but the entries, most of them not yet filled in, to own them. @param entriesSize bytes of the entries */
  begin(index: IndexSections, entriesSize: number): void;
  /** Takes the next entries. Further ones wait for the returned promise. */
  entries(bytes: Uint8Array): Promise<void> | void;
  /** Some of the arrays are final. Resolves when the sink no longer keeps them, if it does not keep all. */
  finished(arrays: readonly SectionArray[]): Promise<void>;
}

export class MemorySink implements IndexSink {
  #index: IndexSections | undefined;
  #entries = allocateEntries(0);
  #size = 0;

  begin(index: IndexSections, entriesSize: number): void {
    this.#index = index;
    this.#entries = allocateEntries(entriesSize);
  }

  entries(bytes: Uint8Array): void {
    this.#entries.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  async finished(): Promise<void> {}

  /** The complete index. */
  whole(): IndexSections {
    return { ...this.#index!, entries: this.#entries };
  }
}
