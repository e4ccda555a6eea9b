/** The process that reads an old workbook, so that a damaged one can be given up. Sends its sheets, or why there are none. */
import { Worker } from 'node:worker_threads';
import xlsx, { type CellObject } from '@e965/xlsx';

export interface Task {
  readonly bytes: Uint8Array;
  /** ms of the processor after which this process ends itself. */
  readonly mostTime: number;
}

export interface SentSheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** By row and column, with holes where nothing is stored. */
  readonly rows: readonly (readonly (string | number | undefined)[])[];
}

/** A number as it is stored; a date, a percentage or an error as it is shown. */
function cellOf({ t, v, w, z }: CellObject): string | number | undefined {
  if (t === 'e') return w ?? '#ERROR!';
  if (t === 'b') return v === true ? 'TRUE' : 'FALSE';
  if (typeof v !== 'number') return typeof v === 'string' ? v : undefined;
  const isShown = typeof z === 'string' && (z.includes('%') || xlsx.SSF.is_date(z));
  if (isShown && z.includes('%')) return `${Number((v * 100).toPrecision(15))}%`;
  return isShown ? w : Number(v.toPrecision(15));
}

function sheetsIn(bytes: Uint8Array): SentSheet[] {
  const book = xlsx.read(bytes, {
    type: 'array',
    dense: true,
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
  });
  return book.SheetNames.map((name, i) => {
    const rows = Array.from(book.Sheets[name]?.['!data'] ?? [], (cells = []) =>
      Array.from(cells, (cell) => (cell === undefined ? undefined : cellOf(cell))),
    );
    return { name, isHidden: (book.Workbook?.Sheets?.[i]?.Hidden ?? 0) > 0, rows };
  });
}

// Listening keeps this process until the other one ends it, or is gone.
process.on('message', ({ bytes, mostTime }: Task) => {
  new Worker(new URL('./time-limit-worker.js', import.meta.url), { workerData: mostTime }).unref();
  try {
    process.send?.(sheetsIn(bytes));
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
  }
});
