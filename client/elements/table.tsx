import type { ReactNode } from 'react';
import { NUTRIENTS } from '../foods/food.ts';

/**
 * Explicit roles for the parts of a table. On narrow screens the style sheet lays rows out as grids, and browsers then
 * drop the native roles.
 */
export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const CELL = { role: 'cell' } as const;
export const ROW_HEADER = { role: 'rowheader' } as const;
const COLUMN_HEADER = { role: 'columnheader' } as const;

export function ColumnHead({ children }: { readonly children: ReactNode }) {
  return (
    <th scope="col" {...COLUMN_HEADER}>
      {children}
    </th>
  );
}

export function NutrientHeads() {
  return NUTRIENTS.map(({ key, shortName, unit }) => (
    <ColumnHead key={key}>
      {shortName} <small>{unit}</small>
    </ColumnHead>
  ));
}
