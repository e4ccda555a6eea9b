/**
 * Reads an index file to serve it, in this thread or in another one, and shares it between threads.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type IndexLookups, lookupsOf } from '../../search/food-index.ts';
import type { FileLabel } from '../../search/index-format.ts';
import type { IndexSections } from '../../search/sections.ts';
import { UserError } from '../../system/errors.ts';
import { readIndexFile } from './index-file.ts';

export interface LoadedIndex {
  readonly index: IndexSections;
  readonly lookups: IndexLookups;
  readonly label: FileLabel;
  readonly identity: string;
}

/**
 * Reads an index file and makes its lookups.
 * @param isShared whether several threads read the index
 * @throws UserError if the file is not a usable index
 */
export async function loadIndex(path: string, isShared = false): Promise<LoadedIndex> {
  const { index, label, identity } = await readIndexFile(path, isShared);
  const loaded = { index, lookups: lookupsOf(index), label, identity };
  return isShared ? shareIndex(loaded) : loaded;
}

/** The reply of the thread: an index, or why the file cannot be used. */
export type LoadResult = { readonly loaded: LoadedIndex } | { readonly refused: string };

/** The built file, as seen from here both in `src` and in `dist`. */
const WORKER = new URL('../../../dist/catalogs/index/index-worker.js', import.meta.url);

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

/** The same index in shared memory; arrays that are there already are not copied. */
export const shareIndex = (loaded: LoadedIndex): LoadedIndex => shared(loaded, new Map()) as LoadedIndex;

/** @param copies an array that occurs in several places is copied once */
function shared(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof SharedArrayBuffer) return value;
    const copy = copies.get(value) ?? sharedCopy(value as Uint8Array);
    copies.set(value, copy);
    return copy;
  }
  if (Array.isArray(value)) return value.map((part) => shared(part, copies));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shared(part, copies)]));
}

function sharedCopy(array: Uint8Array): object {
  const Type = array.constructor as Uint8ArrayConstructor;
  const copy = new Type(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
