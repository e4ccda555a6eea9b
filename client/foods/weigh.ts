/** Typed amounts in grams or in a portion of the food: "2" of an egg is twice its portion "1 large". */
import { Big } from 'big.js';
import { type Amount, GRAMS, HUNDRED_GRAMS, isAmount, type Unit } from './amount.ts';
import { type Measure, measureOf, type TypedAmount } from './typed-text.ts';

export interface Weighed {
  readonly amount: Amount;
  /** What was assumed, or why the amount could not be weighed. */
  readonly note?: string;
}

interface Counted {
  readonly unit: Unit;
  /** "1/2 cup" counts 0.5 of a cup. */
  readonly number: Big;
  readonly words: readonly string[];
  readonly measure: Measure | undefined;
}

/** Whether portions are needed to weigh it. */
export const needsPortions = ({ measure }: TypedAmount): boolean => measure?.kind !== 'grams';

/** @param portions of the food; undefined if nobody can know them */
export function weigh(typed: TypedAmount, name: string, portions: readonly Unit[] = []): Weighed {
  const { count, measure = { kind: 'piece', name: '', size: '' } } = typed;
  const weighed = inMeasure(new Big(count), measure, name, portions.flatMap(countedOf));
  return isAmount(weighed.amount) ? weighed : { amount: HUNDRED_GRAMS, note: 'more than 100 kg' };
}

function inMeasure(count: Big, measure: Measure, name: string, portions: readonly Counted[]): Weighed {
  if (measure.kind === 'grams') return { amount: amountOf(count.times(measure.size), GRAMS) };
  const portion =
    measure.kind === 'piece'
      ? pieceOf(measure.name, name, portions)
      : portions.find(({ measure: other }) => other?.name === measure.name);
  if (portion !== undefined) return { amount: amountOf(count.div(portion.number), portion.unit) };
  const unknown = { amount: HUNDRED_GRAMS, note: `no weight known for a ${measure.name || 'piece'}` };
  if (measure.kind === 'piece') return unknown;
  const volume = portions.find(({ measure: other }) => other?.kind === 'millilitres');
  if (volume?.measure !== undefined) {
    const perMl = new Big(volume.unit.grams).div(volume.number).div(volume.measure.size);
    const grams = perMl.times(measure.size).round(measure.size === '1' ? 3 : 1);
    return { amount: amountOf(count, { portion: `1 ${measure.name}`, grams: grams.toFixed() }) };
  }
  // Water weighs 1 g per ml; a cup of something dry may weigh a fifth of that.
  if (/^.?l$/.test(measure.name)) {
    return {
      amount: amountOf(count, { portion: `1 ${measure.name}`, grams: measure.size }),
      note: 'as 1 g per ml',
    };
  }
  return unknown;
}

const amountOf = (count: Big, unit: Unit): Amount => ({ count: count.round(6).toFixed(), unit });

/** "1/4 fruit, small" is a quarter of "fruit, small"; of "8 fl oz (1 serving)" only what is before the bracket counts. */
function countedOf(unit: Unit): readonly Counted[] {
  const [, above, below = 1, text = ''] = /^(\d*\.?\d+)(?:\/(\d+))? (.+)$/.exec(unit.portion) ?? [];
  if (above === undefined || !(Number(above) > 0) || !(Number(below) > 0)) return [];
  const words = text.toLowerCase().match(/[\p{L}]+/gu) ?? [];
  const measure = measureOf(words.slice(0, 2).join(' ')) ?? measureOf(words[0] ?? '');
  return [{ unit, number: new Big(above).div(below), words, measure }];
}

/** Portions that are no piece of a food. */
const BULK =
  /^(serving|packet|package|bag|container|jar|bunch|recipe|order|cubic|inch|scoop|sprig|leaf|head|roast|nlea)/;

/** The portion with this name; without one, the food's own piece: "1 avocado", else a large or medium one, else any other. */
function pieceOf(wanted: string, name: string, portions: readonly Counted[]): Counted | undefined {
  if (wanted !== '') {
    const [first = '', second] = wanted.split(' ');
    return (
      portions.find(({ measure }) => measure?.name === wanted) ??
      portions.find(({ words }) =>
        words.some(
          (word, index) =>
            isNamed(word, first) &&
            (second === undefined ? words[index - 1] !== 'extra' : isNamed(words[index + 1] ?? '', second)),
        ),
      )
    );
  }
  const pieces = portions.filter(
    ({ measure, words }) =>
      (measure?.kind ?? 'piece') === 'piece' && !BULK.test(words[0] ?? '') && !BULK.test(measure?.name ?? ''),
  );
  const names = name.toLowerCase();
  return (
    pieces.find(({ words }) => names.includes(singular(words[0] ?? ''))) ??
    pieces.find(({ words }) => /^(large|medium)$/.test(words[0] ?? '')) ??
    pieces.find(({ words }) => !/^(extra|small|mini)/.test(words[0] ?? '')) ??
    pieces[0]
  );
}

const singular = (word: string): string => word.replace(/(?<=..)s$/, '');

const isNamed = (word: string, name: string): boolean => singular(word) === name || word === name;
