/** The rooms of a folder of `src` import only downwards. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const FOLDER = 'src/tables';

/** The room of each file, and those that it imports. */
const imports = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && file.includes('/'))
  .map((file) => {
    const found = readFileSync(join(FOLDER, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g);
    const rooms = Array.from(found, ([, path = '']) => dirname(join(dirname(file), path)));
    return { room: dirname(file), rooms: rooms.filter((each) => each !== dirname(file)) };
  });

test('no room of the tables imports one that imports it, directly or through others', () => {
  const below = (room: string, seen: ReadonlySet<string> = new Set()): string[] =>
    seen.has(room)
      ? [room]
      : imports
          .filter((each) => each.room === room)
          .flatMap(({ rooms }) => rooms.flatMap((each) => [each, ...below(each, new Set([...seen, room]))]));
  const rooms = [...new Set(imports.map(({ room }) => room))];
  expect(rooms.length).toBeGreaterThan(6);
  for (const room of rooms) expect([room, below(room)]).not.toEqual([room, expect.arrayContaining([room])]);
});

test('no room imports a file that no room has, such as the readers above them', () => {
  for (const { room, rooms } of imports)
    expect([room, rooms]).toEqual([room, expect.not.arrayContaining(['.'])]);
});
