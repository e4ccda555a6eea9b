import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { openZip } from '../../src/tables/bytes/zip.ts';
import { temporaryFolder } from '../support/files.ts';
import { refusalOf } from '../support/import.ts';
import { table } from '../support/usda.ts';

const folder = temporaryFolder();

const CENTRAL = Buffer.from('PK\x01\x02', 'latin1');
const LOCAL = Buffer.from('PK\x03\x04', 'latin1');
const FOOD = table('food.csv', [{ fdc_id: 1, data_type: 'sr_legacy_food', description: 'Egg' }]);

async function zipOf(fill: (zip: yazl.ZipFile) => void, options?: yazl.EndOptions): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  fill(zip);
  zip.end(options ?? { comment: '', forceZip64Format: false });
  return buffer(zip.outputStream as Readable);
}

const saved = async (fill: (zip: yazl.ZipFile) => void): Promise<string> => folder.save(await zipOf(fill));

/** A zip with `food.csv`, whose bytes are then changed. */
async function changed(change: (zip: Buffer, central: number) => void): Promise<string> {
  const zip = await zipOf((each) => each.addBuffer(Buffer.from(FOOD), 'xx/food.csv'));
  change(zip, zip.indexOf(CENTRAL));
  return folder.save(zip);
}

/** A table of zeros, and whatever its size, a small zip. */
async function bomb(): Promise<string> {
  const block = Buffer.alloc(1024 * 1024);
  const zeros = Readable.from(Array.from({ length: 80 }, () => block));
  const zip = await zipOf((each) => each.addReadStream(zeros, 'food.csv'));
  expect(zip.length).toBeLessThan(160 * 1024);
  return folder.save(zip);
}

const encrypted = (zip: Buffer, central: number): void => {
  for (const at of [central + 8, zip.indexOf(LOCAL) + 6]) zip.writeUInt16LE(zip.readUInt16LE(at) | 1, at);
};
const manyEntries = (zip: yazl.ZipFile): void => {
  for (let i = 0; i < 10_001; i++) zip.addEmptyDirectory(`${i}`);
};
const cut = async () => folder.save((await readFile(await changed(() => {}))).subarray(0, -30));
const named = (name: string) => () => changed((zip, central) => zip.write(name, central + 46));
const sized = (size: number) => () => changed((zip, central) => zip.writeUInt32LE(size, central + 24));
const summed = (checksum: number) => () =>
  changed((zip, central) => zip.writeUInt32LE(checksum, central + 16));
const packedBy = (method: number) => () => changed((zip, central) => zip.writeUInt16LE(method, central + 10));

test.each<[string, () => Promise<string>]>([
  ['entry "food.csv" unpacks to more than 250 times its size', bomb],
  ['entry "xx/food.csv" is damaged: its size is not what the zip says', sized(50)],
  ['entry "xx/food.csv" is damaged: its checksum is not what the zip says', summed(1)],
  ['the entry "../food.csv" leads out of the archive', named('../food.csv')],
  ['the entry "/x/food.csv" leads out of the archive', named('/x/food.csv')],
  ['entry "xx/food.csv" is encrypted', () => changed(encrypted)],
  ['entry "xx/food.csv" is packed by method 12; only deflate is read', packedBy(12)],
  ['the zip cannot be read (its end is missing, as in half a download). Download it again', cut],
  ['the zip has 10001 entries; at most 10000 are read', () => saved(manyEntries)],
  ['(it contains nothing)', () => saved(() => {})],
])('a zip is refused with one line: %s', async (message, make) => {
  expect(await refusalOf([await make()])).toContain(message);
});

test('a zip64 is read, and a table in it as often as requested', async () => {
  const zip = await zipOf(
    (each) => each.addBuffer(Buffer.from(FOOD), 'food.csv', { forceZip64Format: true }),
    { comment: '', forceZip64Format: true },
  );
  let bytes = 0;
  const archive = await openZip(await folder.write('large.zip', zip), 'large.zip', (count) => {
    bytes += count;
  });
  for (let i = 0; i < 2; i++) {
    const content = await buffer(archive.read('food.csv'));
    expect(content.toString()).toBe(FOOD);
  }
  expect(bytes).toBe(2 * archive.size('food.csv'));
  archive.close();
});
