import type { ReactNode } from 'react';
import { NUTRIENTS } from './food.ts';
import { COLUMN_HEADER } from './table-roles.ts';

/** The head of one column. */
export function ColumnHead({ children }: { readonly children: ReactNode }) {
  return (
    <th scope="col" {...COLUMN_HEADER}>
      {children}
    </th>
  );
}

/** The heads of the four columns of figures. */
export function NutrientHeads() {
  return NUTRIENTS.map(({ key, shortName, unit }) => (
    <ColumnHead key={key}>
      {shortName} <small>{unit}</small>
    </ColumnHead>
  ));
}
