/** Reads tables in a zip (Zip64 too). Refuses what would do harm: names that lead out of it, bombs, damaged entries. */
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { shown, systemCode, UserError } from '#core';
import type { Archive } from './archive.ts';
import { guardUnpacking, unpack, unreadable, withCount } from './streams.ts';

/** No data set has more files than this; a directory of millions only costs time. */
const MAX_ZIP_ENTRIES = 10_000;

const STORED = 0;
const DEFLATED = 8;

export async function openZip(
  source: string | Buffer,
  where: string,
  onBytes: (count: number) => void,
): Promise<Archive> {
  const file = typeof source === 'string' ? source : '';
  const entries: Entry[] = [];
  let zip: ZipFile | undefined;
  try {
    const options = { autoClose: false };
    zip = await (typeof source === 'string'
      ? yauzl.openPromise(source, options)
      : yauzl.fromBufferPromise(source, options));
    if (zip.entryCount > MAX_ZIP_ENTRIES) {
      throw new UserError(
        `${where}: the zip has ${zip.entryCount} entries; at most ${MAX_ZIP_ENTRIES} are read.`,
      );
    }
    for await (const entry of zip.eachEntry()) if (!entry.fileName.endsWith('/')) entries.push(entry);
  } catch (error) {
    zip?.close();
    throw broken(where, file, error);
  }
  const opened = zip;
  const data = entries.filter(({ fileName }) => !isOfSystem(fileName));
  const tables = data.map(({ fileName }) => basename(fileName));
  const folders = data.map(({ fileName }) => fileName.split('/')).filter(({ length }) => length > 1);
  const byPath = entries.map((entry) => [entry.fileName, entry] as const);
  const byName = data.map((entry, i) => [tables[i] ?? '', entry] as const);
  const found = new Map([...byPath, ...byName]);
  return {
    where,
    names: [basename(file), ...new Set(folders.map(([folder = '']) => folder))],
    tables: [...new Set(tables)],
    has: (name) => found.has(name),
    size: (name) => found.get(name)?.compressedSize ?? 0,
    read: (name) => {
      const entry = found.get(name);
      const place = `${where}, entry ${shown(entry?.fileName ?? name)}`;
      if (entry === undefined)
        throw new UserError(
          `${place}: there is no such entry, so the file is not complete. Download or save it again.`,
        );
      if (tables.indexOf(name) !== tables.lastIndexOf(name))
        throw new UserError(
          `${where}: the zip contains ${name} twice. Unpack it and name one of the folders.`,
        );
      return entryBytes(opened, entry, place, file === '' ? () => {} : onBytes);
    },
    close: () => opened.close(),
  };
}

/** What systems pack beside the data: that of macOS has the same base names. */
const isOfSystem = (fileName: string): boolean =>
  /^__MACOSX\/|(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/i.test(fileName);

async function* entryBytes(
  zip: ZipFile,
  entry: Entry,
  place: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  if (entry.isEncrypted()) {
    throw new UserError(`${place} is encrypted. Unpack it with its password and name the folder.`);
  }
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw new UserError(
      `${place} is packed by method ${entry.compressionMethod}; only deflate is read. Unpack it and name the folder.`,
    );
  }
  guardUnpacking(entry.compressedSize, entry.uncompressedSize, place);
  let unpacked = 0;
  let checksum = 0;
  let packed: Readable | undefined;
  try {
    packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const bytes = withCount(packed, onBytes);
    for await (const chunk of entry.compressionMethod === STORED ? bytes : unpack(bytes, 'deflate', place)) {
      unpacked += chunk.length;
      if (unpacked > entry.uncompressedSize) break;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw broken(place, entry.fileName, error);
  } finally {
    // At once: yauzl fails on a stream that is destroyed while its next read waits for that of another entry.
    packed?.destroy();
  }
  if (unpacked !== entry.uncompressedSize || checksum !== entry.crc32) {
    throw new UserError(
      `${place} is damaged: its ${unpacked === entry.uncompressedSize ? 'checksum' : 'size'} is not what the zip says. Download it again.`,
    );
  }
}

/** The error to show for a zip that cannot be read; a message for the user and a bug stay as they are. */
function broken(where: string, file: string, error: unknown): unknown {
  if (error instanceof UserError || !(error instanceof Error)) return error;
  const code = systemCode(error);
  if (code !== undefined && !code.startsWith('Z_')) return unreadable(file, error);
  const reason = error.message.replace(/\s+/g, ' ');
  if (/^(invalid relative path|absolute path|invalid characters in fileName)/.test(reason)) {
    const [, name = reason] = /: (.*)$/.exec(reason) ?? [];
    return new UserError(
      `${where}: the entry ${shown(name)} leads out of the archive. Do not trust this file; download it from its source.`,
    );
  }
  const what = /^End of central directory/.test(reason)
    ? 'its end is missing, as in half a download'
    : reason.replace(/\.$/, '');
  return new UserError(`${where}: the zip cannot be read (${what}). Download it again, or save it again.`);
}
