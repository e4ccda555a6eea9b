import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { openZip } from '../../src/readers/bytes/zip.ts';
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

test.each<[string, () => Promise<string>, RegExp]>([
  [
    'unpacks to a thousand times its size',
    async () => {
      const size = 300 * 1024 * 1024;
      const block = Buffer.alloc(1024 * 1024);
      const zeros = Readable.from(
        (function* () {
          for (let i = 0; i < size; i += block.length) yield block;
        })(),
      );
      const bomb = await zipOf((zip) => zip.addReadStream(zeros, 'food.csv'));
      expect(bomb.length).toBeLessThan(size / 500);
      return folder.write('bomb.zip', bomb);
    },
    /entry "food\.csv" unpacks to more than 250 times its size/,
  ],
  [
    'unpacks to more than it says',
    () => changed((zip, central) => zip.writeUInt32LE(50, central + 24)),
    /entry "xx\/food\.csv" is damaged: its size is not what the zip says/,
  ],
  [
    'has another checksum',
    () => changed((zip, central) => zip.writeUInt32LE(1, central + 16)),
    /is damaged: its checksum is not what the zip says/,
  ],
  [
    'has an entry name that leads out of it',
    () => changed((zip, central) => zip.write('../food.csv', central + 46)),
    /the entry "\.\.\/food\.csv" leads out of the archive/,
  ],
  [
    'has an absolute entry name',
    () => changed((zip, central) => zip.write('/x/food.csv', central + 46)),
    /the entry "\/x\/food\.csv" leads out of the archive/,
  ],
  [
    'is encrypted',
    () =>
      changed((zip, central) => {
        zip.writeUInt16LE(zip.readUInt16LE(central + 8) | 1, central + 8);
        const local = zip.indexOf(LOCAL);
        zip.writeUInt16LE(zip.readUInt16LE(local + 6) | 1, local + 6);
      }),
    /entry "xx\/food\.csv" is encrypted/,
  ],
  [
    'is packed with another method',
    () => changed((zip, central) => zip.writeUInt16LE(12, central + 10)),
    /is packed by method 12; only deflate is read/,
  ],
  [
    'is cut',
    async () => {
      const file = await changed(() => {});
      return folder.write('cut.zip', (await readFile(file)).subarray(0, -30));
    },
    /the zip cannot be read \(its end is missing, as in half a download\)\. Download it again/,
  ],
  [
    'has more entries than any data set',
    () =>
      saved((zip) => {
        for (let i = 0; i < 10_001; i++) zip.addEmptyDirectory(`${i}`);
      }),
    /the zip has 10001 entries; at most 10000 are read/,
  ],
  ['is empty', () => saved(() => {}), /\(it contains nothing\)/],
])('a zip is refused with one line if it %s', async (_what, make, message) => {
  expect(await refusalOf([await make()])).toMatch(message);
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
