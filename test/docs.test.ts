/** What the documentation says is what the code does. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../src/settings.ts';

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

describe('every link in the documentation leads to a file', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'data/README.md',
    'docs/http-api.md',
    'docs/data.md',
    'docs/design.md',
    'docs/client.md',
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
