/**
 * The typed text in the page's address (`?q=egg`), for reloads, bookmarks and the Back button, and in its title.
 */
import { useEffect } from 'preact/hooks';
import { useStore } from '../stores/local-store.ts';
import { type, typedStore } from './search-store.ts';

/** ms without a key press before the address changes; browsers limit how often it may. */
const REST = 250;

/** ms for which a text must stand so that Back returns to it. */
const READ = 1500;

/** Where the text is until then, for a reload. */
const KEY = 'food-lookup.typed';

const inAddress = (): string => new URLSearchParams(location.search).get('q') ?? '';

export function typedBefore(): string {
  const [entry] = performance.getEntriesByType('navigation');
  if (!(entry instanceof PerformanceNavigationTiming) || entry.type !== 'reload') return inAddress();
  try {
    return sessionStorage.getItem(KEY) ?? inAddress();
  } catch {
    return inAddress();
  }
}

let changed = -READ;

export function useTypedInAddress(): void {
  const typed = useStore(typedStore);
  useEffect(() => {
    try {
      sessionStorage.setItem(KEY, typed);
    } catch {
      // Without storage, the address is all that a reload has.
    }
    const timer = setTimeout(() => {
      document.title = typed.trim() === '' ? 'Food lookup' : `${typed.trim()} – Food lookup`;
      const address = new URL(location.href);
      if (typed === '') address.searchParams.delete('q');
      else address.searchParams.set('q', typed);
      if (address.href === location.href) return;
      const isNew = inAddress() === '' || performance.now() - changed > READ;
      if (isNew) history.pushState(null, '', address);
      else history.replaceState(null, '', address);
      changed = performance.now();
    }, REST);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => window.addEventListener('popstate', () => type(inAddress())), []);
}
