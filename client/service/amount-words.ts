/** The words of amounts in all languages, in a file beside the page, which is requested once the page is there. */
import { setWords } from '../foods/typed-amount.ts';

/** ms after which a text is searched for as typed, without an amount. */
const PATIENCE = 2000;

let loaded: Promise<void> | undefined;

async function load(): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const response = await fetch(new URL('amounts.txt', location.href), { signal });
    if (response.ok) setWords(await response.text());
  } catch {
    // The next text requests them again.
    loaded = undefined;
  }
}

/** Ends when an amount in the text can be read, or nobody knows the words. A single word in Latin letters is none. */
export async function wordsFor(text: string): Promise<void> {
  loaded ??= load();
  if (/[^a-z]/i.test(text)) await loaded;
}

void wordsFor('');
