/** The whole page: search, plate, and a footer with the data set, keys and the one preference. */
import { render } from 'preact';
import { Announcer } from './elements/announcer.tsx';
import { foodCount } from './elements/figure.tsx';
import { FoodLabel } from './label/food-label.tsx';
import { PlatePanel } from './plate/plate-panel.tsx';
import { openLinkedPlate, showPlate } from './plate/plate-place.ts';
import { openTypedText, SearchPanel } from './search/search-panel.tsx';
import { offlineStore } from './service/offline.ts';
import { checkDataSet, dataSetStore, IS_ELSEWHERE, SERVICE } from './service/service.ts';
import { shortcutStore, useStore } from './stores/page-stores.ts';
import './styles/base.css';
import './styles/search.css';
import './styles/table.css';
import './styles/plate.css';
import './styles/label.css';
import './styles/print.css';

function Page() {
  return (
    <>
      <button type="button" className="skip button" onClick={showPlate}>
        Skip to the plate
      </button>
      <main>
        <SearchPanel />
        <PlatePanel />
      </main>
      <Footer />
      <FoodLabel />
      <Announcer />
    </>
  );
}

function Footer() {
  const hasShortcut = useStore(shortcutStore);
  const dataSet = useStore(dataSetStore);
  const isOffline = useStore(offlineStore);
  const { date, source, licence } = dataSet ?? {};
  const facts = [date, source && `source: ${source}`, licence && `licence: ${licence}`].filter(Boolean);
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
      {IS_ELSEWHERE && <p>Answers come from {SERVICE.href}</p>}
      {dataSet && (
        <p className="data-set" title={facts.join(' · ')}>
          {isOffline && 'Offline · '}
          {foodCount(dataSet.foods)}, {dataSet.name}
        </p>
      )}
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

const page = document.getElementById('page');
if (page === null) throw new Error('the page lacks #page');
openTypedText();
void checkDataSet(null);
openLinkedPlate();
page.replaceChildren();
render(<Page />, page);
