/**
 * The query in the page's address (`?q=egg`), for reloads and bookmarks.
 */
import { useEffect } from 'react';

/** ms without a key press before the address changes; browsers limit how often it may. */
const REST = 800;

export function queryOfAddress(): string {
  return new URLSearchParams(location.search).get('q') ?? '';
}

export function useQueryInAddress(query: string): void {
  useEffect(() => {
    if (query === queryOfAddress()) return;
    const timer = setTimeout(() => {
      const address = new URL(location.href);
      if (query === '') address.searchParams.delete('q');
      else address.searchParams.set('q', query);
      history.replaceState(null, '', address);
    }, REST);
    return () => clearTimeout(timer);
  }, [query]);
}
