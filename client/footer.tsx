/**
 * Keys, the one preference, and the data set.
 */
import { foodCount } from './elements/figure.tsx';
import { IS_ELSEWHERE, SERVICE } from './service/address.ts';
import { useDataSet } from './service/data-set.ts';
import { useStore } from './stores/local-store.ts';
import { shortcutStore } from './stores/page-stores.ts';

export function Footer() {
  const hasShortcut = useStore(shortcutStore);
  return (
    <footer className="footer">
      <p className="keyboard">
        <kbd>/</kbd> search · <kbd>↑</kbd> <kbd>↓</kbd> through the foods · <kbd>Enter</kbd> add ·{' '}
        <kbd>Ctrl</kbd> <kbd>Enter</kbd> to the plate · <kbd>Esc</kbd> back, then clear
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
        Your plate, recent and favourite foods stay in this browser. Nothing is tracked.{' '}
        <a href="licences.txt">Licences</a> of the software and the typeface of this page.
      </p>
      {/* Last, since it arrives late and would shift anything below it. */}
      {IS_ELSEWHERE ? <p>Answers come from {SERVICE.href}</p> : <DataSetFacts />}
    </footer>
  );
}

function DataSetFacts() {
  const dataSet = useDataSet();
  if (dataSet === undefined) return null;
  const { name, date, source, licence, foods } = dataSet;
  const facts = [name, date, foodCount(foods)];
  if (source !== null) facts.push(`source: ${source}`);
  if (licence !== null) facts.push(`licence: ${licence}`);
  return <p className="data-set">Data set: {facts.join(' · ')}</p>;
}
