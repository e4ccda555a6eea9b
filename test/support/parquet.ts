/** Writes Parquet files of texts. */
import { parquetWriteBuffer } from 'hyparquet-writer';

export const parquetOf = (names: readonly string[], rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: names.map((name, column) => ({
        name,
        data: rows.map((row) => row[column] ?? ''),
        type: 'STRING',
      })),
    }),
  );
