/** Packed files are read like unpacked ones. */
import zlib, { gzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { importSources, refusalOf } from '../support/import.ts';
import { zipOf, zstdOf } from '../support/packing.ts';
import { rowOf, workbookOf } from '../support/workbook.ts';

const CSV = `${HEADER}\nEgg,143,,,,,\n`;

const folder = temporaryFolder();

const WORKBOOK = await workbookOf({
  sheets: [{ name: 'Foods', data: rowOf('Food', 'kcal', 'Protein', 'Carbs', 'Fat') + rowOf('Egg', 143) }],
});

test.each<[string, Record<string, string | Uint8Array>]>([
  ['beside metadata', { 'datapackage.json': '{}', 'metadata.csv': 'a,b', 'data/foods.csv': CSV }],
  ['beside documents', { 'notes.pdf': '%PDF', 'notes.docx': 'PK', 'foods.csv': CSV }],
  ['beside a licence', { 'README.md': '# Foods', LICENSE: 'MIT', 'foods.csv': CSV }],
  ['as macOS packs it', { 'a/foods.csv': CSV, '__MACOSX/a/._foods.csv': 'x', 'a/.DS_Store': 'x' }],
  ['as Windows packs it', { 'foods.txt': CSV.replaceAll(',', '\t'), 'desktop.ini': 'x', 'Thumbs.db': 'x' }],
  ['with any name, if it is the only one', { 'foods.2026': CSV }],
  ['named like a README, if it is the only one', { 'readme.csv': CSV }],
  ['with a name that only begins like a licence', { 'licences.csv': CSV, 'README.md': 'x' }],
  ['even if it is a workbook', { 'readme.txt': 'x', 'foods.xlsx': WORKBOOK }],
])('a file is found in a zip %s', async (_what, entries) => {
  const { foods, report } = await importSources([await folder.save(await zipOf(entries))]);
  expect(foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
  expect(report.lines()[0]).toMatch(/ \((?:[CT]SV, entry [\w.]+|Excel workbook, entry .*, sheet "Foods")\)$/);
});

function isThrowing(use: () => unknown): boolean {
  try {
    use();
    return false;
  } catch {
    return true;
  }
}

it('a file packed with Zstandard is read if Node.js can unpack it, and otherwise refused with what to do', async () => {
  const file = await folder.save(zstdOf(CSV));
  const cutBytes = zstdOf(CSV).subarray(0, -9);
  // Older versions can unpack it, but accept truncated data.
  const unpackCut = () => Reflect.get(zlib, 'zstdDecompressSync')?.(cutBytes);
  if ('createZstdDecompress' in zlib && isThrowing(unpackCut)) {
    expect((await importSources([file])).foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
    const cut = await folder.save(cutBytes);
    expect(await refusalOf([cut])).toMatch(/the zstd data is truncated or damaged/);
  } else {
    expect(await refusalOf([file])).toMatch(
      /is compressed with Zstandard, which Node\.js v\d[\d.]+ either cannot read or does not check for truncation\. Unpack it first \(zstd -d FILE\), or use Node\.js 24\.21 or newer\.$/,
    );
  }
});

describe('refused with what to do is', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['bzip2', 'BZh91AY', /is a bzip2 file, which is not read\. Unpack it \(bunzip2\)\. Expected/],
    ['RAR', 'Rar!\x1a\x07\0', /is a RAR file.* Unpack it\./],
    ['PDF', '%PDF-1.7', /is a PDF file.* Look for the same table as CSV or Excel/],
    ['R', gzipSync('RDX3\nX\n'), / is an R data file.* write\.csv/],
    ['cut gzip', gzipSync(CSV).subarray(0, -9), /the gzip data is truncated or damaged .* again\./],
  ])('%s', async (_what, content, message) => {
    expect(await refusalOf([await folder.save(content)])).toMatch(message);
  });

  const NEITHER =
    'the zip contains neither food.csv of FoodData Central nor exactly one data file (it contains';
  it.each<[string, Record<string, string | Uint8Array>]>([
    [`${NEITHER} "foods.csv", "b.csv"). Unpack it and name`, { 'foods.csv': CSV, 'b.csv': CSV }],
    [`${NEITHER} "a.png", "b.png"). Unpack it`, { 'a.png': 'x', 'b.png': 'x' }],
    ['contains foods.csv twice. Unpack it and name', { 'a/foods.csv': CSV, 'b/foods.csv': CSV }],
    ['contains a sqlite file. Unpack it and name that', { 'foods.db': 'SQLite format 3\0' }],
    ['"a.gz" is packed more than twice. Unpack it', { 'a.gz': gzipSync(gzipSync(CSV)) }],
  ])('a zip that %s', async (message, entries) => {
    expect(await refusalOf([await folder.save(await zipOf(entries))])).toContain(message);
  });
});
