/**
 * Where the figures come from, and the one preference of the page.
 */
import { useQuery } from '@tanstack/react-query';
import { localCount } from './figure.tsx';
import { useStored } from './local-store.ts';
import { shortcutStore } from './page-stores.ts';
import { IS_ELSEWHERE, SERVICE } from './service.ts';

interface DataSet {
  readonly name: string;
  readonly date: string;
  readonly source: string | null;
  readonly licence: string | null;
  readonly foods: number;
}

export function Footer() {
  const hasShortcut = useStored(shortcutStore);
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
        The key <kbd>/</kbd> leads to the search box
      </label>
      <p className="privacy">
        The plate, recent and favourite foods stay in this browser. Nothing is tracked.
      </p>
      <p>
        <a href="licences.txt">Licences</a> of the software and the typeface of this page
      </p>
      {/* Last, since it comes late and would move what stands below it. */}
      {IS_ELSEWHERE ? <p>Answers come from {SERVICE.href}</p> : <DataSetFacts />}
    </footer>
  );
}

function DataSetFacts() {
  const { data } = useQuery({ queryKey: ['data-set'], queryFn: fetchDataSet, networkMode: 'always' });
  if (data === undefined) return null;
  const { name, date, source, licence, foods } = data;
  const facts = [name, date, `${localCount(foods)} ${foods === 1 ? 'food' : 'foods'}`];
  if (source !== null) facts.push(`source: ${source}`);
  if (licence !== null) facts.push(`licence: ${licence}`);
  return <p className="data-set">Data set: {facts.join(' · ')}</p>;
}

async function fetchDataSet(): Promise<DataSet> {
  const response = await fetch(new URL('data-set', SERVICE));
  if (!response.ok) throw new Error(`the data set is not told: status ${response.status}`);
  return response.json();
}
