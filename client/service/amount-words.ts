/** The words of amounts in all languages, in a file beside the page, which is requested once the page is there. */
import { atom } from 'nanostores';
import { setWords } from '../foods/typed-amount.ts';

/** ms after which a text is searched for as typed, without an amount. */
const PATIENCE = 2000;

/** Until they are there. */
let loading: Promise<void> | undefined;

/** Whether the words are there, or nobody knows them. */
export const wordsStore = atom(false);

async function load(): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(new URL('amounts.txt', location.href), { signal });
    if (response.ok) await setWords(await response.text());
    wordsStore.set(true);
  } catch {
    // The next text requests them again.
    loading = undefined;
  }
}

/**
 * Ends when an amount in the text can be read, or nobody knows the words; undefined if there is nothing to wait for. A single word
 * in Latin letters is none.
 */
export function wordsFor(text: string): Promise<void> | undefined {
  loading ??= load();
  return wordsStore.get() || !/[^a-z]/i.test(text) ? undefined : loading;
}

void wordsFor('');
