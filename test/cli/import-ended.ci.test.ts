/** An import that is ended, or that has too little memory, loses no file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { LiveCatalog } from '#service';
import { recombined } from '../../load/tools/corpus.ts';
import { endOf, killedImport, MAIN, run, runAlone } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { execute } from '../support/programs.ts';
import { seeded } from '../support/random.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { STARTER, STARTER_COUNT, starterNames } from '../support/starter-foods.ts';

/** How often an import is killed, in each step in turn; more with KILLS=100. */
const KILLS = Number(process.env.KILLS ?? 6);

/** What an import prints before each step. The last one comes twice, because it is short but matters most. */
const STEPS = [
  'scoring the foods',
  'putting the foods in order',
  'sorting all parts of their descriptions',
  'filling the index',
  'writing the file',
  'writing the file',
];

const folder = temporaryFolder();
let few = '';
beforeAll(async () => {
  few = await folder.write('few.csv', tableOf(Array.from({ length: 30 }, (_, i) => `Egg number ${i}, raw`)));
});

const temporaryFilesIn = async (path: string): Promise<string[]> =>
  (await readdir(path)).filter((name) => name.endsWith('.tmp'));

test('an import that is killed leaves the old file or the new one, and the next run clears up', {
  timeout: 300_000 + KILLS * 5000,
}, async () => {
  const FOODS = 600;
  const source = await folder.write('large.csv', tableOf(recombined(await starterNames(), FOODS, 1)));
  const file = folder.path('killed.idx');
  await run(['import', STARTER, '--to', file, '--name', 'My foods']);
  const random = seeded(KILLS);
  for (let i = 0; i < KILLS; i++) {
    const step = STEPS[i % STEPS.length] as string;
    await killedImport([source, '--to', file, '--name', 'new'], step, random(20));
    const { name, foods } = (await LiveCatalog.open(file)).dataSet;
    expect([`My foods, ${STARTER_COUNT}`, `new, ${FOODS}`]).toContain(`${name}, ${foods}`);
    // Older files count as abandoned, so the next import need not wait.
    for (const leftover of await temporaryFilesIn(folder.path('.')))
      await utimes(folder.path(leftover), 0, 0);
  }
  expect((await run(['import', STARTER, '--to', file])).code).toBe(0);
  expect(await temporaryFilesIn(folder.path('.'))).toEqual([]);
});

describe('an import that is ended while it writes its file', () => {
  const place = () => folder.path('ending');
  let source = '';

  beforeAll(async () => {
    await mkdir(place());
    const eggs = Array.from({ length: 4_000 }, (_, i) => `Egg number ${i} of a large hen, raw`);
    source = await folder.write('many.csv', tableOf(eggs));
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s leaves nothing behind', async (signal) => {
    let ended: unknown;
    // Repeated if the file was in place before the signal arrived.
    for (let i = 0; i < 20 && ended !== signal; i++) {
      const args = [MAIN, 'import', source, '--to', `${place()}/foods.idx`];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      const exit = once(child, 'exit');
      // Without a pause, because the file exists only for some milliseconds.
      while (child.exitCode === null && (await temporaryFilesIn(place())).length === 0);
      child.kill(signal);
      [, ended] = await exit;
      expect(await temporaryFilesIn(place())).toEqual([]);
    }
    expect(ended).toBe(signal);
  });
});

/** Bytes that Node.js takes by itself: 50 MB, and 590 MB from version 24 on. */
async function dataOfNode(): Promise<number> {
  const script = "console.log(fs.readFileSync('/proc/self/status', 'utf8'))";
  const { stdout } = await execute(process.execPath, ['-e', script]);
  return Number(/VmData:\s*(\d+)/.exec(stdout)?.[1]) * 1024;
}

test('with too little heap, Node.js says so, and the old file stays', async () => {
  // Descriptions are outside the heap, but words are inside.
  const descriptions = Array.from({ length: 50_000 }, (_, i) =>
    Array.from({ length: 16 }, (__, k) => `${(16 * i + k).toString(36)}word`).join(' '),
  );
  const source = await folder.write('words.csv', tableOf(descriptions));
  const target = folder.path('heap.idx');
  await run(['import', few, '--to', target]);
  const before = await readFile(target);
  const args = ['import', source, '--to', target, '--threads', '1'];
  const { code, stderr } = await runAlone(args, { NODE_OPTIONS: '--max-old-space-size=32' });
  expect(stderr).toMatch(/(JavaScript|JS) heap out of memory|gives this import no more memory/);
  expect(code).not.toBe(0);
  expect((await readFile(target)).equals(before)).toBe(true);
});

describeWithProgram('prlimit', () => {
  test('with too little memory of the system, an import says how much a million foods take', async () => {
    const name = 'Egg of a large hen, raw, '.repeat(10);
    const eggs = Array.from({ length: 100_000 }, (_, i) => `${name}${i}`);
    const source = await folder.write('more.csv', tableOf(eggs));
    const target = folder.path('x.idx');
    let end = '';
    // Which allocation fails is chance: where it is one of Node.js itself, that ends the process. Since Node.js 24, a thread reserves more.
    for (const limit of [330, 370, 410, 430, 300, 730, 760, 700]) {
      if (end.includes('no more memory')) break;
      const data = `--data=${(await dataOfNode()) + limit * 1e6}`;
      const command = [process.execPath, MAIN, 'import', source, '--to', target, '--threads', '1'];
      const child = spawn('prlimit', [data, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
      const { code, stderr } = await endOf(child);
      expect(stderr).toMatch(
        /food-lookup: The system gives this import no more memory: [\d,]+ foods were read, and a million takes about 0\.5 GB\. [^\n]+\n$|(JavaScript|JS) heap out of memory|Failed to reserve virtual memory/,
      );
      expect(code).not.toBe(0);
      end = stderr;
    }
    expect(end).toContain('no more memory');
    expect(existsSync(target)).toBe(false);
  });
});
