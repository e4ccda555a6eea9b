/**
 * The language of the page: the chosen one, or the first of the browser's that the page has. English is in the script; the texts
 * of the others are files beside the page.
 */
import { setLocale } from '../foods/amount.ts';
import { localStore, notify, storedStore } from '../stores/page-stores.ts';
import { CODES, fileOf, type Language, languageIn } from './languages.ts';
import { setTexts, type Texts, t } from './texts.ts';

const chosen = localStore<Language | undefined>('language', undefined, (value) =>
  CODES.find((code) => code === value),
);

export const LANGUAGE = chosen.get() ?? languageIn(navigator.languages) ?? 'en';

/** Of the browser, with which it formats numbers. */
const OWN = new Intl.NumberFormat().resolvedOptions().locale;

/**
 * Of figures: that of the browser, also if the page only lacks its language, since programs on the same machine read what is
 * copied.
 */
export const LOCALE =
  chosen.get() === undefined && languageIn([navigator.language]) !== LANGUAGE
    ? OWN
    : ([OWN, ...navigator.languages].find((tag) => languageIn([tag]) === LANGUAGE) ?? LANGUAGE);
setLocale(LOCALE);

/** ms after which the page is shown in English. */
const PATIENCE = 2000;

async function textsIn(language: Language): Promise<Texts> {
  if (language === 'en') return {};
  const signal = AbortSignal.timeout(PATIENCE);
  const response = await fetch(new URL(fileOf(language), location.href), { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

/** Ends when the page has its texts. */
export async function openLanguage(): Promise<void> {
  try {
    setTexts(await textsIn(LANGUAGE), LANGUAGE, LOCALE);
    document.documentElement.lang = LANGUAGE;
    document.documentElement.dir = t('direction');
  } catch {
    // They are English, then.
  }
}

/**
 * Loads the page in another language, once that is there.
 * @returns false where nothing can be stored or the service is away, so that the page stays as it is
 */
export async function chooseLanguage(language: Language = 'en'): Promise<boolean> {
  try {
    await textsIn(language);
    chosen.set(language);
    if (storedStore.get()) location.reload();
    return storedStore.get();
  } catch {
    notify(t('unreachable'));
    return false;
  }
}
