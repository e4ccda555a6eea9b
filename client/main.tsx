/** The whole page: search, plate, and a footer with the data set, keys and the one preference. */
import { h, render } from 'preact';
import { Announcer } from './elements/announcer.tsx';
import { FoodLabel } from './label/food-label.tsx';
import { PlatePanel } from './plate/plate-panel.tsx';
import { openLinkedPlate } from './plate/plate-place.ts';
import { openTypedText, SearchPanel } from './search/search-panel.tsx';
import { offlineStore } from './service/offline.ts';
import { checkDataSet, dataSetStore, IS_ELSEWHERE, SERVICE, shownLanguage } from './service/service.ts';
import { shortcutStore, useStore } from './stores/page-stores.ts';
import { chooseLanguage, LANGUAGE, openLanguage } from './texts/language.ts';
import { CODES, LANGUAGES, languageIn } from './texts/languages.ts';
import { t } from './texts/texts.ts';
import './styles/base.css';
import './styles/search.css';
import './styles/table.css';
import './styles/plate.css';
import './styles/label.css';
import './styles/print.css';

function Page() {
  return (
    <>
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
  const language = shownLanguage() ?? '';
  const isForeign = language !== '' && languageIn([language]) !== LANGUAGE;
  const facts = [date, source, licence].filter(Boolean);
  return (
    <footer className="footer">
      <p className="keys">
        <button type="button" className="link-button" popovertarget="keys">
          {t('keys')}
        </button>
        {' · '}
        <a href={new URL('docs', SERVICE).href} hrefLang="en">
          API
        </a>
        {' · '}
        <a href="licences.txt">{t('licences')}</a>
        {' · '}
        <LanguageList />
      </p>
      {/* Last, since it arrives late and would shift anything after it. */}
      {IS_ELSEWHERE && <p>{t('answersFrom', { address: SERVICE.href })}</p>}
      {dataSet && (
        <p className="data-set" title={facts.join(' · ')}>
          {isOffline && `${t('offline')} · `}
          {t('foods', { count: dataSet.foods })} · {dataSet.name}
          {isForeign && ` · ${t('language')}: ${languageName(language)}`}
        </p>
      )}
      <div id="keys" popover="auto">
        <p>
          <WithKeys text={t('keysHelp')} />
        </p>
        <label className="preference">
          <input
            type="checkbox"
            checked={hasShortcut}
            onChange={(event) => shortcutStore.set(event.currentTarget.checked)}
          />
          <WithKeys text={t('shortcut')} />
        </label>
      </div>
    </footer>
  );
}

const languageName = (tag: string): string =>
  new Intl.DisplayNames(LANGUAGE, { type: 'language' }).of(tag) ?? tag;

function LanguageList() {
  return (
    <select
      aria-label={t('language')}
      value={LANGUAGE}
      onChange={async ({ currentTarget: list }) => {
        if (!(await chooseLanguage(CODES[list.selectedIndex]))) list.value = LANGUAGE;
      }}
    >
      {CODES.map((code) => (
        <option key={code} value={code} lang={code}>
          {LANGUAGES[code]}
        </option>
      ))}
    </select>
  );
}

/** Each key in brackets as one. */
const WithKeys = ({ text }: { readonly text: string }) => (
  <>{text.split(/\[(.+?)\]/).map((part, i) => (i % 2 === 0 ? part : h('kbd', null, part)))}</>
);

const page = document.getElementById('page');
if (page === null) throw new Error('the page lacks #page');
void checkDataSet(null);
await openLanguage();
// What is typed into the box until it is drawn anew.
openTypedText();
openLinkedPlate();
page.replaceChildren();
render(<Page />, page);
