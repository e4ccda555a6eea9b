/**
 * Highlights the place where a food has just been added, and scrolls to it.
 */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useStore } from '../stores/local-store.ts';
import { addedStore } from '../stores/page-stores.ts';

/** ms */
const DURATION = 1200;

/** @param find the element to highlight, in the element of the returned reference */
export function useLight<Element extends HTMLElement>(
  find: (element: Element, key: string) => HTMLElement | undefined,
): RefObject<Element | null> {
  const added = useStore(addedStore);
  const shown = useRef<typeof added>(undefined);
  const place = useRef<Element>(null);
  useEffect(() => {
    if (added === undefined || added === shown.current || place.current === null) return;
    shown.current = added;
    const element = find(place.current, added.key);
    element?.scrollIntoView({ block: 'nearest' });
    element?.animate([{ backgroundColor: 'var(--lit)', offset: 0 }], DURATION);
  });
  return place;
}
