/**
 * What a screen reader is told: one polite region, filled when something has come to rest.
 */
import { useSyncExternalStore } from 'react';

/** ms of rest before a count is read out, so that it is not read for every letter. */
const REST = 700;

let current = '';
let waiting: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Tells at once. */
export function announce(text: string): void {
  clearTimeout(waiting);
  // The same sentence twice would not be a change, and a reader would keep silent.
  current = text === current ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

/** Tells when nothing else was told for a moment. */
export function announceAtRest(text: string): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => announce(text), REST);
}

export function Announcer() {
  const text = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
  return (
    <output className="unseen" aria-live="polite">
      {text}
    </output>
  );
}
