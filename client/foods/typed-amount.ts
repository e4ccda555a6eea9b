/** Amounts as people type them: read and weighed as by the service, in the units of the plate. */

import { Big } from 'big.js';
import { type Reading, readText, readWords, type Words, weigh } from '#amounts';
import { t, translated } from '../texts/texts.ts';
import { type Amount, GRAMS, isAmount, LOCAL_MARK, type Unit } from './amount.ts';

export interface Weighed {
  /** Without a count if the weight is unknown. */
  readonly amount: Amount;
  /** Why it is unknown. */
  readonly note?: string | undefined;
}

let words: Words | undefined;

/** By which a number is read before there are others. */
const NO_WORDS = readWords('');

/** Without words only numbers are read. @param text of data/amounts.txt */
export async function setWords(text: string): Promise<void> {
  const read = readWords('');
  for (const language of text.split(/^(?=\[)/m)) {
    read.add(language);
    // All at once, they would keep a phone from keys for more than a tenth of a second.
    await new Promise((resolve) => setTimeout(resolve));
  }
  words = read;
}

/** The foods of a typed text, whose lines semicolons separate as well. */
export const readTyped = (typed: string, mark = LOCAL_MARK, language?: string): readonly Reading[] =>
  words === undefined ? [] : readText(typed.replaceAll(';', '\n'), words, mark, language);

type TypedAmount = NonNullable<Reading['amount']>;

/** The number of a single quantity, of a range the middle. */
function countOf({ parts: [only, ...others] }: TypedAmount): Big | undefined {
  if (only === undefined || others.length > 0) return undefined;
  const decimal = ({ above, below }: typeof only.times) => new Big(String(above)).div(String(below));
  return decimal(only.times).times(decimal(only.least).plus(decimal(only.most)).div(2));
}

/** A number alone, "1 1/2" or "12,5"; undefined if the text is anything else. */
export function readCount(typed: string, mark = LOCAL_MARK): string | undefined {
  const text = typed.replaceAll(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  // Also nothing, which is no amount of a text.
  if (/^\d{1,9}$/.test(text)) return String(Number(text));
  if (/[^\d\s.,/⁄¼-¾⅐-⅞]|\d\s+\d+(?![\d/⁄])/.test(text)) return undefined;
  // Of two marks the last one is the decimal mark.
  const last =
    text.includes('.') && text.includes(',') ? (/[.,](?=[^.,]*$)/.exec(text)?.[0] as typeof mark) : mark;
  const [{ amount } = {}, ...others] = readText(text, words ?? NO_WORDS, last);
  return amount && others.length === 0 ? countOf(amount)?.round(6).toFixed() : undefined;
}

/** @param portions of the food */
export function weighReading(
  { amount, text }: Reading,
  description: string,
  portions: readonly Unit[] = [],
): Weighed {
  const unknown = { count: null, unit: GRAMS };
  if (amount === undefined || words === undefined) return { amount: unknown, note: t('noAmount') };
  const { grams, portion, count, note } = weigh(amount, { description, portions }, words, text);
  if (grams === undefined) return { amount: unknown, note: note && translated(note) };
  const { kind, name } = amount.parts[0]?.unit ?? { kind: 'g', name: '' };
  const isOwn = kind === 'piece' || portion?.portion.split(/[ ,]/).includes(name);
  const typed = countOf(amount);
  const shown =
    portion === undefined || typed === undefined || typed.eq(0)
      ? undefined
      : isOwn
        ? { count, unit: portion }
        : {
            count: typed.round(6).toFixed(),
            unit: { portion: `1 ${name}`, grams: new Big(grams).div(typed).round(6).toFixed() },
          };
  return { amount: shown !== undefined && isAmount(shown) ? shown : { count: grams, unit: GRAMS } };
}
