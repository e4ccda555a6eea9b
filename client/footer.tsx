/**
 * The data set, keys and the one preference, and where to read more.
 */
import { foodCount } from './elements/figure.tsx';
import { IS_ELSEWHERE, SERVICE } from './service/address.ts';
import { dataSetStore } from './service/data-set.ts';
import { useStore } from './stores/local-store.ts';
import { shortcutStore } from './stores/page-stores.ts';

export function Footer() {
  const hasShortcut = useStore(shortcutStore);
  return (
    <footer className="footer">
      <p className="keys">
        <button type="button" className="link-button" popovertarget="keys">
          Keys
        </button>
        {' · '}
        <a href={new URL('docs', SERVICE).href}>API</a>
        {' · '}
        <a href="licences.txt">Licences</a>
      </p>
      {/* Last, since it arrives late and would shift anything after it. */}
      {IS_ELSEWHERE ? <p>Answers come from {SERVICE.href}</p> : <DataSetFacts />}
      <div id="keys" popover="auto">
        <p>
          <kbd>/</kbd> search · <kbd>↑</kbd> <kbd>↓</kbd> through the foods · <kbd>Enter</kbd> add ·{' '}
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> to the plate · <kbd>Ctrl</kbd> <kbd>Z</kbd> undo · <kbd>Esc</kbd>{' '}
          back, then clear
        </p>
        <label className="preference">
          <input
            type="checkbox"
            checked={hasShortcut}
            onChange={(event) => shortcutStore.set(event.currentTarget.checked)}
          />
          The <kbd>/</kbd> key jumps to the search box
        </label>
      </div>
    </footer>
  );
}

function DataSetFacts() {
  const dataSet = useStore(dataSetStore);
  if (dataSet === undefined) return null;
  const { name, date, source, licence, foods } = dataSet;
  const facts = [date, source && `source: ${source}`, licence && `licence: ${licence}`].filter(Boolean);
  return (
    <p className="data-set" title={facts.join(' · ')}>
      {foodCount(foods)}, {name}
    </p>
  );
}
