/** Checks the rooms of docs/design.md, and what each may import, against the import lines. Biome finds cycles of files. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Every room, and the other rooms that it imports from, all of which are listed above it. */
const RULES: Readonly<Record<string, readonly string[]>> = roomsOf(`
  src/text:
  src/system: src/text
  src/foods:
  src/settings: src/system
  src/search/suffixes: src/text
  src/search/ranking: src/text src/foods src/search/suffixes
  src/search/collections: src/foods
  src/search/words: src/text src/foods src/search/ranking src/search/collections
  src/search/building: src/text src/foods src/search/suffixes src/search/ranking src/search/collections
  src/search: src/text src/system src/foods src/search/suffixes src/search/ranking src/search/collections src/search/words src/search/building
  src/readers/report: src/text src/system src/foods
  src/readers/bytes: src/system src/foods
  src/readers/tables: src/text src/system src/foods src/readers/bytes
  src/readers/rules: src/text src/foods src/readers/report src/readers/tables
  src/readers/downloads: src/system src/readers/report src/readers/bytes
  src/readers/sources: src/text src/system src/foods src/readers/report src/readers/bytes src/readers/tables src/readers/rules
  src/readers/own: src/text src/system src/foods src/readers/report src/readers/bytes src/readers/tables src/readers/rules
  src/readers: src/system src/foods src/readers/report src/readers/bytes src/readers/tables src/readers/own src/readers/rules src/readers/downloads src/readers/sources
  src/operations: src/text src/system src/foods src/settings
  src/http: src/text src/system src/foods src/settings src/operations
  src/catalogs/index: src/system src/foods src/search src/search/ranking src/search/building
  src/catalogs/postgres: src/text src/system src/foods src/settings src/search src/search/ranking src/search/collections src/search/words src/catalogs/index
  src/cors-check: src/system
  src/cli: src/text src/system src/foods src/settings src/search src/search/ranking src/search/words src/readers src/readers/report src/readers/bytes src/operations src/http src/catalogs/index src/catalogs/postgres src/cors-check
  src/browser:
  client/foods: src/browser
  client/stores: client/foods
  client/elements: client/foods
  client/service: src/browser client/foods client/stores client/elements
  client/search: src/browser client/foods client/stores client/elements client/service
  client/plate: client/foods client/stores client/elements client/service
  client: client/stores client/elements client/service client/search client/plate
`);

/** Reads lines such as `ROOM: OTHER OTHER`. */
function roomsOf(lines: string): Record<string, string[]> {
  const rooms = Array.from(lines.matchAll(/^ *([\w/-]+):(.*)$/gm));
  return Object.fromEntries(rooms.map(([, room = '', others = '']) => [room, others.match(/\S+/g) ?? []]));
}

/** The only rooms that import each package; a folder includes the rooms inside it. */
const OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  'node:fs': ['src/readers', 'src/catalogs/index', 'src/http', 'src/system'],
  'node:fs/promises': ['src/readers', 'src/catalogs'],
  fastify: ['src/http', 'src/cli'],
  pg: ['src/catalogs/postgres'],
  'pg-copy-streams': ['src/catalogs/postgres'],
  yauzl: ['src/readers/bytes'],
  sax: ['src/readers/tables'],
  hyparquet: ['src/readers/tables'],
  'hyparquet-compressors': ['src/readers/tables'],
  chardet: ['src/readers/bytes'],
  'hyparquet/src/column.js': ['src/readers/tables'],
  undici: ['src/readers/downloads'],
  'node-sqlite3-wasm': ['src/readers/own'],
};

interface Import {
  readonly file: string;
  readonly room: string;
  readonly target: string;
  /** The imported file and its room, if it is in the project. */
  readonly path: string | undefined;
  readonly from: string | undefined;
  /** Whether loading the file does not load the target: `import()` and `import type`. */
  readonly isLate: boolean;
}

const filesIn = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .map((name) => `${folder}/${name}`)
      .toSorted(),
  );
const FILES = filesIn('src', 'client');

/** The room of a file: the longest folder of the table that it is in. */
function roomOf(file: string): string {
  let folder = dirname(file);
  while (!(folder in RULES) && folder !== '.') folder = dirname(folder);
  return folder;
}

const IMPORTS: readonly Import[] = FILES.flatMap((file) =>
  Array.from(
    readFileSync(file, 'utf8').matchAll(/(?:^(?:import|export) (?:[^;]*?from )?|\b(import\())'([^']+)'/gms),
    ([line, late, target = '']) => {
      const path = target.startsWith('.') ? relative('.', resolve(dirname(file), target)) : undefined;
      const isLate = late !== undefined || line.startsWith('import type');
      return { file, room: roomOf(file), target, path, from: path && roomOf(path), isLate };
    },
  ),
);

const isIn = (room: string, folder: string): boolean => room === folder || room.startsWith(`${folder}/`);

test.each(FILES)('%s is in a room, and imports only what its room may', (file) => {
  expect(RULES).toHaveProperty([roomOf(file)]);
  for (const { room, target, from } of IMPORTS.filter((each) => each.file === file)) {
    if (from !== undefined) expect([room, ...(RULES[room] ?? [])], target).toContain(from);
    else {
      expect(room, `${target}: the typed client has no dependencies`).not.toBe('src/browser');
      const rooms = OUTSIDE[target] ?? [room];
      expect(
        rooms.some((folder) => isIn(room, folder)),
        `${room} imports ${target}`,
      ).toBe(true);
    }
  }
});

test.each(['pg', 'node-sqlite3-wasm'])('the service loads %s only for data that needs it', (library) => {
  const loaded = new Set(['src/cli/serve.ts']);
  for (const loader of loaded) {
    for (const { path, target, isLate } of IMPORTS.filter(({ file }) => file === loader))
      if (!isLate) loaded.add(path ?? target);
  }
  expect(loaded).toContain('fastify');
  expect(loaded).not.toContain(library);
});

test('benchmarks, load tests and scripts share only load/tools, which imports nothing from the others', () => {
  for (const file of filesIn('load', 'scripts')) {
    const text = readFileSync(file, 'utf8');
    if (file.startsWith('load/torture')) expect(text, file).not.toMatch(/from '[./]*\/bench\//);
    else expect(text, file).not.toMatch(/from '[./]*\/torture\//);
    if (file.startsWith('load/tools/')) expect(text, file).not.toMatch(/from '\.\.\/[^.]/);
  }
});

describe('in the tables,', () => {
  test.each(Object.entries(RULES))('%s imports from each of its rooms', (room, allowed) => {
    const used = IMPORTS.filter((each) => each.room === room).map(({ from }) => from);
    expect(FILES.some((file) => roomOf(file) === room)).toBe(true);
    for (const from of allowed) expect(used).toContain(from);
  });

  test.each(Object.entries(OUTSIDE))('%s is imported by each of its rooms', (target, rooms) => {
    const using = IMPORTS.filter((each) => each.target === target).map(({ room }) => room);
    for (const folder of rooms) expect(using.some((room) => isIn(room, folder))).toBe(true);
  });

  test('each room imports only from rooms above it in the table, so there are no circular imports', () => {
    const rooms = Object.keys(RULES);
    for (const [room, allowed] of Object.entries(RULES)) {
      for (const from of allowed) expect(rooms.indexOf(from), from).toBeLessThan(rooms.indexOf(room));
    }
  });
});
