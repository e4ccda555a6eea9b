/**
 * Keys, the one preference, and the data set.
 */
import { useQuery } from '@tanstack/react-query';
import { foodCount } from './elements/figure.tsx';
import { IS_ELSEWHERE, SERVICE } from './search/service.ts';
import { useStore } from './stores/local-store.ts';
import { shortcutStore } from './stores/page-stores.ts';

interface DataSet {
  readonly name: string;
  readonly date: string;
  readonly source: string | null;
  readonly licence: string | null;
  readonly foods: number;
}

export function Footer() {
  const hasShortcut = useStore(shortcutStore);
  return (
    <footer className="footer">
      <p className="keyboard">
        <kbd>/</kbd> to the search box · <kbd>↑</kbd> <kbd>↓</kbd> through the foods · <kbd>Enter</kbd> adds
        to the plate · <kbd>Esc</kbd> back, then clear
      </p>
      <label className="preference">
        <input
          type="checkbox"
          checked={hasShortcut}
          onChange={(event) => shortcutStore.set(event.target.checked)}
        />
        The <kbd>/</kbd> key jumps to the search box
      </label>
      <p className="privacy">
        The plate, recent and favourite foods stay in this browser. Nothing is tracked.
      </p>
      <p>
        <a href="licences.txt">Licences</a> of the software and the typeface of this page
      </p>
      {/* Last, since it arrives late and would shift anything below it. */}
      {IS_ELSEWHERE ? <p>Answers come from {SERVICE.href}</p> : <DataSetFacts />}
    </footer>
  );
}

function DataSetFacts() {
  const { data } = useQuery({ queryKey: ['data-set'], queryFn: fetchDataSet, networkMode: 'always' });
  if (data === undefined) return null;
  const { name, date, source, licence, foods } = data;
  const facts = [name, date, foodCount(foods)];
  if (source !== null) facts.push(`source: ${source}`);
  if (licence !== null) facts.push(`licence: ${licence}`);
  return <p className="data-set">Data set: {facts.join(' · ')}</p>;
}

async function fetchDataSet(): Promise<DataSet> {
  const response = await fetch(new URL('data-set', SERVICE));
  if (!response.ok) throw new Error(`GET data-set: status ${response.status}`);
  return response.json();
}
