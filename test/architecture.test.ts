/** Who may import whom: the table of docs/design.md, held against the import lines. */

import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Rooms, and the rooms that each may import from beside its own. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  search: ['base'],
  readers: ['base'],
  operations: ['base'],
  http: ['base', 'operations'],
  catalogs: ['base', 'search'],
  'cors-check': ['base'],
  cli: ['base', 'search', 'readers', 'operations', 'http', 'catalogs', 'cors-check'],
  browser: [],
  client: ['browser'],
};

/** Which rooms alone may import a module from outside. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  'node:fs': ['readers', 'catalogs', 'cli'],
  'node:fs/promises': ['readers', 'catalogs', 'cli', 'http'],
  'cors-check': ['base'],
  cli: ['base', 'search', 'readers', 'operations', 'http', 'catalogs', 'cors-check'],
  yauzl: ['readers'],
};

function roomOf(file: string): string {
  const [top = '', room = '', ...rest] = file.split('/');
  if (top !== 'src') return top;
  return rest.length > 0 ? room : 'base';
}

/** Every TypeScript file below a folder. */
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .toSorted();

/** Files that alone may import a module from outside. */
const OUTSIDE_FILES: Readonly<Record<string, RegExp>> = {
  pg: /^src\/catalogs\/postgres/,
  'pg-copy-streams': /^src\/catalogs\/postgres/,
};

describe('every import of src and client', () => {
  test.each([...filesOf('src'), ...filesOf('client')])('%s', async (file) => {
    const room = roomOf(file);
    const text = await readFile(file, 'utf8');
    expect(text.split('\n').length, 'lines of a room').toBeLessThanOrEqual(301);
    for (const [, target = ''] of text.matchAll(/^(?:import|export) (?:[^;]*?from )?'([^']+)'/gms)) {
      if (target.startsWith('.')) {
        const imported = roomOf(relative('.', resolve(dirname(file), target)));
        expect([room, ...(RULES[room] ?? [])], `${file} imports ${target}`).toContain(imported);
      } else {
        expect(room, `${file} imports ${target}, but needs no dependency`).not.toBe('browser');
        if (room === 'client') expect(target, 'the page runs in a browser').not.toMatch(/^node:/);
        expect(file, `${file} imports ${target}`).toMatch(OUTSIDE_FILES[target] ?? /./);
        expect(OUTSIDE[target] ?? [room], `${file} imports ${target}`).toContain(room);
      }
    }
  });
});
