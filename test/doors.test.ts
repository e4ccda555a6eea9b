/** Each folder of `src` is compiled by itself: the compiler refuses what is behind the doors of others. */
import { cp, mkdir, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './support/files.ts';
import { execute } from './support/programs.ts';

const COMPILER = 'node_modules/typescript/bin/tsc';

const folder = temporaryFolder();

beforeAll(async () => {
  await mkdir(folder.path('src/engine'), { recursive: true });
  await cp('src/core', folder.path('src/core'), { recursive: true });
  for (const name of ['tsconfig.json', 'tsconfig.door.json', 'package.json', 'src/engine/tsconfig.door.json'])
    await cp(name, folder.path(name));
  for (const name of ['dist', 'node_modules']) await symlink(resolve(name), folder.path(name));
});

/** The error codes for a source of the engine with these lines. */
async function faultsOf(...lines: readonly string[]): Promise<string[]> {
  await folder.write('src/engine/index.ts', `${lines.join('\n')}\n`);
  const args = [COMPILER, '--noEmit', '-p', folder.path('src/engine/tsconfig.door.json')];
  const compiled = execute(process.execPath, args);
  const { stdout } = await compiled.catch((error: { stdout: string }) => error);
  const faults = stdout.matchAll(/engine\/index\.ts\((\d+),.*(TS\d+)/g);
  return Array.from(faults, ([, line, code]) => `${line} ${code}`);
}

test('the engine can import the door of the core', async () => {
  expect(await faultsOf("export { fold } from '#core';")).toEqual([]);
});

test('it can import no source outside its folder', async () => {
  expect(await faultsOf("export { fold } from '../core/fold.ts';")).toEqual(['1 TS6059']);
});

test('it can import nothing behind a door, no other door, and nothing of Node.js', async () => {
  const names = ['#core/fold', '#tables', '#postgres', '#service', 'node:fs', 'zlib'];
  const imports = names.map((name) => `export * from '${name}';`);
  const faults = await faultsOf(...imports, 'export const size = Buffer.length;');
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['1', '2', '3', '4', '5', '6', '7']);
});
