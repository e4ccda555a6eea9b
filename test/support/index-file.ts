import { type WrittenIndex, writeWhileMade } from '../../src/catalogs/index/index-file.ts';
import type { FileLabel } from '../../src/search/index-format.ts';
import type { IndexSections } from '../../src/search/sections.ts';

/** Writes a finished index. */
export function writeIndexFile(path: string, index: IndexSections, label: FileLabel): Promise<WrittenIndex> {
  return writeWhileMade(path, label, async (sink) => {
    sink.begin(index, index.entries.length);
    await sink.entries(index.entries);
  });
}
