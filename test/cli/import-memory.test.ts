/** An import that does not fit into memory ends with a sentence. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MAIN, runAlone } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { describeWithProgram } from '../support/requirements.ts';

const HEADER = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';
const folder = temporaryFolder();

function writeFoods(file: string, count: number): Promise<string> {
  const name = 'Egg of a large hen, raw, '.repeat(10);
  const rows = Array.from({ length: count }, (_, i) => `"${name}${i}",1,2,3,4,5,6`);
  return folder.write(file, [HEADER, ...rows, ''].join('\n'));
}

test('of the heap: with what it needs, which is enough', { timeout: 300_000 }, async () => {
  const source = await writeFoods('many.csv', 50_000);
  const to = folder.path('heap.idx');
  const small = await runAlone(['import', source, '--to', to], { NODE_OPTIONS: '--max-old-space-size=32' });
  expect(small.code).toBe(1);
  const [, needed, allowed] =
    /food-lookup: The foods do not fit into memory: the 32 MB that Node\.js allows were full while reading "[^"]+many\.csv", and all of it needs about (\d+) MB\. Allow more with NODE_OPTIONS=(--max-old-space-size=\d+), or leave foods out\. Nothing was written\.\n$/.exec(
      small.stderr,
    ) ?? [];
  expect(small.stderr).not.toContain('    at ');
  expect(Number(needed)).toBeGreaterThan(32);
  expect(await readdir(folder.path('.'))).toEqual(['many.csv']);
  expect((await runAlone(['import', source, '--to', to], { NODE_OPTIONS: allowed ?? '' })).code).toBe(0);
});

describeWithProgram('prlimit', () => {
  test('of the system: with what a million foods take', { timeout: 300_000 }, async () => {
    const source = await writeFoods('more.csv', 100_000);
    // Full where the suffixes are sorted, which asks for a hundred megabytes at once and leaves Node.js itself what it needs.
    const args = ['--data=460000000', process.execPath, MAIN, 'import', source, '--to', folder.path('x.idx')];
    const child = spawn('prlimit', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toMatch(
      /food-lookup: The system gives this import no more memory: [\d,]+ foods were read, and a million takes about 0\.8 GB\. [^\n]+\n$/,
    );
    expect(code).toBe(1);
  });
});
