import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FoodEntry, flagOf } from '#core';
import { openCatalog } from '#service';
import { newestRecord, reportOf } from '../load/bench/report.ts';
import { Operations } from '../src/service/operations/metrics.ts';
import { SETTING_NAMES, SETTINGS, variableOf } from '../src/service/settings/settings.ts';
import { PAGES } from './support/documents.ts';
import { temporaryFolder } from './support/files.ts';

test('docs/settings.md lists every setting as the code defines it', async () => {
  const page = await readFile('docs/settings.md', 'utf8');
  const table = /<!-- settings -->\n([\s\S]*?)<!-- \/settings -->/.exec(page)?.[1];
  const rows = SETTING_NAMES.map((name) => {
    const { absent, help } = SETTINGS[name];
    return `| \`${variableOf(name)}\` | \`${flagOf(name)}\` | ${help} | ${absent} |`;
  });
  const head = '| variable | flag | meaning | default |\n| --- | --- | --- | --- |';
  expect(table).toBe([head, ...rows, ''].join('\n'));
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
    const first = foods.slice(0, 3).map((food) => food.description);
    expect(first, text).toEqual(expected.slice(0, 3));
  }
});

/** Every match in the pages. @throws if there are fewer, since a pattern that matches nothing would let every test pass */
function matchesIn(pages: readonly string[], pattern: RegExp, least: number) {
  const matches = pages.flatMap((page) =>
    Array.from(readFileSync(page, 'utf8').matchAll(pattern), ([, ...groups]) => ({ page, groups })),
  );
  expect(matches.length).toBeGreaterThanOrEqual(least);
  return matches;
}

/** A heading as GitHub writes it into links. */
const anchorOf = (heading: string): string => {
  const letters = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
  return letters.replaceAll(' ', '-');
};

test('every link in the documentation leads to a file, and to a heading in it', () => {
  for (const { page, groups } of matchesIn(PAGES, /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g, 50)) {
    const [target = '', anchor] = groups;
    const found = readFileSync(target === '' ? page : join(dirname(page), target), 'utf8');
    const headings = Array.from(found.matchAll(/^#+ (.*)$/gm), ([, heading = '']) => anchorOf(heading));
    if (anchor !== undefined) expect(headings, `${page}: ${target}`).toContain(anchor);
  }
});

test('no document is too long to be read, or has the marks of a merge that was not finished', () => {
  for (const page of PAGES) {
    const text = readFileSync(page, 'utf8');
    expect(text.split('\n').length, page).toBeLessThanOrEqual(251);
    expect(text, page).not.toMatch(/^(?:<{7}|={7}|>{7})/m);
  }
});

test('every path named in the documentation exists', () => {
  const pattern = /`((?:src|client|load|test|scripts|examples|deploy|data|docs)\/[\w./@-]+)/g;
  for (const { page, groups } of matchesIn(PAGES, pattern, 50))
    expect(existsSync(groups[0] ?? ''), `${page}: ${groups[0]}`).toBe(true);
});

/** About POSIX systems only. */
const OF_POSIX = ['docs/deployment.md', 'docs/postgresql.md'];

test('no command has quotes that the shells of Windows do not know', () => {
  const pages = PAGES.filter((page) => !OF_POSIX.includes(page));
  for (const { page, groups } of matchesIn(pages, /```sh\n([\s\S]*?)```/g, 10))
    expect(groups[0]?.replaceAll(/ #.*$/gm, ''), page).not.toContain("'");
});

interface Step {
  readonly file: string;
  readonly name: string;
}

/** The lists of steps in a section of CONTRIBUTING.md. */
function waysIn(section: string) {
  const [, text = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(`\n## ${section}\n`);
  const lists = text.split('\n## ', 1)[0]?.matchAll(/^### (.*)\n\n((?:\d+\. .*\n)+)/gm) ?? [];
  const linesOf = (list: string) => list.trim().split('\n');
  return Array.from(lists, ([, way = '', list = '']) => ({ way, steps: linesOf(list).map(stepOf) }));
}

const WAYS = waysIn('Five ways through the code');
const CHANGES = waysIn('Five changes, each in at most four files');

function stepOf(line: string): Step {
  const [, file, name] = /^\d+\. `([^`:]+): (#?\w+)` — ./.exec(line) ?? [];
  if (file === undefined || name === undefined) throw new Error(`no step: ${line}`);
  return { file, name };
}

/** The text of a function, method or constant, as Biome indents it; empty if the file declares none of that name. */
function textOf(source: string, name: string): string {
  const declared = `(?:export )?(?:async )?(?:function\\*? |const |class )${name}\\b`;
  const method = `(?:static |async |override |\\*)*${name}(?:<[^(]*>)?\\((?:.*\\{$|$(?=(?:\\n {3}.*)+\\n {2}\\).*\\{$))`;
  const match = new RegExp(`^( *)(?:${declared}|${method})`, 'm').exec(source);
  if (match === null) return '';
  const indent = match[1] ?? '';
  const [first = '', ...lines] = source.slice(match.index).split('\n');
  // It ends before the next line that is indented as little and closes nothing.
  const end = lines.findIndex((line) => line.trim() !== '' && !RegExp(`^${indent}[\\s)}\\]]`).test(line));
  return [first, ...lines.slice(0, end < 0 ? undefined : end)].join('\n');
}

/** The text of a step, and of everything in its file that it names, without comments. */
function reachedFrom({ file, name }: Step): string {
  const source = readFileSync(file, 'utf8').replace(/^ *(?:\/?\*|\/\/).*$/gm, '');
  const texts = new Map([[name, textOf(source, name)]]);
  for (const text of texts.values())
    for (const [found] of text.matchAll(/#?\b\w+/g))
      if (!texts.has(found)) texts.set(found, textOf(source, found));
  // Without the declarations themselves.
  return Array.from(texts, ([each, text]) => text.replace(each, '')).join('\n');
}

/** A step is called, rendered, or the file that a thread starts. */
function isCalledIn(text: string, { file, name }: Step): boolean {
  const thread = /([\w-]+)\.ts$/.exec(file)?.[1];
  return RegExp(`(?<!\\w)${name}\\(|<${name}\\b|/${thread}\\.js'`).test(text);
}

/** The steps that no earlier one calls. */
function calledByNone(steps: readonly Step[]): readonly Step[] {
  const reached = steps.map(reachedFrom);
  return steps.filter((step, i) => i > 0 && !reached.slice(0, i).some((text) => isCalledIn(text, step)));
}

test('there are five ways through the code', () => expect(WAYS).toHaveLength(5));

describe.each(WAYS)('$way', ({ steps }) => {
  test('has at most eight steps, each a function in the named file', () => {
    expect(steps.length).toBeLessThanOrEqual(8);
    for (const { file, name } of steps) expect(textOf(readFileSync(file, 'utf8'), name), name).not.toBe('');
  });

  test('has each step after one that calls it', () => {
    expect(calledByNone(steps)).toEqual([]);
    expect(calledByNone(steps.toReversed())).not.toEqual([]);
  });
});

test('there are five changes', () => expect(CHANGES).toHaveLength(5));

test.each(CHANGES)('$way: touches at most four files, which have what it names', ({ steps }) => {
  expect(new Set(steps.map(({ file }) => file)).size).toBeLessThanOrEqual(4);
  for (const { file, name } of steps) {
    expect(file).toMatch(/^src\//);
    const source = readFileSync(file, 'utf8');
    const isType = RegExp(`^export (?:interface|type) ${name}\\b`, 'm').test(source);
    expect(isType || textOf(source, name) !== '', `${file}: ${name}`).toBe(true);
  }
});

test('docs/operations.md names every metric of the service', async () => {
  const page = await readFile('docs/operations.md', 'utf8');
  const registry = new Operations().registry();
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
      const name = `record/${date.slice(0, 10)}-${commit}.json`;
      const file = await folder.write(name, JSON.stringify({ date, commit }));
      // In a clone, all files have the same time, or times in any order.
      await utimes(file, 1_800_000_000, commit === 'f' ? 1_800_000_000 : 1_700_000_000);
    }
    expect(newestRecord(folder.path('record')).commit).toBe('a');
  });

  test('are in docs/benchmarks.md as `npm run bench -- report` writes them', async () => {
    expect(await readFile('docs/benchmarks.md', 'utf8')).toBe(reportOf(newestRecord()));
  });

  test('leave the share of right first answers to docs/order.md', async () => {
    const figures = await readFile('docs/order.md', 'utf8');
    const [, hit = ''] = /^\| USDA, the 163 \|.*\| (0\.\d+) \| [\d.]+ \| [\d.]+ \|$/m.exec(figures) ?? [];
    const readme = (await readFile('README.md', 'utf8')).replaceAll('\n', ' ');
    expect(readme).toContain(`For ${(100 * Number(hit)).toFixed(0)} % of 163 queries`);
  });
});
