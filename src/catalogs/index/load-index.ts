/**
 * Reads an index file in a separate thread.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UserError } from '../../errors.ts';
import type { FileLabel } from '../../search/index-format.ts';
import type { IndexTrees } from '../../search/range-max-tree.ts';
import type { IndexSections } from '../../search/sections.ts';

export interface LoadedIndex {
  readonly index: IndexSections;
  readonly trees: IndexTrees;
  readonly label: FileLabel;
  readonly identity: string;
}

/** The reply of the thread: an index, or why the file cannot be used. */
export type LoadResult = { readonly loaded: LoadedIndex } | { readonly refused: string };

/** The built file, as seen from here both in `src` and in `dist`. */
const WORKER = new URL('../../../dist/catalogs/index/index-worker.js', import.meta.url);

/**
 * @param isShared whether several threads read the index
 * @throws UserError if the file is not a usable index
 */
export async function loadInThread(path: string, isShared: boolean): Promise<LoadedIndex> {
  const worker = new Worker(WORKER, { workerData: { path, isShared } });
  try {
    const [result] = (await once(worker, 'message')) as [LoadResult];
    if ('refused' in result) throw new UserError(result.refused);
    return result.loaded;
  } finally {
    await worker.terminate();
  }
}
