import type { ComponentChildren } from 'preact';

/**
 * Explicit roles for the parts of a table. The style sheet lays out rows as grids, and browsers then drop the native roles.
 */
export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const CELL = { role: 'cell' } as const;
export const ROW_HEADER = { role: 'rowheader' } as const;
const COLUMN_HEADER = { role: 'columnheader' } as const;

interface Props {
  readonly sort?: 'ascending' | 'descending' | undefined;
  readonly children: ComponentChildren;
}

export function ColumnHead({ sort, children }: Props) {
  return (
    <th scope="col" aria-sort={sort} {...COLUMN_HEADER}>
      {children}
    </th>
  );
}
