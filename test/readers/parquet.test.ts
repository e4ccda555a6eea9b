/** Parquet files with wrong bytes. `files.test.ts` reads right ones. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { ImportReport } from '#tables';
import { readParquet } from '../../src/tables/own/parquet-foods.ts';
import { collect } from '../support/collect.ts';
import { temporaryFolder } from '../support/files.ts';
import { counts, importSources, refusalOf } from '../support/import.ts';
import { seeded } from '../support/random.ts';

const folder = temporaryFolder();

test('the export of Open Food Facts has names, popularities and its licence', async () => {
  const { foods, report } = await importSources(['test/files/parquet/open-food-facts.parquet']);
  expect(foods).toMatchObject([
    { description: 'Nutella, Ferrero', name: 'Nutella', popularity: 1234 },
    { description: 'Haferflocken' },
    { description: 'Water, Spring', name: 'Water', popularity: 7 },
  ]);
  expect(report.label).toMatchObject({ name: 'Open Food Facts', licence: expect.stringContaining('ODbL') });
  expect(counts(report.sources[0]?.dropped)).toEqual({ 'no description': 1 });
});

test('names may be numbers, and what stands for none is left out', async () => {
  const columns = ['name', 'kcal', 'protein', 'carbs', 'fat'];
  const rows = [1664n, 7, '-', 'n/a', null].map((name) => [name, 45, 0, 3, 0]);
  const groups = async function* () {
    yield rows;
  };
  const report = new ImportReport().source('beer');
  const batches = await collect(readParquet({ columns, groups }, { where: 'FILE', report, options: {} }));
  expect(batches.flat().map(({ description }) => description)).toEqual(['1664', '7']);
});

describe('a Parquet file with wrong bytes gives foods or one sentence:', () => {
  it.each(['pandas-lz4.parquet', 'duckdb.parquet', 'open-food-facts.parquet'])('%s', async (name) => {
    const content = await readFile(`test/files/parquet/${name}`);
    const random = seeded(11);
    let refused = 0;
    for (let i = 0; i < 400; i++) {
      const changed = Buffer.from(content);
      for (let j = 0; j < 1 << random(3); j++) changed[4 + random(changed.length - 8)] = random(256);
      const file = await folder.write(`changed-${i}.parquet`, changed);
      const outcome = await importSources([file]).catch((error: Error) => error);
      if (!(outcome instanceof Error)) continue;
      expect(`${outcome.name}: ${outcome.message}`).toMatch(/^UserError: Data file [^\n]+$/);
      refused++;
    }
    expect(refused).toBeGreaterThan(50);
  });

  test('truncated anywhere', async () => {
    const content = await readFile('test/files/parquet/duckdb.parquet');
    for (let length = 4; length < content.length; length += 23) {
      const file = await folder.write('cut.parquet', content.subarray(0, length));
      const said = /the Parquet file cannot be read \(.*\)\. Download or write it again\.$/;
      expect(await refusalOf([file])).toMatch(said);
    }
  });
});
