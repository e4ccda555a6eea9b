/** What the documentation says is what the code does. */
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { newestRecord } from '../bench/report.ts';
import { openCatalog } from '../src/cli/open-catalog.ts';
import type { FoodEntry } from '../src/food.ts';
import { Operations } from '../src/operations/operations.ts';
import { SETTINGS } from '../src/settings/settings.ts';
import { temporaryFolder } from './support/files.ts';

test('the README lists every setting as the code has it', async () => {
  const readme = await readFile('README.md', 'utf8');
  const table = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(readme)?.[1];
  const rows = Object.values(SETTINGS).map(
    ({ variable, flag, absent, help }) => `| \`${variable}\` | \`${flag}\` | ${help} | ${absent} |`,
  );
  expect(table).toBe(
    ['| variable | flag | meaning | default |', '| --- | --- | --- | --- |', ...rows, ''].join('\n'),
  );
});

test('the first answers in docs/order.md are those of the starter foods', async () => {
  const catalog = await openCatalog(undefined);
  const page = await readFile('docs/order.md', 'utf8');
  const table = /<!-- first answers -->\n([\s\S]*?)<!-- \/first answers -->/.exec(page)?.[1] ?? '';
  const rows = table.trim().split('\n').slice(2);
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const [, text = '', ...expected] = row.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    const foods = JSON.parse(Buffer.from(catalog.search(text)).toString()) as FoodEntry[];
    expect(
      foods.slice(0, 3).map((food) => food.description),
      text,
    ).toEqual(expected.slice(0, 3));
  }
});

describe('every link in the documentation leads to a file', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'data/README.md',
    'docs/http-api.md',
    'docs/data.md',
    'docs/design.md',
    'docs/order.md',
    'docs/benchmarks.md',
    'docs/client.md',
    'docs/deployment.md',
    'SECURITY.md',
    'docs/operations.md',
    'docs/postgresql.md',
  ];
  test.each(pages)('%s', async (page) => {
    const text = await readFile(page, 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      await expect(
        readFile(new URL(target, new URL(page, 'file:///repository/')).pathname.replace('/repository/', '')),
        target,
      ).resolves.toBeDefined();
    }
  });
});

test('docs/operations.md names every figure of the service that /metrics has', async () => {
  const page = await readFile('docs/operations.md', 'utf8');
  const registry = new Operations().metrics.registry(new Operations());
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const own = names.filter((name) => name.startsWith('food_lookup_') && !name.endsWith('_misses_total'));
  expect(own.length).toBeGreaterThan(10);
  for (const name of own) expect(page).toContain(`\`${name}`);
});

describe('the benchmarks', () => {
  const folder = temporaryFolder();

  test('are reported from the record with the latest date, whatever the times of the files', async () => {
    await mkdir(folder.path('record'));
    const dates = { f: '2026-11-20T09:00:00Z', a: '2026-11-21T21:42:13Z', e: '2026-11-21T06:50:50Z' };
    for (const [commit, date] of Object.entries(dates)) {
      const file = await folder.write(
        `record/${date.slice(0, 10)}-${commit}.json`,
        JSON.stringify({ date, commit }),
      );
      // As in a clone, where all are of one time, or in any other order.
      await utimes(file, 1_800_000_000, commit === 'f' ? 1_800_000_000 : 1_700_000_000);
    }
    expect(newestRecord(folder.path('record')).commit).toBe('a');
  });

  test('in docs/benchmarks.md are those of the newest record', async () => {
    expect(await readFile('docs/benchmarks.md', 'utf8')).toContain(`(../${newestRecord().file})`);
  });
});
