/**
 * An index in memory that several threads share, so that they need no more memory than one.
 */
import { treesOf } from '../../search/range-max-tree.ts';
import { readIndexFile } from './index-file.ts';
import type { LoadedIndex } from './load-index.ts';

/**
 * Reads an index file and makes its trees.
 * @param isShared whether several threads read the index
 * @throws UserError if the file is not a usable index
 */
export async function loadIndex(path: string, isShared = false): Promise<LoadedIndex> {
  const { index, label, identity } = await readIndexFile(path, isShared);
  const loaded = { index, trees: treesOf(index), label, identity };
  return isShared ? shareIndex(loaded) : loaded;
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

/** @param array of any type */
function sharedCopy(array: Uint8Array): object {
  const Type = array.constructor as Uint8ArrayConstructor;
  const copy = new Type(new SharedArrayBuffer(array.byteLength));
  copy.set(array);
  return copy;
}
