/** Recognises a file by its first bytes, whatever its name. */
import { isUtf8 } from 'node:buffer';
import { INDEX_MAGIC, UserError } from '#core';
import { encodingByMark } from './encoding.ts';
import { type Bytes, dataFile, fileBytes, statOf } from './streams.ts';

type FileKind = 'sqlite' | 'index' | 'zip' | 'parquet' | 'xls' | 'text' | 'gzip' | 'zstd';

const MAGIC: readonly (readonly [string, FileKind])[] = [
  ['SQLite format 3\0', 'sqlite'],
  [INDEX_MAGIC, 'index'],
  ['PK\x03\x04', 'zip'],
  ['PK\x05\x06', 'zip'],
  ['\x1f\x8b', 'gzip'],
  ['\x28\xb5\x2f\xfd', 'zstd'],
  ['PAR1', 'parquet'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'xls'],
];

const UNREAD: readonly (readonly [magic: string, kind: string, remedy: string])[] = [
  ['BZh', 'a bzip2 file', 'Unpack it (bunzip2)'],
  ['\xfd7zXZ\0', 'an xz file', 'Unpack it (unxz)'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z file', 'Unpack it'],
  ['Rar!\x1a\x07', 'a RAR file', 'Unpack it'],
  ['RDX', 'an R data file', 'Save it from R with write.csv'],
  ['\x89PNG', 'a picture', 'Look for the table in it as CSV or Excel'],
  ['\xff\xd8\xff', 'a picture', 'Look for the table in it as CSV or Excel'],
  ['%PDF', 'a PDF file', 'Look for the same table as CSV or Excel'],
];

/** Bytes; a first line longer than this is not a header. */
export const MAX_HEAD = 1024 * 1024;

export const EXPECTED =
  'Expected: foods as CSV, workbook (.xlsx, .xls, .ods), JSON, Parquet or SQLite, a FoodData Central download, or an Open Food Facts export';

/** Bytes that very likely contain the header. */
const USUAL_HEAD = 64 * 1024;

/** Reads the first bytes of a stream, until they show its kind or it ends. `discard` closes it if `bytes` is not read. */
export async function peek(source: Bytes) {
  const iterator = source[Symbol.asyncIterator]();
  const discard = async () => {
    await iterator.return?.();
  };
  let head: Buffer = Buffer.alloc(0);
  while (!isEnoughToTell(head)) {
    const next = await iterator.next();
    if (next.done) break;
    head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  const whole = async function* () {
    try {
      if (head.length > 0) yield head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await discard();
    }
  };
  return { head, bytes: whole(), discard };
}

function isEnoughToTell(head: Buffer): boolean {
  return (
    head.length >= MAX_HEAD ||
    (head.length >= USUAL_HEAD && /[\r\n]/.test(head.toString('latin1'))) ||
    (head.length >= 16 && fileKindByMagic(head) !== undefined)
  );
}

export function fileKind(head: Buffer, where: string, encoding?: string): FileKind {
  const kind = fileKindByMagic(head);
  if (kind !== undefined) return kind;
  const start = head.toString('latin1', 0, 16);
  const [, unread, remedy] = UNREAD.find(([magic]) => start.startsWith(magic)) ?? [];
  if (unread !== undefined) {
    throw new UserError(`${where} is ${unread}, which is not read. ${remedy}. ${EXPECTED}.`);
  }
  if (head.length === 0) throw new UserError(`${where} is empty. ${EXPECTED}.`);
  if (encoding === undefined && isBinary(head)) {
    const hint = UTF16.find(([start]) => start.test(head.toString('latin1', 0, 8)))?.[1];
    throw new UserError(
      hint === undefined
        ? `${where} is not a data file of a known kind. ${EXPECTED}.`
        : `${where} is probably text in UTF-16 without a byte order mark. If so, import it with --encoding ${hint}.`,
    );
  }
  return 'text';
}

/** How texts in UTF-16 begin, most of whose characters are in ASCII, and the names of their encodings. */
const UTF16: readonly (readonly [RegExp, string])[] = [
  [/^(?:[ -~]\0){4}/, 'utf-16le'],
  [/^(?:\0[ -~]){4}/, 'utf-16be'],
];

/** Whether bytes are not text: cells of texts may contain NUL, but not the header. */
function isBinary(head: Buffer): boolean {
  if (!head.includes(0) || encodingByMark(head) !== undefined) return false;
  const lines = head.subarray(0, head.lastIndexOf(LF) + 1 || head.length);
  return !isUtf8(lines) || lines.subarray(0, lines.indexOf(LF) + 1 || lines.length).includes(0);
}

const LF = 10;

/** The kind of a file that begins with a magic number; undefined for any other, such as a text. @throws UserError */
export async function detectKind(file: string): Promise<FileKind | undefined> {
  await refusePipe(file);
  const { head, discard } = await peek(fileBytes(file));
  await discard();
  return fileKindByMagic(head);
}

/** Opening a pipe that nobody writes to would never return, and even keep the process from ending. @throws UserError */
export async function refusePipe(file: string): Promise<void> {
  if (!(await statOf(file)).isFIFO()) return;
  throw new UserError(`${dataFile(file)}: this is a pipe; write its content to a file first, and name that.`);
}

function fileKindByMagic(head: Buffer): FileKind | undefined {
  const start = head.toString('latin1', 0, 16);
  return MAGIC.find(([magic]) => start.startsWith(magic))?.[1];
}
