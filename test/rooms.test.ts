/** Within a folder of `src`, rooms import downwards: never each other, by whatever way round. Biome refuses the same of single files. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const FOLDERS = readdirSync('src');

/** A room is a folder with all that is in it; a file beside the rooms is one of its own. */
const roomOf = (path: string): string => path.split(/[/\\]/)[0] ?? '';

/** The rooms that each room imports, with a source that does. */
function importsIn(folder: string): Map<string, Map<string, string>> {
  const rooms = new Map<string, Map<string, string>>();
  const files = readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts'))) {
    const path = join('src', folder, file);
    const imported = rooms.get(roomOf(file)) ?? new Map<string, string>();
    rooms.set(roomOf(file), imported);
    const sources = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\b *\(?'(\.[^']+)'/g);
    for (const [, source = ''] of sources) {
      const room = roomOf(relative(join('src', folder), join(dirname(path), source)));
      if (room !== roomOf(file)) imported.set(room, `${file} imports ${source}`);
    }
  }
  return rooms;
}

/** The imports from which a way leads back to the room that has them. */
function circlesIn(rooms: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  const leadsBack = (room: string, from: string): boolean => {
    const reached = new Set([from]);
    for (const each of reached) for (const next of rooms.get(each)?.keys() ?? []) reached.add(next);
    return reached.has(room);
  };
  return Array.from(rooms).flatMap(([room, imported]) =>
    Array.from(imported).flatMap(([other, how]) => (leadsBack(room, other) ? [how] : [])),
  );
}

test.each(FOLDERS)('the rooms of src/%s import each other in no circle', (folder) => {
  const rooms = importsIn(folder);
  expect(rooms.size).toBeGreaterThan(1);
  expect(circlesIn(rooms)).toEqual([]);
});

test('a way round is a circle, however long', () => {
  const rooms = (...arrows: readonly string[]) =>
    new Map(arrows.map(([from = '', ...to]) => [from, new Map(to.map((each) => [each, from + each]))]));
  expect(circlesIn(rooms('ab', 'bc', 'c', 'dabc'))).toEqual([]);
  expect(circlesIn(rooms('ab', 'bc', 'ca', 'da'))).toEqual(['ab', 'bc', 'ca']);
});
