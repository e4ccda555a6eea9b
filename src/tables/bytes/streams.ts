/**
 * Data files as streams of bytes, unpacked if they are gzip or Zstandard; how messages call a file, and why it cannot be read.
 */
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { hiddenFolders, shown, systemCode, UserError } from '#core';

export type Bytes = AsyncIterable<Buffer>;

/** Bytes that are unpacked at a time: large enough that the cost per chunk is negligible, small enough for a processor's cache. */
const CHUNK_BYTES = 256 * 1024;

/**
 * The bytes of a file, 64 KiB at a time: the foods of larger chunks outlive the collections of young objects, which took
 * 70 MB more for 2,000,000 rows.
 */
export async function* fileBytes(file: string): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

export async function* withCount(
  source: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    onBytes(chunk.length);
    yield chunk;
  }
}

const MAX_HELD = 512 * 1024 * 1024;

/** A whole stream in memory. @throws UserError if it is too long */
export async function held(bytes: Bytes, where: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_HELD)
      throw new UserError(
        `${where} is larger than ${MAX_HELD / 2 ** 20} MiB, too large to be read from within another file or a stream. Save it as a file of its own and name that.`,
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const dataFile = (file: string): string =>
  file === '-' ? 'Standard input' : `Data file ${shown(file)}`;

export const statOf = (file: string): Promise<Stats> =>
  stat(file).catch((error: unknown) => {
    throw unreadable(file, error);
  });

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

type Packing = 'gzip' | 'zstd' | 'deflate';

/** A well-compressed table reaches 30:1, a bomb 1,000:1. Small files may have any ratio. */
const MAX_RATIO = 250;
const ALWAYS_ALLOWED = 64 * 1024 * 1024;
/** Ten times the largest table known. */
const MAX_UNPACKED = 128 * 1024 ** 3;

/** Node.js has it from version 22.15. */
const zstd = zlib as {
  createZstdDecompress?: typeof zlib.createGunzip;
  zstdDecompressSync?: typeof zlib.gunzipSync;
};
export const { zstdDecompressSync } = zstd;

const CUT_FRAME = Buffer.from('28b52ffd', 'hex');

/** Whether Node.js notices that such data is truncated. 22 and 24.0 do not, so foods would be missing silently. */
function noticesCuts(): boolean {
  try {
    zstdDecompressSync?.(CUT_FRAME);
    return false;
  } catch {
    return true;
  }
}

/** @throws UserError if so many bytes unpack to far more than tables do */
export function guardUnpacking(packed: number, unpacked: number, where: string): void {
  if (unpacked <= ALWAYS_ALLOWED) return;
  if (unpacked <= MAX_UNPACKED && unpacked <= packed * MAX_RATIO) return;
  throw new UserError(
    `${where} unpacks to more than ${MAX_RATIO} times its size: it is damaged, or made to fill memory. Download it again from its source.`,
  );
}

/** Unpacks a stream of one or several members. @throws UserError if it is damaged or a bomb */
export async function* unpack(source: Bytes, packing: Packing, where: string): AsyncGenerator<Buffer> {
  let packed = 0;
  let unpacked = 0;
  const unpacker = unpackerOf(packing, where);
  const input = withCount(source, (count) => {
    packed += count;
  });
  // Destroyed with the error of the source, so reading it below meets every error.
  pipeline(input, unpacker, () => {});
  try {
    for await (const chunk of unpacker as Bytes) {
      unpacked += chunk.length;
      guardUnpacking(packed, unpacked, where);
      yield chunk;
    }
  } catch (error) {
    if (!/^Z(STD)?_/i.test(systemCode(error) ?? '')) throw error;
    throw new UserError(
      `${where}: the ${packing} data is truncated or damaged (${error instanceof Error ? error.message : error}). Download or pack it again.`,
    );
  }
}

function unpackerOf(packing: Packing, where: string): Transform {
  if (packing === 'gzip') return zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  if (packing === 'deflate') return zlib.createInflateRaw({ chunkSize: CHUNK_BYTES });
  if (zstd.createZstdDecompress !== undefined && noticesCuts())
    return zstd.createZstdDecompress({ chunkSize: CHUNK_BYTES });
  throw new UserError(
    `${where} is compressed with Zstandard, which Node.js ${process.version} either cannot read or does not check for truncation. Unpack it first (zstd -d FILE), or use Node.js 24.21 or newer.`,
  );
}
