/**
 * Announces messages to screen readers through one polite live region.
 */
import { useSyncExternalStore } from 'react';

/** ms without another message after which a count is announced, so that typing does not announce one for every letter. */
const REST = 700;

let current = '';
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

export function announce(text: string): void {
  clearTimeout(timer);
  // Screen readers announce changes only, so a repeated message must differ.
  current = text === current ? `${text}\u00a0` : text;
  for (const listener of listeners) listener();
}

export function announceAtRest(text: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => announce(text), REST);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => current);
  return (
    <output className="unseen" aria-live="polite">
      {text}
    </output>
  );
}
