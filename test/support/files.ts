import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { run } from './command.ts';

/** Every column of a table of foods, for rows such as `Egg,1,2,3,4,5,6`. */
export const HEADER = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';

export function tableOf(descriptions: Iterable<string>): string {
  const rows = Array.from(descriptions, (text, i) => `"${text.replaceAll('"', '""')}",${i},2,3,4,5,6`);
  return [HEADER, ...rows, ''].join('\n');
}

/** A folder that lives as long as the tests of a file. */
export function temporaryFolder() {
  let folder = '';
  let saved = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'food-lookup-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  return {
    path: (name: string) => join(folder, name),
    write,
    /** Writes a file with a new name. */
    save: (content: string | Uint8Array, ending = 'data') => write(`${++saved}.${ending}`, content),
  };
}

/** A table and an index of one food, an egg, for the tests of a file; the index is served in half the time that the table takes. */
export function oneFood({ path, write }: ReturnType<typeof temporaryFolder>) {
  const files = { csv: '', index: '' };
  beforeAll(async () => {
    files.csv = await write('egg.csv', tableOf(['Egg']));
    files.index = path('egg.idx');
    await run(['import', files.csv, '--to', files.index]);
  });
  return files;
}
