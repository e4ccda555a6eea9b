import { type FoodEntry, isSearchError, searchFoods } from 'food-lookup/browser';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The address of your service. Start it with ALLOWED_ORIGIN set to the origin of this page.
const service = new URLSearchParams(location.search).get('api') ?? 'http://localhost:3001';

function FoodSearch() {
  const [text, setText] = useState('');
  const { foods, problem } = useFoods(text);
  return (
    <>
      <label>
        Food <input type="search" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <p role="status">{problem ?? `${foods.length} foods`}</p>
      <ul>
        {foods.map((food, place) => (
          // Foods may share a name, so their place is the key.
          // biome-ignore lint/suspicious/noArrayIndexKey: the items have no state
          <li key={place}>
            {food.description}: {food.kcal ?? '–'} kcal per 100 g
          </li>
        ))}
      </ul>
    </>
  );
}

interface Found {
  readonly foods: readonly FoodEntry[];
  readonly problem?: string;
}

function useFoods(text: string): Found {
  const [found, setFound] = useState<Found>({ foods: [] });
  useEffect(() => {
    if (text === '') return setFound({ foods: [] });
    // Aborted when the text changes, so that its answer cannot arrive after the new one.
    const running = new AbortController();
    searchFoods(service, text, { signal: running.signal }).then(
      (foods) => setFound({ foods }),
      (error: unknown) => {
        if (isSearchError(error) && error.kind === 'aborted') return;
        setFound({ foods: [], problem: error instanceof Error ? error.message : String(error) });
      },
    );
    return () => running.abort();
  }, [text]);
  return found;
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<FoodSearch />);
