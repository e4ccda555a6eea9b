/**
 * The serving of a product, which its label states in words and in grams: `2 cookies (30 g)`.
 */
import { billionthsOf, canonicalDecimal } from '../../decimal.ts';

/** The name of a portion for which the label has no words. */
const SERVING = '1 serving';

export const GRAM = '(?:g|grs?|gms?|grms?|grams?|grammes?|gramm|gramos?|grammi|гр?)(?![\\p{L}\\d])\\.?';
/** An amount of grams, with what leads to it: `2 x 15 g`, `approx. 30g`, `= 30 g`. */
const GRAMS = new RegExp(
  `(?:\\b(?:about|approx\\.?|approximately|env\\.?|environ|ca\\.?|circa|soit|ungefähr)\\s*)?` +
    `(?<![\\d.,])(\\d+\\s*[x×*]\\s*)?(\\d+(?:[.,]\\d+)?)\\s*${GRAM}`,
  'giu',
);
/** Thousands in one convention, decimals in the other. */
const DOUBTFUL = /^[1-9]\d{0,2}[.,]\d{3}$/;
const MASS = new RegExp(`\\d\\s*(?:${GRAM}|(?:oz|onz|ounces?|lbs?|kg)\\b)`, 'iu');
const VOLUME = /\d\s*(?:ml|mlt|cl|dl|l|lit(?:er|re)s?|fl\.?\s*oz)\b/i;

/**
 * The weight in grams that the text of a serving states; NaN if it states none, or one that may be read in two ways.
 * A volume is not a weight: how much it weighs depends on the food.
 */
export function gramsIn(text: string): number {
  const [first] = text.matchAll(GRAMS);
  const [, times, amount = ''] = first ?? [];
  if (times !== undefined || DOUBTFUL.test(amount)) return Number.NaN;
  const decimal = canonicalDecimal(amount.replace(',', '.'));
  return decimal === undefined ? Number.NaN : billionthsOf(decimal);
}

/** Whether a text states a weight, in any unit, and no volume. */
export const isMass = (text: string): boolean => MASS.test(text) && !VOLUME.test(text);

/** The words of a serving without its grams. */
export function wordsOf(text: string): string {
  const words = text
    .replace(GRAMS, ' ')
    .replace(/([([])[\s/=|:;,~≈+-]+/g, '$1')
    .replace(/[\s/=|:;,~≈+-]+([)\]])/g, '$1')
    .replace(/\(\s*\)|\[\s*\]/g, ' ')
    .replace(/^[\s/=|:;,.~≈+-]+|[\s/=|:;,~≈+-]+$/g, '')
    .replace(/^\(([^()]*)\)$/, '$1');
  if (!/\p{L}/u.test(words)) return SERVING;
  return /^(?:per )?(?:serving|portion)(?: size)?$/i.test(words) ? SERVING : words;
}
