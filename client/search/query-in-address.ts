/**
 * The typed text in the page's address (`?q=egg`), for reloads and bookmarks.
 */
import { useEffect } from 'react';

/** ms without a key press before the address changes; browsers limit how often it may. */
const REST = 250;

/** Where the text is until then, for a reload. */
const KEY = 'food-lookup.typed';

export function typedInAddress(): string {
  const inAddress = new URLSearchParams(location.search).get('q') ?? '';
  const [entry] = performance.getEntriesByType('navigation');
  if (!(entry instanceof PerformanceNavigationTiming) || entry.type !== 'reload') return inAddress;
  try {
    return sessionStorage.getItem(KEY) ?? inAddress;
  } catch {
    return inAddress;
  }
}

export function useTypedInAddress(typed: string): void {
  useEffect(() => {
    try {
      sessionStorage.setItem(KEY, typed);
    } catch {
      // Without storage, the address is all that a reload has.
    }
    const timer = setTimeout(() => {
      const address = new URL(location.href);
      if (typed === '') address.searchParams.delete('q');
      else address.searchParams.set('q', typed);
      if (address.href !== location.href) history.replaceState(null, '', address);
    }, REST);
    return () => clearTimeout(timer);
  }, [typed]);
}
