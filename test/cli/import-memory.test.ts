/** An import that does not fit into memory ends with one sentence. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { MAIN, runAlone } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { describeWithProgram } from '../support/requirements.ts';

const folder = temporaryFolder();

/** Bytes that Node.js takes by itself: 50 MB, and 590 MB from version 24 on. */
async function dataOfNode(): Promise<number> {
  const script = "console.log(fs.readFileSync('/proc/self/status', 'utf8'))";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
  return Number(/VmData:\s*(\d+)/.exec(stdout)?.[1]) * 1024;
}

// Two threads share the words.
test.each([
  ['1', 25_000, 'the 32 MB that Node\\.js allows are used up'],
  ['2', 50_000, 'a thread of this import ran out of it'],
] as const)(
  'with too little heap and %s threads, an import says how much to allow',
  async (threads, foods, what) => {
    // Descriptions are outside the heap, but words are inside.
    const descriptions = Array.from({ length: foods }, (_, i) =>
      Array.from({ length: 16 }, (__, k) => `${(16 * i + k).toString(36)}word`).join(' '),
    );
    const source = await folder.write('words.csv', tableOf(descriptions));
    const args = ['import', source, '--to', folder.path('heap.idx'), '--threads', threads];
    const { code, stderr } = await runAlone(args, { NODE_OPTIONS: '--max-old-space-size=32' });
    expect(stderr).toMatch(
      RegExp(
        `food-lookup: The foods do not fit into memory: ${what}[^\n]* Allow more with NODE_OPTIONS=--max-old-space-size=\\d+, [^\n]* Nothing was written\\.\n$`,
      ),
    );
    expect(code).toBe(1);
    expect(stderr).not.toContain('    at ');
    expect(await readdir(folder.path('.'))).toEqual(['words.csv']);
  },
);

describeWithProgram('prlimit', () => {
  test('with too little memory of the system, an import says how much a million foods take', async () => {
    const name = 'Egg of a large hen, raw, '.repeat(10);
    const eggs = Array.from({ length: 100_000 }, (_, i) => `${name}${i}`);
    const source = await folder.write('more.csv', tableOf(eggs));
    // Sorting the suffixes exceeds it: that allocates 100 MB at once, which leaves enough for Node.js itself.
    const args = [
      `--data=${(await dataOfNode()) + 410_000_000}`,
      process.execPath,
      MAIN,
      'import',
      source,
      '--to',
      folder.path('x.idx'),
      '--threads',
      '1',
    ];
    const child = spawn('prlimit', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toMatch(
      /food-lookup: The system gives this import no more memory: [\d,]+ foods were read, and a million takes about 0\.5 GB\. [^\n]+\n$/,
    );
    expect(code).toBe(1);
  });
});
