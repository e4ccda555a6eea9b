/** Checks the documentation against the code. */
import { mkdir, readFile, stat, utimes } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newestRecord } from '../bench/report.ts';
import { PRODUCTS, SR28 } from '../bench/tools/workload.ts';
import { openCatalog } from '../src/cli/open-catalog.ts';
import type { FoodEntry } from '../src/food.ts';
import { Operations } from '../src/operations/operations.ts';
import { HEADINGS, PORTION_HEADINGS } from '../src/readers/own/headings.ts';
import { SETTINGS } from '../src/settings/settings.ts';
import { temporaryFolder } from './support/files.ts';
import { SHARED, SR28_CSV } from './support/requirements.ts';

test('docs/settings.md lists every setting as the code defines it', async () => {
  const page = await readFile('docs/settings.md', 'utf8');
  const table = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(page)?.[1];
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

test('docs/own-foods.md lists every known heading', async () => {
  const page = await readFile('docs/own-foods.md', 'utf8');
  const table = /<!-- headings -->\n([\s\S]*?)<!-- \/headings -->/.exec(page)?.[1];
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = [...HEADINGS, ...PORTION_HEADINGS].map(
    ({ field, unit, names }) =>
      `| ${field === 'kcal' ? `energy in ${unit ?? 'kcal or kJ, as the heading says'}` : `\`${field}\``} | ${names.map(cell).join(', ')} |`,
  );
  expect(table).toBe(['| field | headings, the most exact first |', '| --- | --- |', ...rows, ''].join('\n'));
});

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'data/README.md',
  'docs/http-api.md',
  'docs/cross-origin.md',
  'docs/settings.md',
  'docs/own-foods.md',
  'docs/sources.md',
  'docs/design.md',
  'docs/order.md',
  'docs/benchmarks.md',
  'docs/client.md',
  'docs/deployment.md',
  'SECURITY.md',
  'docs/operations.md',
  'docs/postgresql.md',
  'docs/platforms.md',
  'examples/README.md',
  'CODE_OF_CONDUCT.md',
];

/** A heading as GitHub writes it into links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

describe('every link in the documentation leads to a file, and to a heading in it', () => {
  test.each(PAGES)('%s', async (page) => {
    const text = await readFile(page, 'utf8');
    for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const { pathname } = new URL(target, new URL(page, 'file:///repository/'));
      const found = await readFile(pathname.replace('/repository/', ''), 'utf8');
      const headings = Array.from(found.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading));
      if (anchor !== undefined) expect(headings, target).toContain(anchor);
    }
  });
});

test.each(PAGES)('every path named in %s exists', async (page) => {
  const text = await readFile(page, 'utf8');
  const paths = text.matchAll(
    /`((?:src|client|bench|torture|test|scripts|examples|deploy|data|docs)\/[\w./@-]+)/g,
  );
  for (const [, path = ''] of paths) await expect(stat(path), path).resolves.toBeDefined();
});

/** About POSIX systems only. */
const OF_POSIX = ['docs/deployment.md', 'docs/postgresql.md'];

test.each(PAGES.filter((page) => !OF_POSIX.includes(page)))(
  'no command in %s has quotes that the shells of Windows do not know',
  async (page) => {
    for (const [, commands = ''] of (await readFile(page, 'utf8')).matchAll(/```sh\n([\s\S]*?)```/g))
      expect(commands.replaceAll(/ #.*$/gm, '')).not.toContain("'");
  },
);

describe('the ways through the code', async () => {
  const [text = ''] = (await readFile('CONTRIBUTING.md', 'utf8')).split('\n## Working');
  const ways = Array.from(text.matchAll(/^### (.*)\n\n((?:\d\. .*\n)+)/gm), ([, name = '', steps = '']) => ({
    name,
    steps: steps.trim().split('\n'),
  }));

  test('number five', () => expect(ways).toHaveLength(5));

  test.each(ways)('$name has at most eight steps, each a function in the named file', async ({ steps }) => {
    expect(steps.length).toBeLessThanOrEqual(8);
    for (const step of steps) {
      const [, file = '', name = ''] = /^\d\. `([^`:]+): (#?\w+)` — ./.exec(step) ?? [];
      const before = '(export |async |function\\*? |class |const |\\*)*';
      const declaration = new RegExp(`^ *${before}${name}\\b[^;]*[({<]`, 'm');
      expect(await readFile(file, 'utf8'), step).toMatch(declaration);
    }
  });
});

test('docs/operations.md names every metric of the service', async () => {
  const page = await readFile('docs/operations.md', 'utf8');
  const registry = new Operations().metrics.registry(new Operations());
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  const own = names.filter((name) => name.startsWith('food_lookup_') && !name.endsWith('_misses_total'));
  expect(own.length).toBeGreaterThan(10);
  for (const name of own) expect(page).toContain(`\`${name}`);
});

describe('the benchmarks', () => {
  const folder = temporaryFolder();

  test('are reported from the record with the latest date, whatever the file times', async () => {
    await mkdir(folder.path('record'));
    const dates = { f: '2026-11-20T09:00:00Z', a: '2026-11-21T21:42:13Z', e: '2026-11-21T06:50:50Z' };
    for (const [commit, date] of Object.entries(dates)) {
      const file = await folder.write(
        `record/${date.slice(0, 10)}-${commit}.json`,
        JSON.stringify({ date, commit }),
      );
      // In a clone, all files have the same time, or times in any order.
      await utimes(file, 1_800_000_000, commit === 'f' ? 1_800_000_000 : 1_700_000_000);
    }
    expect(newestRecord(folder.path('record')).commit).toBe('a');
  });

  test('in docs/benchmarks.md are those of the newest record', async () => {
    expect(await readFile('docs/benchmarks.md', 'utf8')).toContain(`\`${newestRecord().file}\``);
  });

  test('in the README are those of the newest record, and of docs/order.md', async () => {
    const readme = await readFile('README.md', 'utf8');
    const { engine = [], service, words } = newestRecord();
    const peers = engine.find(({ foods }) => foods === 2_000_000)?.peers ?? [];
    const p99 = (name: string): number => peers.find((peer) => peer.name.startsWith(name))?.p99 ?? Number.NaN;
    const [, hit = ''] =
      /^\| USDA, the 60 \|.*\| (0\.\d+) \| [\d.]+ \|$/m.exec(await readFile('docs/order.md', 'utf8')) ?? [];
    for (const figure of [
      `within ${p99('food-lookup').toFixed(2)} ms`,
      `within ${words?.peers[0]?.p99.toFixed(1)} ms`,
      `in ${service?.importSeconds.toFixed(0)} s on two cores`,
      `SQLite takes ${p99('SQLite FTS5').toFixed(0)} ms`,
      `\`LIKE\` ${p99('SQLite LIKE').toFixed(0)} ms`,
      `${service?.bytesPerFood.toFixed(0)} bytes`,
      `in ${service?.openSeconds.toFixed(1)} s`,
      `${(100 * Number(hit)).toFixed(0)} %`,
    ])
      expect(readme.replaceAll('\n', ' ')).toContain(figure);
  });

  test('read the same real data as the tests', () => {
    expect([SR28, PRODUCTS].map((file) => resolve(file))).toEqual([
      SR28_CSV,
      `${SHARED}/data/off-2019.csv.gz`,
    ]);
  });
});
