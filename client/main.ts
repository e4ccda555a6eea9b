/**
 * The first page: one search box and the table of its answer. The service is asked at a relative address,
 * so that the page works behind a proxy under any path.
 */
interface FoodEntry {
  readonly carbohydrate_g: number | null;
  readonly protein_g: number | null;
  readonly fat_g: string;
  readonly kcal: number | null;
  readonly description: string;
}

/** An answer holds no more entries than this. */
const MAX_ENTRIES = 100;

/** ms of rest at the keyboard after which the text is searched for. */
const REST = 150;

function element<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`the page lacks ${selector}`);
  return found;
}

const form = element('form', HTMLFormElement);
const box = element('#q', HTMLInputElement);
const statusLine = element('#status', HTMLParagraphElement);
const results = element('.results', HTMLElement);
const rows = element('#foods', HTMLTableSectionElement);

let running = new AbortController();
let rest: ReturnType<typeof setTimeout> | undefined;

box.addEventListener('input', () => {
  clearTimeout(rest);
  rest = setTimeout(() => void search(box.value), REST);
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  clearTimeout(rest);
  void search(box.value);
});

async function search(text: string): Promise<void> {
  // An answer to an older text must never replace the one to a newer text.
  running.abort();
  running = new AbortController();
  const { signal } = running;
  if (text === '') return show([], "Type part of a food's name.");
  try {
    const response = await fetch(`api/food?${new URLSearchParams({ q: text })}`, { signal });
    const answer: FoodEntry[] | { error: string } = await response.json();
    if (!Array.isArray(answer)) throw new Error(answer.error);
    show(answer, summary(answer.length, text));
  } catch (error) {
    if (!signal.aborted)
      show([], `The service did not answer (${(error as Error).message}). Try again.`, true);
  }
}

function summary(count: number, text: string): string {
  if (count === 0) return `No food's description contains “${text}”.`;
  if (count === MAX_ENTRIES) return `The first ${MAX_ENTRIES} foods. A longer text finds fewer.`;
  return count === 1 ? '1 food' : `${count} foods`;
}

function show(entries: readonly FoodEntry[], message: string, isAlarm = false): void {
  statusLine.textContent = message;
  statusLine.classList.toggle('alarm', isAlarm);
  results.hidden = entries.length === 0;
  rows.replaceChildren(...entries.map(rowOf));
}

function rowOf(food: FoodEntry): HTMLTableRowElement {
  const row = document.createElement('tr');
  const name = document.createElement('th');
  name.scope = 'row';
  name.textContent = food.description;
  row.append(name);
  for (const figure of [food.kcal, food.protein_g, food.carbohydrate_g, Number(food.fat_g)]) {
    row.insertCell().textContent = figure === null ? '–' : figure.toLocaleString();
  }
  return row;
}
