/**
 * Reads what people type into the search box, "2 eggs" or "a cup of milk", as an amount and a food. Kept libraries read
 * "12,5 g" as 125 g and "2% milk" as 2 "% milk" (parse-ingredient 3), so this is the page's own.
 */
import { Big } from 'big.js';
import { countText, type DecimalMark, isCount, readCount } from './amount.ts';

/** What a number counts: grams, millilitres, or pieces of a kind. */
export interface Measure {
  readonly kind: 'grams' | 'millilitres' | 'piece';
  /** Empty for the food's own piece, as in "2 eggs". */
  readonly name: string;
  /** The grams or millilitres of one. */
  readonly size: string;
}

export interface TypedAmount {
  readonly count: string;
  /** Absent in "2", which counts whatever was counted before. */
  readonly measure?: Measure;
}

export interface TypedText {
  readonly amount?: TypedAmount;
  /** The text without the amount. */
  readonly food: string;
}

/** Names of units, the first of which is shown, with the grams or millilitres of one. */
const SIZES: readonly (readonly [Measure['kind'], string, string])[] = [
  ['grams', '1', 'g=gr=gram=gramme'],
  ['grams', '1000', 'kg=kilo=kilogram=kilogramme'],
  ['grams', '28.35', 'oz=ounce'],
  ['grams', '453.592', 'lb=pound'],
  ['millilitres', '1', 'ml=millilitre=milliliter'],
  ['millilitres', '10', 'cl=centilitre=centiliter'],
  ['millilitres', '100', 'dl=decilitre=deciliter'],
  ['millilitres', '1000', 'l=litre=liter'],
  ['millilitres', '29.574', 'fl oz=fluid ounce'],
  ['millilitres', '236.588', 'cup'],
  ['millilitres', '240', 'glass'],
  ['millilitres', '14.787', 'tbsp=tablespoon'],
  ['millilitres', '4.929', 'tsp=teaspoon'],
];

/** Pieces, and other words for the same piece. */
const PIECES =
  'slice=rasher,piece=pc,can=tin,bottle,bar,clove,stick,pat,fillet,link,patty,cookie,cracker,sheet,leaf=leave,stalk,spear,ear,head,sprig,bunch,scoop,serving=portion,packet=sachet,package=pack,bag,container=pot=tub,jar,wedge,square,half,extra large,large=big,medium,small';

const MEASURES: ReadonlyMap<string, Measure> = new Map(
  [...SIZES, ...PIECES.split(',').map((names) => ['piece', '', names] as const)].flatMap(
    ([kind, size, names]) => {
      const [name = '', ...others] = names.split('=');
      return [name, ...others].map((each) => [each, { kind, name, size }] as const);
    },
  ),
);

/** The unit of this name, in the singular or the plural; undefined if it is none. */
export function measureOf(word: string): Measure | undefined {
  const name = word.toLowerCase().replace('.', '');
  return (
    MEASURES.get(name) ??
    MEASURES.get(name.replace(/s$/, '')) ??
    MEASURES.get(name.replace(/(ie|e)s$/, (_, end) => (end === 'ie' ? 'y' : '')))
  );
}

const COUNTS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const PARTS: Readonly<Record<string, string>> = { half: '0.5', quarter: '0.25', dozen: '12' };

const NUMBER = String.raw`(?:(?:\d+[ -])?\d+ ?[/⁄] ?\d+|\d[\d.,'’]*(?:[  ]\d{3}(?!\d))*|[.,]\d+)`;
const RANGE = new RegExp(`^(${NUMBER})(?: ?(?:-|–|to ) ?(${NUMBER}))?`, 'u');
const SPELLED = new RegExp(
  `^(?:(?:an? )?(half|quarter|dozen)(?: an?| of an?| of)?|(an?|${COUNTS.join('|')})(?: and (?:a|one) (half|quarter))?(?: (dozen))?)(?= |$)`,
  'iu',
);
/** A unit follows its number at once, or after a blank; of a word that begins a food, only what ends a word. */
const UNIT =
  /^ ?((?:fl\.? ?oz|fluid ounce|extra large|\p{L}+)s?\.?)(?![\p{L}\d%-])(?: of(?! \d)(?: (?:an?|the))?(?=\s))?/iu;

/** A number of the food's own name: 2% milk, 7-up, 7up. */
const OF_THE_NAME = /^[-'’\p{L}]/u;

/** Characters of a text that may end in an amount. */
const LONGEST = 200;

/** @param mark the decimal mark of the locale, for texts such as "1,234" */
export function readTyped(typed: string, mark: DecimalMark): TypedText {
  const text = plain(typed);
  const leading = readAmount(text, mark);
  if (leading !== undefined) return leading;
  // "rice 100 g": only with grams or millilitres, because "coffee 2" may be a name.
  const last = /^(.*\S.*?)(?:, ?| )(?<!\d,)([\d.,]\S*(?: \p{L}+)?)$/u.exec(text.length > LONGEST ? '' : text);
  const trailing = readAmount(last?.[2] ?? '', mark);
  const isWeighed = trailing?.food === '' && (trailing.amount.measure?.kind ?? 'piece') !== 'piece';
  if (isWeighed) return { amount: trailing.amount, food: (last?.[1] ?? '').replace(/,$/, '') };
  return { food: text };
}

/** In one line, with "½" as " 1/2". */
const plain = (typed: string): string =>
  typed
    .replaceAll(/[¼-¾⅐-⅞]/g, (fraction) => ` ${fraction}`)
    .normalize('NFKC')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The amount at the beginning, and the rest. */
function readAmount(text: string, mark: DecimalMark): Required<TypedText> | undefined {
  const number = readNumber(text, mark);
  if (number === undefined) return undefined;
  const after = text.slice(number.length);
  const [unitText = '', word = ''] = UNIT.exec(after) ?? [];
  const measure = measureOf(word.replaceAll(/\. ?|\s+/g, ' ').trim());
  const isAttached = !after.startsWith(' ') && /^\d/.test(text);
  // "2 slices" is all that was typed of a food: slices.
  const food = after.slice(unitText.length).trim();
  if (measure !== undefined) return { amount: { count: number.count, measure }, food };
  const times = /^ ?[x×](?= )/i.exec(after)?.[0].length ?? 0;
  if (/^ ?[%‰]/.test(after) || (times === 0 && isAttached && OF_THE_NAME.test(after))) return undefined;
  return { amount: { count: number.count }, food: after.slice(times).trim() };
}

/** The number at the beginning, and its length. Of a range it is the middle. */
function readNumber(text: string, mark: DecimalMark) {
  const [digits = '', first = '', last] = RANGE.exec(text) ?? [];
  if (first !== '') {
    const [least, most] = [quantityOf(first, mark), quantityOf(last ?? first, mark)];
    const count = least && most?.gte(least) ? least.plus(most).div(2).round(6).toFixed() : undefined;
    return count !== undefined && isCount(count) ? { count, length: digits.length } : undefined;
  }
  const found = SPELLED.exec(text);
  if (found === null) return undefined;
  const [spelled, part = '', whole = '', more = '', dozen] = found;
  // "half and half" is a food.
  if (/^ (?:and|&)/i.test(text.slice(spelled.length))) return undefined;
  // "a" counts one.
  const value = PARTS[part.toLowerCase()] ?? String(Math.max(0, COUNTS.indexOf(whole.toLowerCase())) + 1);
  const count = new Big(value).plus(PARTS[more.toLowerCase()] ?? 0).times(dozen === undefined ? 1 : 12);
  return { count: count.toFixed(), length: spelled.length };
}

/** "1 1/2" or "12,5". */
function quantityOf(text: string, mark: DecimalMark): Big | undefined {
  const fraction = /^(?:(\d+)[ -])?(\d+) ?[/⁄] ?(\d+)$/.exec(text);
  if (fraction === null) {
    const count = readCount(text.replace(/[.,]$/, ''), mark);
    return count === undefined ? undefined : new Big(count);
  }
  const [, whole = 0, above = 0, below = 0] = fraction;
  return Number(below) === 0 ? undefined : new Big(above).div(below).plus(whole);
}

/** What a pasted or typed list has, a line each; undefined if the text is not a list: at least two of its parts have amounts. */
export function readList(typed: string, mark: DecimalMark): readonly string[] | undefined {
  const hasAmount = (part: string) => {
    const { amount, food } = readTyped(part, mark);
    return amount !== undefined && food !== '';
  };
  const isInLines = /[;\n]/.test(typed);
  const parts = typed
    .split(isInLines ? /[;\n]/ : /,(?!\d)|(?<=\D),/)
    .flatMap((part) => part.split(/\s(?:and|&)\s(?=\d|[½¼¾]|(?:an?|one|two|three|half)\s)/i))
    .map((part) => part.replace(/^[\s,•*–-]+|[\s,]+$/g, ''))
    .filter((part) => part !== '');
  return parts.length < 2 || (!isInLines && parts.filter(hasAmount).length < 2) ? undefined : parts;
}

/** "100 g", "2 slices", "2 of each". */
export const typedAmountText = ({ count, measure }: TypedAmount): string =>
  countText({ count, unit: { portion: measure ? `1 ${measure.name}` : '1 of each', grams: '' } });
