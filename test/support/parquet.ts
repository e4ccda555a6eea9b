/** Writes Parquet files of texts, as small as the format allows: one group of rows, required columns, uncompressed. */
type Field = readonly [id: number, type: number, value: Buffer];

function varint(number: number): Buffer {
  return number < 128
    ? Buffer.from([number])
    : Buffer.concat([Buffer.from([128 | (number & 127)]), varint(Math.floor(number / 128))]);
}
const binary = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
};
/** Numbers of four and of eight bytes are written alike. */
const i32 = (id: number, value: number): Field => [id, 5, varint(2 * value)];
const i64 = (id: number, value: number): Field => [id, 6, varint(2 * value)];
const list = (id: number, type: number, items: readonly Buffer[]): Field => [
  id,
  9,
  Buffer.concat([Buffer.from([0xf0 | type]), varint(items.length), ...items]),
];

/** A structure of Thrift's compact protocol. */
function struct(...fields: readonly Field[]): Buffer {
  const parts = fields.map(([id, type, value], i) => {
    const step = id - (fields[i - 1]?.[0] ?? 0);
    return Buffer.concat([Buffer.from([(step << 4) | type]), value]);
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

const [TEXT, OF_BINARY, OF_STRUCT, OF_I32] = [6, 8, 12, 5];

export function parquetOf(names: readonly string[], rows: readonly (readonly string[])[]): Buffer {
  const parts: Buffer[] = [Buffer.from('PAR1')];
  let at = 4;
  const chunks = names.map((name, column) => {
    const values = rows.map((row) => {
      const bytes = Buffer.from(row[column] ?? '');
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([length, bytes]);
    });
    const data = Buffer.concat(values);
    const page = struct(i32(1, rows.length), i32(2, 0), i32(3, 3), i32(4, 3));
    const header = struct(i32(1, 0), i32(2, data.length), i32(3, data.length), [5, OF_STRUCT, page]);
    parts.push(header, data);
    const [start, size] = [at, header.length + data.length];
    at += size;
    const lists = [list(2, OF_I32, [varint(0)]), list(3, OF_BINARY, [binary(name)])];
    const sizes = [i64(5, rows.length), i64(6, size), i64(7, size), i64(9, start)];
    return struct(i64(2, start), [3, OF_STRUCT, struct(i32(1, TEXT), ...lists, i32(4, 0), ...sizes)]);
  });
  const columns = names.map((name) =>
    struct(i32(1, TEXT), i32(3, 0), [4, OF_BINARY, binary(name)], i32(6, 0)),
  );
  const root = struct([4, OF_BINARY, binary('root')], i32(5, names.length));
  const group = struct(list(1, OF_STRUCT, chunks), i64(2, at - 4), i64(3, rows.length));
  const schema = list(2, OF_STRUCT, [root, ...columns]);
  const footer = struct(i32(1, 1), schema, i64(3, rows.length), list(4, OF_STRUCT, [group]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([...parts, footer, length, Buffer.from('PAR1')]);
}
