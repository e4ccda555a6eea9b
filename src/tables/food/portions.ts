/**
 * The rules of portions and servings, as in docs/sources.md. Weights are billionths of a gram (src/core/decimal.ts); NaN is
 * "not known".
 */
import {
  BILLION,
  billionthsOf,
  decimalOfBillionths,
  divideRounded,
  type FoodRecord,
  type Portion,
} from '#core';
import type { SourceReport } from '../report/source-report.ts';
import { MAX_PORTIONS } from '../words/headings.ts';
import { decimalIn } from '../words/numbers.ts';

/** Characters of a portion; the longest of release 28 have 90. */
const MAX_PORTION_LENGTH = 120;
/** g; the heaviest portion of release 28, a whole turkey, has 5.7 kg. */
export const MAX_PORTION_GRAMS = 10_000;

/** g; a weight in an own table is the user's own, but no portion of a food weighs more than a tonne. */
export const MOST_GRAMS = 1_000_000;
/** g; anything less is rounded to 0. */
export const LEAST_GRAMS = 0.0005;

const MILLIGRAM = BILLION / 1000;

/** Collects the portions of foods, one food at a time, and counts what is left out. */
export class Portions {
  readonly #report: SourceReport;
  readonly #most: number;
  #portions: Portion[] = [];

  /** @param most g that a portion may weigh */
  constructor(report: SourceReport, most = MAX_PORTION_GRAMS) {
    this.#report = report;
    this.#most = most;
  }

  /** Adds a portion as its source writes it; one that only states grams is skipped. */
  add(source: string, weight: number, place = this.#report.place): void {
    const portion = portionText(source);
    if (portion === '' || GRAMS_ALONE.test(portion)) return;
    const milligrams = Number.isFinite(weight) ? divideRounded(weight, MILLIGRAM) : weight;
    const fault = this.#faultOf(portion, milligrams);
    if (fault !== undefined) return void this.#report.portionsLeftOut.add(fault, place);
    const grams = decimalOfBillionths(milligrams * MILLIGRAM);
    const same = this.#portions.find((each) => each.portion.toLowerCase() === portion.toLowerCase());
    if (same === undefined) this.#portions.push({ portion, grams });
    else if (same.grams !== grams)
      this.#report.portionsLeftOut.add('portion that the food has with another weight', place);
    if (weight !== milligrams * MILLIGRAM)
      this.#report.repaired.add('weight of a portion rounded to three digits after the point', place);
  }

  /** The portions since the last call, as a food has them; without any, it has no such field. */
  take(): Pick<FoodRecord, 'portions'> {
    const portions = this.#portions;
    if (portions.length === 0) return {};
    this.#portions = [];
    return { portions };
  }

  #faultOf(portion: string, milligrams: number): string | undefined {
    if (Number.isNaN(milligrams)) return 'portion whose weight is not known';
    if (milligrams <= 0) return 'portion of 0 g or less';
    if (milligrams > this.#most * 1000) return `portion of more than ${this.#most.toLocaleString('en')} g`;
    if (portion.length > MAX_PORTION_LENGTH) return `portion of more than ${MAX_PORTION_LENGTH} characters`;
    return this.#portions.length < MAX_PORTIONS
      ? undefined
      : `portion beyond the ${MAX_PORTIONS}th of a food`;
  }
}

const GRAM = '(?:g|grs?|gms?|grms?|grams?|grammes?|gramm|gramos?|grammi|гр?)(?![\\p{L}\\d])\\.?';
/** A weight in grams, which every food has anyway. */
const GRAMS = `[\\d.,/\\s]*\\d\\s*${GRAM}`;
const GRAMS_ALONE = new RegExp(`^${GRAMS}$`, 'iu');
const GRAMS_FIRST = new RegExp(`^${GRAMS}\\s*[,;]\\s*(?=\\S)`, 'iu');

const UNUSUAL =
  /[^\x21-\x7e ]|^[\s,;]|[\s,;]$|\s[\s,;)]|[,;]\s?[,;(]|\(\s|^\d*\.\d|NLEA|NFS|yields?$|^\d[\d.,/]* ?g/i;

const FRACTIONS: ReadonlyMap<string, string> = new Map(
  '1/12 .083|1/8 .125|1/6 .167|1/5 .2|1/4 .25|1/3 .33 .333|1/2 .5 .50|2/3 .66 .666 .667 .67|3/4 .75'
    .split('|')
    .map((each) => each.split(' '))
    .flatMap(([fraction = '', ...decimals]) => decimals.map((decimal) => [decimal, fraction] as const)),
);

/** Without superfluous spaces and commas, and the terms of the laboratory (NLEA: of a label; NFS: not further specified). */
export function portionText(source: string): string {
  if (!UNUSUAL.test(source)) return source;
  return source
    .normalize('NFC')
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\bNLEA (?=serving)/gi, '')
    .replace(/,? NFS\b/g, '')
    .replace(/(?:,? yields|, yield) *$/, '')
    .replace(/(?: ?[,;])+(?= ?[,;])/g, '')
    .replace(/ ?[,;] ?\(/g, ' (')
    .replace(/\( | (?=[),;])/g, (found) => found.trim())
    .replace(/^[\s,;]+|[\s,;]+$/g, '')
    .replace(GRAMS_FIRST, '')
    .replace(/^0?(\.\d+)(?= )/, (_, fraction: string) => FRACTIONS.get(fraction) ?? `0${fraction}`)
    .replace(/^(\d+)\.0+(?= )/, '$1');
}

const SERVING = '1 serving';

/** An amount of grams, with what leads to it: `2 x 15 g`, `approx. 30g`, `= 30 g`. */
const SERVED_GRAMS = new RegExp(
  `(?:\\b(?:about|approx\\.?|approximately|env\\.?|environ|ca\\.?|circa|soit|ungefähr)\\s*)?` +
    `(?<![\\d.,])(\\d+\\s*[x×*]\\s*)?(\\d+(?:[.,]\\d+)?)\\s*${GRAM}`,
  'giu',
);
const MASS = new RegExp(`\\d\\s*(?:${GRAM}|(?:oz|onz|ounces?|lbs?|kg)\\b)`, 'iu');
const VOLUME = /\d\s*(?:ml|mlt|cl|dl|l|lit(?:er|re)s?|fl\.?\s*oz)\b/i;

/** The weight in grams that the text of a serving states, not a volume; NaN if there is none, or it may be read in two ways. */
export function servedGrams(text: string): number {
  const [first] = text.matchAll(SERVED_GRAMS);
  const [, times, amount = ''] = first ?? [];
  const decimal = times === undefined ? decimalIn(amount) : undefined;
  return decimal === undefined ? Number.NaN : billionthsOf(decimal);
}

export const isMass = (text: string): boolean => MASS.test(text) && !VOLUME.test(text);

export function servingWords(text: string): string {
  const words = text
    .replace(SERVED_GRAMS, ' ')
    .replace(/([([])[\s/=|:;,~≈+-]+/g, '$1')
    .replace(/[\s/=|:;,~≈+-]+([)\]])/g, '$1')
    .replace(/\(\s*\)|\[\s*\]/g, ' ')
    .replace(/^[\s/=|:;,.~≈+-]+|[\s/=|:;,~≈+-]+$/g, '')
    .replace(/^\(([^()]*)\)$/, '$1');
  if (!/\p{L}/u.test(words)) return SERVING;
  return /^(?:per )?(?:serving|portion)(?: size)?$/i.test(words) ? SERVING : words;
}
