/**
 * The parts of tables, with explicit roles: the style sheet lays out rows as grids, and browsers then drop the native roles.
 */
import type { Big } from 'big.js';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Nutrient } from '../foods/food.ts';
import { exactText, shownText } from './figure.ts';

export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const CELL = { role: 'cell' } as const;
export const ROW_HEADER = { role: 'rowheader' } as const;
const COLUMN_HEADER = { role: 'columnheader' } as const;

interface HeadProps {
  readonly sort?: 'ascending' | 'descending' | undefined;
  readonly children: ComponentChildren;
}

export function ColumnHead({ sort, children }: HeadProps) {
  return (
    <th scope="col" aria-sort={sort} {...COLUMN_HEADER}>
      {children}
    </th>
  );
}

interface CellProps {
  /** Null if it is not known, undefined until it is. */
  readonly figure: string | Big | null | undefined;
  readonly nutrient: Nutrient;
}

/** The cell of a figure. The style sheet shows the letter if there is no column heading. */
export function FigureCell({ figure, nutrient }: CellProps) {
  const text = typeof figure === 'object' ? figure?.toFixed() : figure;
  return (
    <td
      className={figure === null ? 'figure unknown' : 'figure'}
      data-letter={figure === undefined ? undefined : nutrient.letter}
      title={text && exactText(text, nutrient)}
      {...CELL}
    >
      {figure === null && <span aria-hidden="true">–</span>}
      {figure === null && <span className="unseen">not known</span>}
      {text && shownText(text, nutrient)}
    </td>
  );
}

/** Whether the element has been visible since it was wanted: not in a closed sheet, nor far down a long list. */
export function useIsSeen(place: RefObject<Element | null>, isWanted = true): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !isWanted || place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen, isWanted, place]);
  return isSeen;
}
