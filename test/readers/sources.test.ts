import { spawn } from 'node:child_process';
import { mkdir, open, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { type FoodRecord, fatOf } from '#core';
import { ImportReport, openSources, type Progress } from '#tables';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { counts, foodOf, importSources, refusalOf } from '../support/import.ts';
import { zipOf } from '../support/packing.ts';
import { ONE_EGG, table, writeFolder } from '../support/usda.ts';

const CSV = `${HEADER}\nEgg,143,12.56,0.72,3.126,3.658,1.911\n`;
const TSV = CSV.replaceAll(',', '\t');
const EGG_FAT = { fa_sat_g: '3.126', fa_mono_g: '3.658', fa_poly_g: '1.911' };
const EGG = foodOf('Egg', { kcal: '143', protein_g: '12.56', carbohydrate_g: '0.72', ...EGG_FAT });
const OFF_HEADER = 'code\tproduct_name\tbrands\tproteins_100g';

const ZIP = await zipOf({ 'foods.csv': CSV, LICENSE: 'x' });

const folder = temporaryFolder();

test('TSV with quotes, CRLF and gzip is recognized by its content', async () => {
  const content = gzipSync(TSV.replace('Egg', '"Egg"').replaceAll('\n', '\r\n'));
  const { foods, report } = await importSources([await folder.write('foods.data', content)]);
  expect(foods).toEqual([EGG]);
  expect(report.sources[0]?.kind).toBe('TSV');
  const date = expect.stringMatching(/^20\d\d-\d\d-\d\d$/);
  expect(report.label).toEqual({ name: 'foods.data', date, source: null, licence: null });
});

test('the export of Open Food Facts may end its lines with CR alone', async () => {
  const { report } = await importSources([await folder.save(`${OFF_HEADER}\r1\tFood 1\t\t\r2\tFood 2\t\t`)]);
  expect(report.sources[0]).toMatchObject({ kind: 'Open Food Facts, CSV export', rows: 2 });
});

const ABBREVIATED =
  'NDB_No,Shrt_Desc,Energ_Kcal,Protein_(g),Carbohydrt_(g),FA_Sat_(g),FA_Mono_(g),FA_Poly_(g)'.split(',');

describe('the abbreviated table', () => {
  const header =
    'NDB_No,Shrt_Desc,Water_(g),Energ_Kcal,Protein_(g),Lipid_Tot_(g),Ash_(g),Carbohydrt_(g),Fiber_TD_(g),Sugar_Tot_(g),Copper_mg),Selenium_(µg),Panto_Acid_mg),Choline_Tot_ (mg),Lut+Zea_ (µg),Vit_D_µg,FA_Sat_(g),FA_Mono_(g),FA_Poly_(g),Cholestrl_(mg),GmWt_1,GmWt_Desc1,Refuse_Pct';
  const rows = [
    '01001,"BUTTER,WITH SALT",15.87,717,0.85,81.11,2.11,0.06,0,0.06,0,1,0.11,18.8,0,1.5,51.368,21.021,3.043,215,5,"1 pat,  (1"" sq, 1/3"" high)",0',
    '18936,"PILLSBURY,CRUST & CRÈME BRÛLÉE",1,400,5,20,1,50,,,,,,,,,5.5,,,0,,,',
    '99999,CUT,1,400',
  ];
  const rest = { kcal: '400', protein_g: '5' };
  const foods = [
    foodOf('BUTTER,WITH SALT', {
      ...{ kcal: '717', protein_g: '0.85', carbohydrate_g: '0.06', fa_sat_g: '81.11' },
      portions: [{ portion: '1 pat (1" sq, 1/3" high)', grams: '5' }],
    }),
    foodOf('PILLSBURY,CRUST & CRÈME BRÛLÉE', { ...rest, carbohydrate_g: '50', fa_sat_g: '20' }),
  ];

  it.each<[string, string, BufferEncoding]>([
    ['Latin-1', '', 'latin1'],
    ['UTF-8', '', 'utf8'],
    ['UTF-8 with a byte order mark', '\ufeff', 'utf8'],
  ])('is read in %s, with its malformed headings', async (_what, mark, encoding) => {
    const file = await folder.save(Buffer.from(mark + [header, ...rows].join('\r\n'), encoding));
    const imported = await importSources([file]);
    expect(imported.foods).toEqual(foods);
    const [source] = imported.report.sources;
    expect(Object.values(counts(source?.dropped))).toEqual([1]);
    expect(counts(source?.repaired)).toEqual({});
  });

  test('may end its lines with CR alone', async () => {
    const { foods: found, report } = await importSources([await folder.save([header, ...rows].join('\r'))]);
    expect(found).toEqual(foods);
    expect(report.sources[0]?.rows).toBe(rows.length);
  });

  it.each(ABBREVIATED.slice(5))('is read as a table of the user without %s', async (missing) => {
    const columns = ['Lipid_Tot_(g)', ...ABBREVIATED.slice(2).filter((name) => name !== missing)];
    const text = `NDB_No,Shrt_Desc,${columns}\n01001,BUTTER,${columns.map((name) => (name.startsWith('L') ? 81.11 : 2))}\n`;
    const { foods: found, report } = await importSources([await folder.save(text)]);
    expect(report.sources[0]?.kind).toBe('CSV');
    expect(found.map(({ description, kcal }) => [description, kcal])).toEqual([['BUTTER', '2']]);
    expect(found.map(fatOf)).toEqual(['81.11']);
  });

  it.each<[string, string, BufferEncoding]>([
    ['Latin-1, even where a name could be UTF-8', header, 'latin1'],
    ['UTF-8', header, 'utf8'],
    ['Latin-1 with a header in ASCII', header.replaceAll('µ', 'mc'), 'latin1'],
    ['UTF-8 with a header in ASCII', header.replaceAll('µ', 'mc'), 'utf8'],
  ])('has one encoding for all rows: %s', async (_what, names, encoding) => {
    const others = ['CRÈME', 'NESCAFÉ® & CRÈME BRÛLÉE'];
    const more = others.map((name) => rows[1]?.replace('CRUST & CRÈME BRÛLÉE', name));
    const file = await folder.save(Buffer.from([names, rows[0], ...more].join('\n'), encoding));
    const found = (await importSources([file])).foods.map(({ description }) => description);
    expect(found).toEqual(['BUTTER,WITH SALT', ...others.map((name) => `PILLSBURY,${name}`)]);
  });

  test('is that of release 28 only with the same number of rows', async () => {
    const tableOf = (count: number) =>
      [header, ...Array.from({ length: count }, (_, i) => rows[1]?.replace('CRUST', `No. ${i}`))].join('\n');
    const labelOf = async (count: number) => {
      const { report } = await importSources([await folder.save(Buffer.from(tableOf(count), 'latin1'))]);
      return report.label;
    };
    const licence = 'public domain';
    const source = 'USDA National Nutrient Database for Standard Reference';
    const credit = { licence, language: 'en' };
    const of28 = {
      name: 'USDA SR 28, abbreviated',
      date: '2015',
      source: `${source}, release 28`,
      ...credit,
    };
    expect(await labelOf(8790)).toEqual(of28);
    // Release 27 has this number; the date is that of the file.
    const name = 'USDA SR (release not known), abbreviated';
    const date = new Date().toISOString().slice(0, 10);
    expect(await labelOf(8618)).toEqual({ name, date, source, ...credit });
  });
});

describe('several sources make one data set', () => {
  test('in their order, with equal foods once, and counted', async () => {
    const first = await folder.save(`${HEADER}\nEgg,143,,,,,\nMilk,61,,,,,\n,1,,,,,\n`);
    const rows = ['Egg,143.0', 'EGG,143', 'Egg,144', 'Café,2', 'Café,+2', 'Milk,61'];
    const second = await folder.save([HEADER, ...rows.map((row) => `${row},,,,,`)].join('\n'));
    const { foods, report } = await importSources([first, second]);
    const found = foods.map(({ description, kcal }) => `${description} ${kcal}`);
    expect(found).toEqual(['Egg 143', 'Milk 61', 'EGG 143', 'Egg 144', 'Café 2']);
    const { sources, totals } = JSON.parse(JSON.stringify(report));
    expect(totals).toMatchObject({ rows: 9, kept: 5, duplicates: 3, dropped: 1 });
    const dropped = { 'no description': { count: 1, first: ['line 4'] } };
    expect(sources[0]).toMatchObject({ rows: 3, kept: 2, dropped });
    const duplicates = { count: 3, first: ['Egg', 'Café', 'Milk'] };
    expect(sources[1]).toMatchObject({ rows: 6, kept: 3, duplicates });
  });
});

test('progress is reported as a share of the bytes and in rows, up to the end', async () => {
  const file = await folder.save(CSV + 'Egg,1,,,,,\n'.repeat(2000));
  const seen: Progress[] = [];
  const { report } = await importSources([file], {}, (progress) => seen.push(progress));
  expect(seen[0]).toMatchObject({ name: file, phase: 'read' });
  expect(seen.at(-1)?.share).toBe(1);
  expect(report.sources[0]?.bytes).toBe((await stat(file)).size);
  expect(Math.max(...seen.map(({ rows = 0 }) => rows))).toBeGreaterThan(1000);
});

test('a missing source is reported before the first food', async () => {
  const foods: FoodRecord[] = [];
  const reading = async () => {
    const sources = [await folder.save(CSV), '/nowhere.csv'];
    for await (const batch of openSources(sources, {}, new ImportReport())) foods.push(...batch);
  };
  await expect(reading()).rejects.toThrow('there is no such file');
  expect(foods).toEqual([]);
});

test('progress of an archive ends at 100 %', async () => {
  const path = await writeFolder(folder.path('archive'), {
    ...ONE_EGG,
    'food_attribute.csv': 'fdc_id,name,value\n1,Common Name,Hen\n',
    'food_category.csv': 'not read',
  });
  const seen: Progress[] = [];
  const { report } = await importSources([path], {}, (progress) => seen.push(progress));
  expect(seen.at(-1)).toMatchObject({ phase: 'food.csv', share: 1, rows: 3 });
  expect(report.sources[0]?.bytes).toBe(report.sources[0]?.totalBytes);
});

describe('standard input', () => {
  test('is what a pipe brings', async () => {
    const script = `
      import { openSources } from './dist/tables/read-foods.js';
      import { ImportReport } from './dist/tables/report/report.js';
      for await (const batch of openSources(['-'], {}, new ImportReport()))
        for (const food of batch) console.log(food.description, food.kcal);`;
    const args = ['--input-type=module', '-e', script];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end(CSV);
    expect(await text(child.stdout)).toBe('Egg 143\n');
  });

  /** Instead of what the tests themselves are given. */
  const give = (content: string | Uint8Array) => {
    const given = vi.spyOn(process, 'stdin', 'get');
    given.mockReturnValue(Readable.from([Buffer.from(content)]) as typeof process.stdin);
    onTestFinished(() => given.mockRestore());
  };

  it.each<[string, string | Uint8Array, FoodRecord]>([
    ['TSV, gzip', gzipSync(TSV), EGG],
    ['a zip', ZIP, EGG],
    ['an export of Open Food Facts', `${OFF_HEADER}\n1\tJam\tB\t1\n`, foodOf('Jam, B', { protein_g: '1' })],
  ])('may be %s', async (_what, content, food) => {
    give(content);
    expect((await importSources(['-'])).foods).toMatchObject([food]);
  });

  it.each<[string, string, RegExp]>([
    ['a database', 'SQLite format 3\0'.padEnd(100), /^Standard input is a sqlite .* Save/],
    ['empty', '', /^Standard input is empty/],
    ['broken', `${HEADER}\nEgg,x,,,,,\n`, /^Standard input, line 2, column kcal: "x"/],
  ])('may not be %s', async (_what, content, message) => {
    give(content);
    expect(await refusalOf(['-'])).toMatch(message);
  });
});

test.each([...'x-( '])('a name in JSON with "%s" 900,000 times is read soon', async (character) => {
  const name = `${character.repeat(900_000)}x`;
  const egg = { name: 'Egg', kcal: 143, protein: 12.6, carbs: 0.7, fat: 9.5, [name]: 1 };
  const { foods } = await importSources([await folder.save(JSON.stringify([egg]))]);
  expect(foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
});

test('a cell of a million digits behind ± is refused soon', async () => {
  const content = `name,kcal,protein,carbs,fat\nEgg,143,12.6±${'1'.repeat(1_000_000)}x,0.7,9.5\n`;
  expect(await refusalOf([await folder.save(content)])).toMatch(/line 2, column "protein": "12\.6±1+/);
});

describe('refused with one line is', () => {
  it.each<[string, string | Uint8Array]>([
    ['is a web page, not a data set', gzipSync('<html>\n')],
    ['is one table of a FoodData Central download', table('food_nutrient.csv', [])],
    ['description; it names "code"', '{"a": {"code": 1}}\n'],
  ])('a file that %s', async (message, content) =>
    expect(await refusalOf([await folder.save(content)])).toContain(message),
  );

  test('a megabyte of quotes in JSON', async () => {
    const hostile = `{"a":"${'\\"'.repeat(600_000)}`;
    expect(await refusalOf([await folder.save(hostile)])).toMatch(/cut off|longer than 1 MiB/);
  });

  it.each<[string, string]>([
    ['a line of 1 GB in CSV', `${HEADER}\n`],
    ['a line of 1 GB in the export of Open Food Facts', `${OFF_HEADER}\n`],
    ['a line of 1 GB in JSONL', '{"code":1}\n{"code":"'],
    ['a first line of 1 GB', 'description'],
  ])('%s, after a small part of it', async (_what, start) => {
    const path = await folder.save(start);
    const file = await open(path, 'r+');
    await file.truncate(1024 ** 3);
    await file.close();
    const report = new ImportReport();
    const reading = async () => {
      for await (const _ of openSources([path], {}, report));
    };
    await expect(reading()).rejects.toThrow(/longer than 1(6)? MiB|not a data file of a known kind/);
    expect(report.sources[0]?.bytes).toBeLessThan(64 * 1024 * 1024);
  });

  const names = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`);
  it.each<[string, string[], string]>([
    ['an abbreviated table', [...ABBREVIATED, ...names(20_000)], ','],
    ['the export of Open Food Facts', [...OFF_HEADER.split('\t'), ...names(20_000)], '\t'],
    ['a table of the user', [...HEADER.split(','), ...names(20_000)], ','],
  ])('20,000 columns of %s, without reading each as the whole file', async (_what, columns, separator) => {
    const before = process.memoryUsage().rss;
    expect(await refusalOf([await folder.save(`${columns.join(separator)}\n`)])).toMatch(
      /line 1: 20,\d{3} cells, of which only 16,384 are read\. Leave out columns\./,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(256e6);
  });

  test('a gzip bomb', async () => {
    const bomb = gzipSync(Buffer.concat([Buffer.from(OFF_HEADER), Buffer.alloc(80 * 1024 * 1024, '\n')]));
    expect(await refusalOf([await folder.save(bomb)])).toContain('unpacks to more than 250 times its size');
  });

  test('a folder without the tables, or with two sets of them', async () => {
    await mkdir(folder.path('no tables'));
    expect(await refusalOf([folder.path('no tables')])).toContain('this is a folder without food.csv');
    for (const name of ['a', 'b']) await writeFolder(folder.path(`two/${name}`), { 'food.csv': '' });
    expect(await refusalOf([folder.path('two')])).toMatch(/both "a" and "b" contain food\.csv/);
  });

  it.each<[string, string[], object, RegExp]>([
    ['nothing', [], {}, /No source is given/],
    ['an unknown name', ['usda:fond'], {}, /no data set "usda:fond"\. Known by name: usda:foundation, /],
    ['another protocol', ['ftp://example.org/a.csv'], {}, /only http and https addresses are read/],
    ['standard input twice', ['-', '-'], {}, /given twice/],
    ['--url without a name', ['foods.csv'], { url: 'https://a.example/' }, /name exactly one/],
    ['--url for two', ['usda:survey', 'usda:branded'], { url: 'https://a.example/' }, /name exactly one/],
    ['an invalid --url', ['usda:survey'], { url: 'a.example' }, /is not an address/],
    ['an invalid --sha256', ['usda:survey'], { sha256: 'abc' }, /Expected: 64 hexadecimal digits/],
    ['--sha256 for a file', ['foods.csv'], { sha256: 'a'.repeat(64) }, /is for one download/],
  ])('%s', async (_what, names, options, message) =>
    expect(await refusalOf(names, options)).toMatch(message),
  );
});
