/**
 * Streams of bytes: of files, unpacked, and with their first bytes read ahead.
 */
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCode, UserError } from '../../errors.ts';
import { unreadable } from './data-file.ts';

export type Bytes = AsyncIterable<Buffer>;

/** Large enough that the cost per chunk is negligible, small enough for a processor's cache. */
export const CHUNK_BYTES = 256 * 1024;

/** A well-compressed table reaches 30:1, a bomb 1,000:1. Small files may have any ratio. */
const MAX_RATIO = 250;
const ALWAYS_ALLOWED = 64 * 1024 * 1024;
/** Ten times the largest table known. */
const MAX_UNPACKED = 128 * 1024 ** 3;

/** The bytes of a file. @throws UserError */
export async function* fileBytes(file: string, onBytes: (count: number) => void): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as Bytes) {
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Stops a stream that unpacks to far more than a table does. @param packed the compressed bytes so far */
export function guardUnpacking(where: string, packed: () => number): (unpacked: number) => void {
  return (unpacked) => {
    if (unpacked <= ALWAYS_ALLOWED) return;
    if (unpacked <= MAX_UNPACKED && unpacked <= packed() * MAX_RATIO) return;
    throw new UserError(
      `${where} unpacks to more than ${MAX_RATIO} times its size: it is damaged, or made to fill memory. Download it again from its source.`,
    );
  };
}

/** Unpacks a gzip stream of one or several members. @throws UserError where it is damaged or a bomb */
export async function* gunzip(source: Bytes, where: string): AsyncGenerator<Buffer> {
  let packed = 0;
  let unpacked = 0;
  const guard = guardUnpacking(where, () => packed);
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const counted = async function* () {
    for await (const chunk of source) {
      packed += chunk.length;
      yield chunk;
    }
  };
  // Destroyed with the error of the source, so reading it below meets every error.
  pipeline(counted(), unzip, () => {});
  try {
    for await (const chunk of unzip as Bytes) {
      unpacked += chunk.length;
      guard(unpacked);
      yield chunk;
    }
  } catch (error) {
    if (!/^Z_/.test(systemCode(error) ?? '')) throw error;
    throw new UserError(
      `${where}: the gzip data is cut or damaged (${error instanceof Error ? error.message : error}). Download or pack it again.`,
    );
  }
}

/** A stream whose first bytes have been read ahead. */
export interface Peeked {
  readonly head: Buffer;
  /** The whole stream, including the first bytes. */
  readonly bytes: Bytes;
  /** Closes the stream where `bytes` is not read. */
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
