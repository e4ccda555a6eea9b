/**
 * Values shared by all components, in memory or in the browser's local storage, where all tabs share them. They never
 * leave the browser.
 */
import { atom, type ReadableAtom, type WritableAtom } from 'nanostores';
import { useLayoutEffect, useReducer } from 'preact/hooks';

/** @param read returns undefined for anything that is not a value, for example one that an older page has stored */
export function localStore<Value>(
  name: string,
  fallback: Value,
  read: (value: unknown) => Value | undefined,
): WritableAtom<Value> {
  const key = `food-lookup.${name}`;
  const memory = atom(load(key, read) ?? fallback);
  window.addEventListener('storage', (event) => {
    // A null key: another tab has cleared the storage.
    if (event.key === key || event.key === null) memory.set(load(key, read) ?? fallback);
  });
  return {
    ...memory,
    set: (value) => {
      save(key, value);
      memory.set(value);
    },
  };
}

export function useStore<Value>(store: ReadableAtom<Value>): Value {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => store.listen(() => render(undefined)), [store]);
  return store.get();
}

/** Whether the browser stores the values: not in some private modes, and not if its storage is full. */
export const storedStore = atom(true);

function load<Value>(key: string, read: (value: unknown) => Value | undefined): Value | undefined {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    storedStore.set(true);
  } catch {
    storedStore.set(false);
  }
}
