import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import yazl from 'yazl';

export async function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** A Zstandard frame (RFC 8878) with a single, uncompressed block. */
export function zstdOf(content: string): Buffer {
  const bytes = Buffer.from(content);
  // One segment with a size field of four bytes, then the header of the last block.
  const header = Buffer.from('28b52ffda00000000000000000'.slice(0, 24), 'hex');
  header.writeUInt32LE(bytes.length, 5);
  header.writeUIntLE((bytes.length << 3) | 1, 9, 3);
  return Buffer.concat([header, bytes]);
}
