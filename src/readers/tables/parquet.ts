/**
 * Reads Parquet files by their columns, a group of rows at a time.
 */
import zlib from 'node:zlib';
import {
  type ColumnChunk,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type RowGroup,
  type SchemaElement,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { shown, UserError } from '../../errors.ts';
import type { RandomAccess } from '../bytes/random-access.ts';

/** Rows of a group; programs write at most 1,048,576, unless they are told to write more. */
const MAX_GROUP_ROWS = 4 * 1024 * 1024;
/** Bytes of the part of one column, compressed. */
const MAX_CHUNK = 1024 * 1024 * 1024;
/** Bytes of a page, decompressed; programs write about one megabyte. */
const MAX_PAGE = 256 * 1024 * 1024;
/** Values of lists in a row, on average. */
const MAX_LIST = 1000;

/** A value as in the file: lists and structures stay as they are. */
export type ParquetValue = unknown;

export class ParquetFile {
  /** The names of the columns at the top. */
  readonly columns: readonly string[];
  readonly #bytes: RandomAccess;
  readonly #metadata: FileMetaData;
  readonly #where: string;

  private constructor(bytes: RandomAccess, metadata: FileMetaData, where: string) {
    this.#bytes = bytes;
    this.#metadata = metadata;
    this.#where = where;
    this.columns = topElements(metadata).map(({ name }) => name);
  }

  /** @throws UserError if the file is damaged; it is then closed */
  static async open(bytes: RandomAccess, where: string): Promise<ParquetFile> {
    try {
      return new ParquetFile(bytes, await parquetMetadataAsync(bytes, { geoparquet: false }), where);
    } catch (error) {
      await bytes.close();
      throw damaged(where, error);
    }
  }

  /**
   * The values of these columns, group by group.
   * @param reads whether the values of this path are read, if a column contains structures
   * @throws UserError
   */
  async *groups(
    columns: readonly string[],
    reads: (path: readonly string[]) => boolean = () => true,
  ): AsyncGenerator<ParquetValue[][]> {
    const wanted = (path: readonly string[]): boolean => columns.includes(path[0] ?? '') && reads(path);
    for (const group of this.#metadata.row_groups) {
      let rows: ParquetValue[][];
      try {
        rows = await this.#rowsOf(columns, this.#partOf(group, wanted));
      } catch (error) {
        throw damaged(this.#where, error);
      }
      yield rows;
    }
  }

  /** The description of a file with this group and these columns alone: the library looks through all at each call. */
  #partOf(group: RowGroup, wanted: (path: readonly string[]) => boolean): FileMetaData {
    const [root, ...elements] = partOf(parquetSchema(this.#metadata), wanted);
    if (root === undefined) throw new Error('it has no schema');
    const columns = group.columns.filter(({ meta_data }) => wanted(meta_data?.path_in_schema ?? []));
    return {
      ...this.#metadata,
      schema: [root, ...elements],
      row_groups: [{ ...group, columns }],
      num_rows: group.num_rows,
    };
  }

  async #rowsOf(columns: readonly string[], metadata: FileMetaData): Promise<ParquetValue[][]> {
    checkPaths(metadata);
    for (const { columns: chunks } of metadata.row_groups) {
      for (const chunk of chunks) await this.#check(chunk, Number(metadata.num_rows));
    }
    let rows: ParquetValue[][] = [];
    await parquetRead({
      file: this.#bytes,
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

  async close(): Promise<void> {
    await this.#bytes.close();
  }

  /** Refuses a part of a column that would fill memory: the library trusts the numbers in the file. */
  async #check({ meta_data }: ColumnChunk, rows: number): Promise<void> {
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
        `${this.#where}: a group of ${rows} rows is too large to be read. Write it with groups of 100,000 rows.`,
      );
    const bytes = await this.#bytes.slice(start, start + size);
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
}

/** Refuses parts that are not those of the schema, one for each: the library would lose their errors. */
function checkPaths(metadata: FileMetaData): void {
  const sorted = (paths: readonly (readonly string[])[]): string =>
    JSON.stringify(paths.map((path) => JSON.stringify(path)).toSorted());
  const found = metadata.row_groups.flatMap(({ columns }) =>
    columns.map(({ meta_data }) => meta_data?.path_in_schema ?? []),
  );
  if (sorted(found) !== sorted(leavesOf(parquetSchema(metadata))))
    throw new Error('its parts are not those of its columns');
}

/** The elements of a schema, as the file lists them, without those of other paths. */
function partOf(tree: SchemaTree, wanted: (path: readonly string[]) => boolean): SchemaElement[] {
  if (tree.children.length === 0) return wanted(tree.path) ? [tree.element] : [];
  const children = tree.children.map((child) => partOf(child, wanted)).filter(({ length }) => length > 0);
  if (children.length === 0) return [];
  return [{ ...tree.element, num_children: children.length }, ...children.flat()];
}

/** The paths of the columns with values. */
function leavesOf({ path, children }: SchemaTree): (readonly string[])[] {
  return children.length === 0 ? [path] : children.flatMap(leavesOf);
}

/** The elements of the schema below its root, without their children. */
function topElements({ schema }: FileMetaData): SchemaElement[] {
  const top: SchemaElement[] = [];
  let inside = 0;
  for (const element of schema.slice(1)) {
    if (typeof element.name !== 'string') throw new Error('a column without a name');
    if (inside === 0) top.push(element);
    else inside--;
    inside += element.num_children ?? 0;
  }
  return top;
}

/** Node.js has it from version 22.15. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.gunzipSync };

/** The compressions of pages. A page that is larger decompressed than it claims is damaged. */
async function compressors(): Promise<Compressors> {
  // Loading the library takes a tenth of the time of a start.
  const { decompressLz4, decompressLz4Raw, decompressZstd } = await import('hyparquet-compressors');
  return {
    SNAPPY: (packed, length) => {
      const page = new Uint8Array(length);
      snappyUncompress(packed, page);
      return page;
    },
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

/** Undefined if the values of a column need no conversion. */
function converterOf(
  element: SchemaElement | undefined,
): ((value: ParquetValue) => ParquetValue) | undefined {
  const { type, converted_type, scale = 0 } = element ?? {};
  // The library multiplies decimals as binary numbers.
  if (converted_type === 'DECIMAL')
    return (value) => (typeof value === 'number' ? value.toFixed(Math.max(0, scale)) : value);
  return type === 'FLOAT' ? shortestFloat : undefined;
}

/** A number of four bytes with just the digits that distinguish it from others: 0.1 and not 0.10000000149011612. */
export function shortestFloat(value: ParquetValue): ParquetValue {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  for (const digits of [6, 7, 8]) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** The error to show for a file that cannot be read; the library throws errors of many kinds at damaged bytes. */
function damaged(where: string, error: unknown): unknown {
  if (error instanceof UserError)
    return error.message.startsWith(where) ? error : new UserError(`${where}: ${error.message}`);
  const reason = error instanceof Error ? error.message : String(error);
  return new UserError(
    `${where}: the Parquet file cannot be read (${shown(reason).slice(1, -1)}). Download or write it again.`,
  );
}
