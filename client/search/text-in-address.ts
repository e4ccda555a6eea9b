/**
 * The searched text in the page's address (`?q=egg`), so that a reload or a bookmark finds it again.
 */
import { useEffect } from 'react';

/** ms of rest before the address changes; browsers refuse to change it for every letter. */
const REST = 800;

export function textOfAddress(): string {
  return new URLSearchParams(location.search).get('q') ?? '';
}

export function useTextInAddress(text: string): void {
  useEffect(() => {
    if (text === textOfAddress()) return;
    const timer = setTimeout(() => {
      const address = new URL(location.href);
      if (text === '') address.searchParams.delete('q');
      else address.searchParams.set('q', text);
      history.replaceState(null, '', address);
    }, REST);
    return () => clearTimeout(timer);
  }, [text]);
}
