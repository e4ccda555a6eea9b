/**
 * Decompresses streams: gzip, and Zstandard if Node.js reads it safely.
 */
import { pipeline, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { systemCode, UserError } from '../../system/errors.ts';
import { type Bytes, CHUNK_BYTES, counted } from './streams.ts';

export type Packing = 'gzip' | 'zstd' | 'deflate';

/** A well-compressed table reaches 30:1, a bomb 1,000:1. Small files may have any ratio. */
const MAX_RATIO = 250;
const ALWAYS_ALLOWED = 64 * 1024 * 1024;
/** Ten times the largest table known. */
const MAX_UNPACKED = 128 * 1024 ** 3;

/** Node.js has it from version 22.15. */
const { createZstdDecompress, zstdDecompressSync } = zlib as {
  createZstdDecompress?: typeof zlib.createGunzip;
  zstdDecompressSync?: typeof zlib.gunzipSync;
};

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

/** Stops a stream that unpacks to far more than tables do. @param packed the compressed bytes so far */
export function guardUnpacking(where: string, packed: () => number): (unpacked: number) => void {
  return (unpacked) => {
    if (unpacked <= ALWAYS_ALLOWED) return;
    if (unpacked <= MAX_UNPACKED && unpacked <= packed() * MAX_RATIO) return;
    throw new UserError(
      `${where} unpacks to more than ${MAX_RATIO} times its size: it is damaged, or made to fill memory. Download it again from its source.`,
    );
  };
}

/** Unpacks a stream of one or several members. @throws UserError if it is damaged or a bomb */
export async function* unpack(source: Bytes, packing: Packing, where: string): AsyncGenerator<Buffer> {
  let packed = 0;
  let unpacked = 0;
  const guard = guardUnpacking(where, () => packed);
  const unpacker = unpackerOf(packing, where);
  const input = counted(source, (count) => {
    packed += count;
  });
  // Destroyed with the error of the source, so reading it below meets every error.
  pipeline(input, unpacker, () => {});
  try {
    for await (const chunk of unpacker as Bytes) {
      unpacked += chunk.length;
      guard(unpacked);
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
  if (createZstdDecompress !== undefined && noticesCuts())
    return createZstdDecompress({ chunkSize: CHUNK_BYTES });
  throw new UserError(
    `${where} is compressed with Zstandard, which Node.js ${process.version} either cannot read or does not check for truncation. Unpack it first (zstd -d FILE), or use Node.js 24.21 or newer.`,
  );
}
