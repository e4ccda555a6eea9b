/**
 * An index in memory that several threads share, so that they need no more of it than one.
 */
import { allocateEntries } from '../../search/entries.ts';
import { treesOf } from '../../search/range-max-tree.ts';
import { readIndexFile } from './index-file.ts';
import type { LoadedIndex } from './load-index.ts';

/**
 * Reads an index file and makes its trees.
 * @param threads that share the index; undefined: it is not shared
 * @throws UserError where the file is no usable index
 */
export async function loadIndex(path: string, threads?: number): Promise<LoadedIndex> {
  const { index, label, identity } = await readIndexFile(path, threads);
  const loaded = { index, trees: treesOf(index), label, identity };
  return threads === undefined ? loaded : shareIndex(loaded, threads);
}

/** The same index in shared memory; arrays that are there already are not copied. */
export function shareIndex(loaded: LoadedIndex, threads: number): LoadedIndex {
  const copies = new Map<object, object>();
  const { entries } = loaded.index;
  if (entries.buffer instanceof ArrayBuffer) {
    const copy = allocateEntries(entries.length, threads);
    copy.set(entries);
    copies.set(entries, copy);
  }
  return shared(loaded, copies) as LoadedIndex;
}

/** @param copies arrays that stand in several places are copied once */
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

/** @param array of any type */
function sharedCopy(array: Uint8Array): object {
  const Type = array.constructor as Uint8ArrayConstructor;
  const copy = new Type(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
