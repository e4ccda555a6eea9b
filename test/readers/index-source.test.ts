/** An index file as the source of another one, with the built command; `catalogs/postgres-ways.ci.test.ts` compares its foods. */
import { describe, expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { ONE_EGG, writeFolder } from '../support/usda.ts';

const OFF = [
  'code\tproduct_name\tenergy-kcal_100g\tfat_100g\tsaturated-fat_100g\tcarbohydrates_100g\tproteins_100g',
  '3017620422003\tNutella\t539\t30.9\t10.6\t57.5\t6.3\n',
].join('\n');
const OFF_SOURCE = 'Open Food Facts contributors, world.openfoodfacts.org';
const OFF_LICENCE =
  'Open Database License (ODbL) 1.0; contents under the Database Contents License (DbCL) 1.0';

const USDA_SOURCE = expect.stringContaining('U.S. Department of Agriculture');
const NOTE = 'the archive has no nutrient.csv: the usual ids and numbers of nutrients were taken';

const folder = temporaryFolder();
let files = 0;

/** Imports the sources into a new index; returns its path and the report. */
async function importTo(...args: string[]): Promise<{ index: string; report: string }> {
  const index = folder.path(`${++files}.idx`);
  const { code, stdout, stderr } = await run(['import', ...args, '--to', index]);
  expect(code, stderr).toBe(0);
  return { index, report: stdout };
}

async function labelOf(index: string): Promise<object> {
  const { name, date, source, licence, notes } = JSON.parse((await run(['inspect', index, '--json'])).stdout);
  return { name, date, source, licence, notes };
}

describe('an index as a source', () => {
  test('keeps its name, date, source, licence and notes', async () => {
    // Without nutrient.csv, which is worth a note.
    const release = await writeFolder(folder.path('release'), ONE_EGG);
    const { index, report } = await importTo(release, '--name', 'My shop');
    expect(report).toContain('rows read      1, 1 food kept\n');
    expect(report).toMatch(/\.idx: 1 food, /);
    const first = await labelOf(index);
    const credit = { source: USDA_SOURCE, licence: 'public domain (CC0 1.0)' };
    expect(first).toMatchObject({ name: 'My shop', ...credit, notes: [NOTE] });
    const again = await importTo(index);
    expect(await labelOf(again.index)).toEqual(first);
    expect(again.report).toContain(NOTE);
  });

  test('is joined with others, without repeated credits', async () => {
    const products = await folder.write('more.tsv', OFF);
    const mine = await folder.write('mine.csv', `${HEADER}\nEgg,143,,,,,\n`);
    const { index } = await importTo(products, mine);
    const joined = await importTo(index, mine, products);
    expect(await labelOf(joined.index)).toMatchObject({
      name: 'Open Food Facts + mine.csv',
      source: OFF_SOURCE,
      licence: OFF_LICENCE,
      notes: [],
    });
  });
});
