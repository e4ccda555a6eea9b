import { isSearchError, searchFoods } from 'food-lookup/browser';

// The address of your service. Start it with ALLOWED_ORIGIN set to the origin of this page.
const service = new URLSearchParams(location.search).get('api') ?? 'http://localhost:3001';

const box = document.querySelector('#text');
const state = document.querySelector('#state');
const list = document.querySelector('#foods');
let running = new AbortController();

box.addEventListener('input', async () => {
  // Aborts the search for the previous text, so that its answer cannot arrive after the new one.
  running.abort();
  running = new AbortController();
  if (box.value === '') {
    state.textContent = '';
    list.replaceChildren();
    return;
  }
  try {
    const foods = await searchFoods(service, box.value, { signal: running.signal });
    state.textContent = `${foods.length} foods`;
    list.replaceChildren(...foods.map(itemOf));
  } catch (error) {
    if (!isSearchError(error)) throw error;
    if (error.kind === 'aborted') return;
    state.textContent = error.message;
    list.replaceChildren();
  }
});

function itemOf(food) {
  const item = document.createElement('li');
  item.textContent = `${food.description}: ${food.kcal ?? '–'} kcal per 100 g`;
  return item;
}
