/**
 * Data files as streams of bytes, with their first bytes read ahead; how messages call a file, and why it cannot be read.
 */
import { createReadStream } from 'node:fs';
import { shown, systemCode, UserError } from '../../errors.ts';
import { hiddenFolders } from '../../paths.ts';

export type Bytes = AsyncIterable<Buffer>;

/** Large enough that the cost per chunk is negligible, small enough for a processor's cache. */
export const CHUNK_BYTES = 256 * 1024;

/** The bytes of a file. @throws UserError */
export async function* fileBytes(file: string, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  try {
    yield* counted(createReadStream(file, { highWaterMark: CHUNK_BYTES }), onBytes);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The same stream. @param onBytes takes the number of bytes of each chunk that is read */
export async function* counted(
  source: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}

/** A stream whose first bytes have been read ahead. */
export interface Peeked {
  readonly head: Buffer;
  /** The whole stream, including the first bytes. */
  readonly bytes: Bytes;
  /** Closes the stream if `bytes` is not read. */
  discard(): Promise<void>;
}

/** Reads the first bytes of a stream, until they are enough or the stream ends. */
export async function peek(source: Bytes, isEnough: (head: Buffer) => boolean): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]();
  const discard = async () => {
    await iterator.return?.();
  };
  let head: Buffer = Buffer.alloc(0);
  let ended = false;
  while (!ended && !isEnough(head)) {
    const next = await iterator.next();
    if (next.done) ended = true;
    else head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
  }
  const whole = async function* () {
    try {
      if (head.length > 0) yield head;
      while (!ended) {
        const next = await iterator.next();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await discard();
    }
  };
  return { head, bytes: whole(), discard };
}

/** How messages call a file, or standard input. */
export const dataFile = (file: string): string =>
  file === '-' ? 'Standard input' : `Data file ${shown(file)}`;

const NOT_ALLOWED = `this user may not read the file; change its permissions and those of its folders, or move it${hiddenFolders()}`;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; check the path',
  ENOTDIR: 'there is no such file; check the path',
  ENAMETOOLONG: 'there is no such file; check the path',
  EISDIR: 'this is a folder; name the file in it',
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EBUSY: 'another program has the file open and lets no other one read it; close it there',
};

/** The error to show if a data file cannot be read; a bug stays unchanged. */
export function unreadable(file: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined || error instanceof UserError) return error;
  return new UserError(`Data file ${shown(file)}: ${REASONS[code] ?? `the file cannot be read (${code})`}.`);
}
