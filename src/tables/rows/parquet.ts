/** Reads Parquet files by their columns, a group of rows at a time. */
import { open, stat } from 'node:fs/promises';
import zlib from 'node:zlib';
import {
  type AsyncBuffer,
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { shown, UserError } from '#core';
import { zstdDecompressSync } from '../bytes/streams.ts';

/** Rows of a group; programs write at most 1,048,576, unless they are told to write more. */
const MAX_GROUP_ROWS = 4 * 1024 * 1024;
/** Bytes of the part of one column, compressed. */
const MAX_CHUNK = 1024 * 1024 * 1024;
/** Bytes of a page, decompressed; programs write about one megabyte. */
const MAX_PAGE = 256 * 1024 * 1024;
/** Values of lists in a row, on average. */
const MAX_LIST = 1000;

type Reads = (path: readonly string[]) => boolean;
export type ParquetFile = Awaited<ReturnType<typeof openParquet>>;

export async function openParquet(source: string | Buffer, where: string, onBytes: (count: number) => void) {
  const guarded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    work().catch((error: unknown) => {
      if (error instanceof UserError) throw error;
      // The library throws errors of many kinds at damaged bytes.
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError(
        `${where}: the Parquet file cannot be read (${shown(reason).slice(1, -1)}). Download or write it again.`,
      );
    });
  return guarded(async () => {
    const bytes = await bufferOf(source, onBytes);
    const metadata = await parquetMetadataAsync(bytes, { geoparquet: false });
    return {
      columns: topElements(metadata).map(({ name }) => name),
      /** The values of these columns, group by group. @param reads whether this path within a structure is read */
      groups: async function* (columns: readonly string[], reads: Reads = () => true) {
        const wanted: Reads = (path) => columns.includes(path[0] ?? '') && reads(path);
        for (const group of metadata.row_groups)
          yield await guarded(async () => {
            const part = partOf(metadata, group, wanted);
            for (const chunk of part.row_groups[0]?.columns ?? [])
              await checkChunk(bytes, chunk, part, where);
            return rowsOf(bytes, columns, part);
          });
      },
    };
  });
}

async function bufferOf(source: string | Buffer, onBytes: (count: number) => void): Promise<AsyncBuffer> {
  const byteLength = typeof source === 'string' ? (await stat(source)).size : source.length;
  const slice = async (start: number, end = byteLength): Promise<ArrayBuffer> => {
    if (!(start >= 0 && end >= start && end <= byteLength))
      throw new RangeError(`bytes ${start} to ${end} of ${byteLength}`);
    const part = new Uint8Array(end - start);
    if (typeof source !== 'string') part.set(source.subarray(start, end));
    else {
      const handle = await open(source);
      onBytes((await handle.read(part, 0, part.length, start).finally(() => handle.close())).bytesRead);
    }
    return part.buffer;
  };
  return { byteLength, slice };
}

/** The description of a file with this group and these columns alone: the library looks through all at each call. */
function partOf(metadata: FileMetaData, group: RowGroup, wanted: Reads): FileMetaData {
  const [root, ...elements] = elementsOf(parquetSchema(metadata), wanted);
  if (root === undefined) throw new Error('it has no schema');
  const columns = group.columns.filter(({ meta_data }) => wanted(meta_data?.path_in_schema ?? []));
  const schema = [root, ...elements];
  const part = { ...metadata, schema, row_groups: [{ ...group, columns }], num_rows: group.num_rows };
  const sorted = (paths: readonly (readonly string[])[]): string =>
    JSON.stringify(paths.map((path) => JSON.stringify(path)).toSorted());
  const found = columns.map(({ meta_data }) => meta_data?.path_in_schema ?? []);
  // The library would lose their errors.
  if (sorted(found) !== sorted(leavesOf(parquetSchema(part))))
    throw new Error('its parts are not those of its columns');
  return part;
}

async function rowsOf(
  file: AsyncBuffer,
  columns: readonly string[],
  metadata: FileMetaData,
): Promise<unknown[][]> {
  let rows: unknown[][] = [];
  await parquetRead({
    file,
    metadata,
    columns: [...columns],
    compressors: await compressors(),
    onComplete: (found) => {
      rows = found;
    },
  });
  const elements = topElements(metadata);
  for (const [i, name] of columns.entries()) {
    const convert = converterOf(elements.find((each) => each.name === name));
    if (convert !== undefined) for (const row of rows) row[i] = convert(row[i]);
  }
  return rows;
}

/** Refuses a part of a column that would fill memory: the library trusts the numbers in the file. */
async function checkChunk(
  file: AsyncBuffer,
  { meta_data }: ColumnChunk,
  { num_rows }: FileMetaData,
  where: string,
): Promise<void> {
  const rows = Number(num_rows);
  if (meta_data === undefined) throw new Error('a column without description');
  const { path_in_schema, total_compressed_size, num_values } = meta_data;
  const start = Number(meta_data.dictionary_page_offset ?? meta_data.data_page_offset);
  const size = Number(total_compressed_size);
  const isList = path_in_schema.length > 1;
  if (
    rows > MAX_GROUP_ROWS ||
    size > MAX_CHUNK ||
    Number(num_values) > (isList ? Math.max(rows, 1000) * MAX_LIST : rows)
  )
    throw new UserError(
      `${where}: a group of ${rows} rows is too large to be read. Write it with groups of 100,000 rows.`,
    );
  const bytes = await file.slice(start, start + size);
  const reader = { view: new DataView(bytes), offset: 0 };
  let values = 0;
  while (reader.offset < bytes.byteLength - 1) {
    const header = parquetHeader(reader);
    reader.offset += header.compressed_page_size;
    const page = header.data_page_header ?? header.data_page_header_v2;
    values += page?.num_values ?? 0;
    const inPage = page?.num_values ?? header.dictionary_page_header?.num_values ?? 0;
    if (
      !(header.compressed_page_size >= 0 && header.uncompressed_page_size <= MAX_PAGE) ||
      !(inPage >= 0 && inPage <= Number(num_values)) ||
      values > Number(num_values)
    )
      throw new Error('a page with impossible numbers');
  }
}

function elementsOf(tree: SchemaTree, wanted: Reads): SchemaElement[] {
  if (tree.children.length === 0) return wanted(tree.path) ? [tree.element] : [];
  const children = tree.children.map((child) => elementsOf(child, wanted)).filter(({ length }) => length > 0);
  if (children.length === 0) return [];
  return [{ ...tree.element, num_children: children.length }, ...children.flat()];
}

function leavesOf({ path, children }: SchemaTree): (readonly string[])[] {
  return children.length === 0 ? [path] : children.flatMap(leavesOf);
}

function topElements(metadata: FileMetaData): SchemaElement[] {
  const elements = parquetSchema(metadata).children.map(({ element }) => element);
  if (elements.some(({ name }) => typeof name !== 'string')) throw new Error('a column without a name');
  return elements;
}

/** The compressions of pages that the library lacks. A page that is larger decompressed than it claims is damaged. */
async function compressors(): Promise<Compressors> {
  // Loading the library takes a tenth of the time of a start.
  const { decompressLz4, decompressLz4Raw, decompressZstd } = await import('hyparquet-compressors');
  return {
    GZIP: (packed, length) => zlib.gunzipSync(packed, { maxOutputLength: Math.max(length, 1) }),
    BROTLI: (packed, length) => zlib.brotliDecompressSync(packed, { maxOutputLength: Math.max(length, 1) }),
    // Node.js also verifies checksums.
    ZSTD: (packed, length) =>
      zstdDecompressSync?.(packed, { maxOutputLength: Math.max(length, 1) }) ??
      decompressZstd(packed, new Uint8Array(length)),
    LZ4: decompressLz4,
    LZ4_RAW: decompressLz4Raw,
  };
}

function converterOf(element: SchemaElement | undefined): ((value: unknown) => unknown) | undefined {
  const { type, converted_type, scale = 0 } = element ?? {};
  // The library multiplies decimals as binary numbers.
  if (converted_type === 'DECIMAL')
    return (value) => (typeof value === 'number' ? value.toFixed(Math.max(0, scale)) : value);
  return type === 'FLOAT' ? shortestFloat : undefined;
}

/** A number of four bytes with just the digits that distinguish it from others: 0.1 and not 0.10000000149011612. */
export function shortestFloat(value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  for (const digits of [6, 7, 8]) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}
