/** Packed files are read like unpacked ones. */
import zlib, { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { importSources, refusalOf } from '../support/import.ts';
import { zipOf, zstdOf } from '../support/packing.ts';

const CSV = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g\nEgg,143,,,,,\n';

const folder = temporaryFolder();
let files = 0;
const write = (content: string | Uint8Array): Promise<string> => folder.write(`${++files}.data`, content);

describe('a file is found in a zip', () => {
  it.each<[string, Record<string, string | Uint8Array>]>([
    ['beside metadata', { 'datapackage.json': '{}', 'metadata.csv': 'a,b', 'foods.csv': CSV }],
    ['beside documents', { 'notes.pdf': '%PDF', 'notes.docx': 'PK', 'foods.csv': CSV }],
    ['with any name, if it is the only one', { 'foods.2026': CSV }],
    ['named like a README, if it is the only one', { 'readme.csv': CSV }],
    ['with a name that only begins like a licence', { 'licences.csv': CSV, 'README.md': 'x' }],
  ])('%s', async (_what, entries) => {
    const { foods, report } = await importSources([await write(await zipOf(entries))]);
    expect(foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
    expect(report.lines()[0]).toMatch(/ \([CT]SV, entry [\w.]+\)$/);
  });

  it('but not if it is packed twice more', async () => {
    const zip = await write(await zipOf({ 'foods.csv.gz': gzipSync(gzipSync(CSV)) }));
    expect(await refusalOf([zip])).toMatch(/entry "foods\.csv\.gz" is packed more than twice\. Unpack it/);
  });

  it('but not if it is a database', async () => {
    const zip = await write(await zipOf({ 'foods.db': 'SQLite format 3\0' }));
    expect(await refusalOf([zip])).toMatch(
      /entry "foods\.db" contains a sqlite file\. Unpack it and name that/,
    );
  });
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
  const file = await write(zstdOf(CSV));
  const cutBytes = zstdOf(CSV).subarray(0, -9);
  // Older versions can unpack it, but accept truncated data.
  const unpackCut = () => Reflect.get(zlib, 'zstdDecompressSync')?.(cutBytes);
  if ('createZstdDecompress' in zlib && isThrowing(unpackCut)) {
    expect((await importSources([file])).foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
    const cut = await write(cutBytes);
    expect(await refusalOf([cut])).toMatch(/the zstd data is truncated or damaged/);
  } else {
    expect(await refusalOf([file])).toMatch(
      /is compressed with Zstandard, which Node\.js v\d[\d.]+ either cannot read or does not check for truncation\. Unpack it first \(zstd -d FILE\), or use Node\.js 24\.21 or newer\.$/,
    );
  }
});

describe('an unsupported file is refused with what to do:', () => {
  it.each<[string, string | Uint8Array, RegExp]>([
    ['bzip2', 'BZh91AY', /is a bzip2 file, which is not read\. Unpack it \(bunzip2\)\. Expected/],
    ['RAR', 'Rar!\x1a\x07\0', /is a RAR file.* Unpack it\./],
    ['PDF', '%PDF-1.7', /is a PDF file.* Look for the same table as CSV or Excel/],
    ['R', gzipSync('RDX3\nX\n'), / is an R data file.* write\.csv/],
  ])('%s', async (_what, content, message) => {
    expect(await refusalOf([await write(content)])).toMatch(message);
  });
});
