/**
 * Files that are not read from beginning to end, and streams that contain such a file.
 */
import { open } from 'node:fs/promises';
import { UserError } from '../../errors.ts';
import { type Bytes, unreadable } from './streams.ts';

export interface RandomAccess {
  readonly byteLength: number;
  /** The bytes from `start` up to `end`, or the end of the file. */
  slice(start: number, end?: number): Promise<ArrayBuffer>;
  close(): Promise<void>;
}

/** The maximum number of bytes of a file that are kept in memory. */
const MAX_HELD = 512 * 1024 * 1024;

/** @param onBytes takes the number of bytes of each part that is read @throws UserError */
export async function openRandomAccess(
  file: string,
  onBytes: (count: number) => void,
): Promise<RandomAccess> {
  try {
    const handle = await open(file);
    const { size } = await handle.stat();
    const read = async (part: Uint8Array, start: number) =>
      onBytes((await handle.read(part, 0, part.length, start)).bytesRead);
    return accessOf(size, read, () => handle.close());
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The bytes of a stream that contains such a file. */
export const heldAccess = (bytes: Buffer): RandomAccess =>
  accessOf(bytes.length, async (part, start) => part.set(bytes.subarray(start, start + part.length)));

/** @param read fills a part, all of which is in the file */
const accessOf = (
  byteLength: number,
  read: (part: Uint8Array, start: number) => Promise<void>,
  close = async (): Promise<void> => {},
): RandomAccess => ({
  byteLength,
  slice: async (start, end = byteLength) => {
    if (!(start >= 0 && end >= start && end <= byteLength))
      throw new RangeError(`bytes ${start} to ${end} of ${byteLength}`);
    const part = new Uint8Array(end - start);
    await read(part, start);
    return part.buffer;
  },
  close,
});

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
