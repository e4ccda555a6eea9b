/**
 * Values that the browser keeps: in this page for all components, over a reload, and across tabs. They never leave
 * the browser.
 */
import { useSyncExternalStore } from 'react';

export interface Stored<Value> {
  get(): Value;
  set(value: Value): void;
  subscribe(listener: () => void): () => void;
}

/** @param read undefined where what is stored is not a value, for example after an update of the page */
export function stored<Value>(
  name: string,
  fallback: Value,
  read: (value: unknown) => Value | undefined,
): Stored<Value> {
  const key = `food-lookup.${name}`;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let current = load(key, read) ?? fallback;
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    current = load(key, read) ?? fallback;
    tell();
  });
  return {
    get: () => current,
    set: (value) => {
      current = value;
      save(key, value);
      tell();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStored<Value>(store: Stored<Value>): Value {
  return useSyncExternalStore(store.subscribe, store.get);
}

function load<Value>(key: string, read: (value: unknown) => Value | undefined): Value | undefined {
  try {
    return read(JSON.parse(localStorage.getItem(key) ?? 'null'));
  } catch {
    return undefined;
  }
}

/** A browser that keeps nothing (private mode, full storage) is no reason to stop: the page works until it is closed. */
function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
