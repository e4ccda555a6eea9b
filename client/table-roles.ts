/**
 * The roles of a table's parts, said aloud: where the style sheet lays rows out as grids (narrow screens), browsers
 * would otherwise forget that they are rows.
 */
export const TABLE = { role: 'table' } as const;
export const ROW_GROUP = { role: 'rowgroup' } as const;
export const ROW = { role: 'row' } as const;
export const CELL = { role: 'cell' } as const;
export const ROW_HEADER = { role: 'rowheader' } as const;
export const COLUMN_HEADER = { role: 'columnheader' } as const;
