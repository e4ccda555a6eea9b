/**
 * Values in the browser's local storage, shared by all components and tabs. They never leave the browser.
 */
import { useSyncExternalStore } from 'react';

export interface LocalStore<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/** @param read returns undefined for anything that is not a value, for example one that an older page has stored */
export function localStore<Value>(
  name: string,
  fallback: Value,
  read: (value: unknown) => Value | undefined,
): LocalStore<Value> {
  const key = `food-lookup.${name}`;
  const listeners = new Set<() => void>();
  let current = load(key, read) ?? fallback;
  const update = (value: Value) => {
    current = value;
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    // A null key: another tab has cleared the storage.
    if (event.key === key || event.key === null) update(load(key, read) ?? fallback);
  });
  return {
    get: () => current,
    set: (value) => {
      save(key, value);
      update(value);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>(store: LocalStore<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

function load<Value>(key: string, read: (value: unknown) => Value | undefined): Value | undefined {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** Without storage (private mode, quota reached) the page keeps its values until it is closed. */
function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
