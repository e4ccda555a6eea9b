/**
 * Tables of figures, in the format of the page's locale: rounded once for display, with every digit in the tooltip. Intl
 * formats strings exactly, but numbers only to double precision.
 */

import type { Big } from 'big.js';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { typedText } from '../foods/amount.ts';
import type { Nutrient } from '../foods/food.ts';
import type { EnergyPart, Total } from '../foods/plate.ts';
import { LOCALE } from '../texts/language.ts';
import { t } from '../texts/texts.ts';

const formatOf = (digits: number, least = digits) =>
  new Intl.NumberFormat(LOCALE, {
    minimumFractionDigits: least,
    maximumFractionDigits: digits,
    signDisplay: 'negative',
  });

const WHOLE = formatOf(0);
const TENTHS = formatOf(1);
/** Older versions of Intl allow no more fraction digits. */
const EXACT = formatOf(20, 0);

const formatted = (format: Intl.NumberFormat, text: string): string =>
  format.format(text as Intl.StringNumericLiteral);

const localCount = (count: number): string => WHOLE.format(count);

/** An amount as it is typed: "12,5 g". */
export const localText = (text: string): string => text.replace(/^\d+\.\d/, (number) => typedText(number));

export const shownText = (text: string, { digits }: Pick<Nutrient, 'digits'>): string =>
  formatted(digits === 0 ? WHOLE : TENTHS, text);

/** A total that leaves foods out is marked. */
export const totalText = (total: Total): string =>
  `${shownText(total.sum.toFixed(), total)}${total.unknown > 0 ? '*' : ''}`;

export const exactText = (text: string, { unit }: Nutrient): string => `${formatted(EXACT, text)} ${unit}`;

/** A part that rounds to nothing is not nothing. */
export const percentText = ({ kcal, percent }: EnergyPart): string =>
  percent === 0 && kcal.gt(0) ? '<1 %' : `${localCount(percent)} %`;

/** Explicit roles: the style sheet lays out rows as grids, and browsers then drop the native ones. */
export const role = <const Role extends string>(role: Role) => ({ role });

interface HeadProps {
  readonly sort?: 'ascending' | 'descending' | undefined;
  readonly children: ComponentChildren;
}

export function ColumnHead({ sort, children }: HeadProps) {
  return (
    <th scope="col" aria-sort={sort} {...role('columnheader')}>
      {children}
    </th>
  );
}

interface CellProps {
  /** Null if it is not known, undefined until it is. */
  readonly figure: string | Big | null | undefined;
  readonly nutrient: Nutrient;
}

/** Shown beside a figure that has no column heading. */
const letterOf = ({ unit, shortName }: Nutrient) => (unit === 'kcal' ? unit : t(shortName)[0]);

/** The cell of a figure. The style sheet shows the letter if there is no column heading. */
export function FigureCell({ figure, nutrient }: CellProps) {
  const text = typeof figure === 'object' ? figure?.toFixed() : figure;
  return (
    <td
      className="figure"
      data-letter={figure === undefined ? undefined : letterOf(nutrient)}
      title={text && exactText(text, nutrient)}
      {...role('cell')}
    >
      {figure === null && <span aria-hidden="true">–</span>}
      {figure === null && <span className="unseen">{t('notKnown')}</span>}
      {text && shownText(text, nutrient)}
    </td>
  );
}

/** Whether the element is visible: not in a closed sheet, nor far down a long list. It stays as it is while that is not wanted. */
export function useIsSeen(place: RefObject<Element | null>, isWanted = true): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (!isWanted || place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      for (const { isIntersecting } of entries) setIsSeen(isIntersecting);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isWanted, place]);
  return isSeen;
}
