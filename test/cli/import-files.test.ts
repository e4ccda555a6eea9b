/** Which files an import may replace, and that no other file is lost, however it ends, even for want of memory. */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { MAIN, run, runAlone } from '../support/command.ts';
import { HEADER, tableOf, temporaryFolder } from '../support/files.ts';
import { describeAsNobody, describeWithProgram, NOBODY } from '../support/requirements.ts';

const folder = temporaryFolder();
let few = '';
beforeAll(async () => {
  few = await folder.write('few.csv', tableOf(Array.from({ length: 30 }, (_, i) => `Egg number ${i}, raw`)));
});

/** A string, because comparing buffers element by element takes seconds. */
const contentOf = (path: string): Promise<string> => readFile(path, 'latin1');

const temporaryFilesIn = async (path: string): Promise<string[]> =>
  (await readdir(path)).filter((name) => name.endsWith('.tmp'));

/** What changes when a file is written or replaced, without the access time, which reading a link changes. */
async function stateOf(path: string): Promise<unknown> {
  const found = await lstat(path).catch(() => undefined);
  return found && [found.ino, found.size, found.mode, found.mtimeMs];
}

/** Has its own error as soon as it is looked at. */
const MISSING = '/nowhere/missing.csv';

describe('--to', () => {
  beforeAll(async () => {
    await folder.write('thesis.docx', 'years of work');
    await folder.write('empty.idx', '');
    await mkdir(folder.path('folder.idx'));
    execFileSync('mkfifo', [folder.path('pipe.idx')]);
    await symlink('nowhere/foods.idx', folder.path('dangling.idx'));
    await symlink('circle.idx', folder.path('circle.idx'));
    await symlink('thesis.docx', folder.path('to-thesis.idx'));
    await run(['import', few, '--to', folder.path('read-only.idx'), '--name', 'old']);
    await chmod(folder.path('read-only.idx'), 0o444);
  });

  it.each([
    ['thesis.docx', 'this is not an index file, and nothing else is replaced; name another file'],
    ['to-thesis.idx', 'this is not an index file'],
    ['empty.idx', 'this is not an index file'],
    ['pipe.idx', 'a device, a pipe or the like'],
    ['folder.idx', 'this is a folder; name a file in it'],
    ['new/', 'this is a folder; name a file in it'],
    ['dangling.idx', 'its folder does not exist; create it first'],
    ['circle.idx', 'its symbolic links form a loop'],
    ['read-only.idx', 'the file is read-only'],
  ])('%s is refused before a source is looked at, and nothing changes', async (name, reason) => {
    const path = folder.path(name);
    const before = await stateOf(path);
    const { code, stdout, stderr } = await run(['import', MISSING, '--to', path]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^food-lookup: --to [^\n]+\. Any earlier file is unchanged\.\n$/);
    expect(stderr).toContain(reason);
    expect(await stateOf(path)).toEqual(before);
  });

  it.each([
    [2, '-', /^food-lookup: --to -: an index is not written to standard output\. Name a file, [^\n]+\n$/],
    [1, '/dev/null', /: this is not an index file but a device, a pipe or the like; [^\n]+\n$/],
  ])('is refused with exit code %i: %s', async (expected, to, message) => {
    const { code, stderr } = await run(['import', few, '--to', to]);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  test('replaces an index of another version, or a damaged one', async () => {
    const file = folder.path('older.idx');
    await run(['import', few, '--to', file]);
    const bytes = await readFile(file);
    bytes[8] = 1;
    await writeFile(file, bytes.subarray(0, 2000));
    expect((await run(['inspect', file])).stderr).toContain('is of version 1');
    expect((await run(['import', few, '--to', file])).code).toBe(0);
    expect((await run(['inspect', file])).code).toBe(0);
  });

  test('follows a symbolic link, even to a missing file', async () => {
    await mkdir(folder.path('releases'));
    const path = folder.path('current.idx');
    await symlink('releases/today.idx', path);
    for (const name of ['first', 'second']) {
      expect((await run(['import', few, '--to', path, '--name', name])).code).toBe(0);
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect((await run(['inspect', path])).stdout).toContain(`name      ${name}\n`);
    }
    expect(await readdir(folder.path('releases'))).toEqual(['today.idx']);
  });

  test('is refused if it is a source, also under another name', async () => {
    const file = folder.path('source.idx');
    await run(['import', few, '--to', file]);
    await link(file, folder.path('hard.idx'));
    await symlink(file, folder.path('soft.idx'));
    for (const name of ['source.idx', 'hard.idx', 'soft.idx']) {
      const { code, stderr } = await run(['import', file, '--to', folder.path(name)]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^food-lookup: --to "[^"]+" is also a source\. Name another file\.\n$/);
    }
  });
});

test('--json prints the report instead of lines for people, also of an import that fails after its first row', async () => {
  const printed = async (code: number, source: string, to: string) => {
    const ended = await run(['import', source, '--to', to, '--json']);
    expect(ended.code).toBe(code);
    return ended;
  };
  const { stdout } = await printed(0, few, folder.path('reported.idx'));
  expect(JSON.parse(stdout)).toMatchObject({ anyDropped: false, totals: { rows: 30, kept: 30 } });
  const nameless = await folder.write('nameless.csv', `${HEADER}\n,1,2,3,4,5,6\n`);
  const failed = await printed(1, nameless, folder.path('none.idx'));
  expect(JSON.parse(failed.stdout)).toMatchObject({ anyDropped: true, totals: { rows: 1, kept: 0 } });
  expect(failed.stderr).toContain('it has no food');
  for (const [source, to] of [
    [MISSING, folder.path('none.idx')],
    ['LICENSE', folder.path('none.idx')],
    [few, '/nowhere/foods.idx'],
  ] as const)
    expect((await printed(1, source, to)).stdout).toBe('');
});

test('a source without a food is an error, and the old file stays', async () => {
  const file = folder.path('kept.idx');
  await run(['import', few, '--to', file]);
  const before = await contentOf(file);
  const empty = await folder.write('header-only.csv', `${HEADER}\n`);
  const nameless = await folder.write('nameless.csv', `${HEADER}\n,1,2,3,4,5,6\n`);
  for (const sources of [[empty], [nameless], [few, empty]]) {
    const { code, stdout, stderr } = await run(['import', ...sources, '--to', file]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /\nfood-lookup: Source "[^"]+(header-only|nameless)\.csv": it has no food\. [^\n]+\n$/,
    );
    expect(await contentOf(file)).toBe(before);
  }
  // Duplicate foods count as foods.
  expect((await run(['import', few, few, '--to', file])).code).toBe(0);
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
      const child = spawn(process.execPath, [MAIN, 'import', source, '--to', `${place()}/foods.idx`], {
        stdio: 'ignore',
      });
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

describeAsNobody('as another user, an import', () => {
  const { uid, gid } = NOBODY ?? {};

  async function runAsNobody(args: readonly string[]) {
    const child = spawn(process.execPath, [MAIN, ...args], NOBODY);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, stderr };
  }

  test('says that the file is in place if its folder cannot be synced', async () => {
    const place = folder.path('unlisted');
    await mkdir(place);
    await chmod(folder.path('.'), 0o711);
    await chown(place, Number(uid), Number(gid));
    await chmod(place, 0o300);
    const { code, stderr } = await runAsNobody(['import', few, '--to', `${place}/foods.idx`]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /\nIndex file "[^"]+": it is in place, but its folder cannot be synced here: [^\n]+\n$/,
    );
    expect(stderr).not.toContain('unchanged');
    expect((await run(['inspect', `${place}/foods.idx`])).code).toBe(0);
  });

  test('calls a device a device, in a folder that is read-only, too', async () => {
    const { code, stderr } = await runAsNobody(['import', few, '--to', '/dev/null']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('not an index file but a device')]);
  });

  test('refuses a read-only folder before it looks at a source', async () => {
    await chmod(folder.path('.'), 0o711);
    const { code, stderr } = await runAsNobody(['import', MISSING, '--to', folder.path('x.idx')]);
    expect(code).toBe(1);
    expect(stderr).toContain('this user may not write to the folder');
    await rm(folder.path('x.idx'), { force: true });
  });
});

/** Bytes that Node.js takes by itself: 50 MB, and 590 MB from version 24 on. */
async function dataOfNode(): Promise<number> {
  const script = "console.log(fs.readFileSync('/proc/self/status', 'utf8'))";
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
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
  const before = await contentOf(target);
  const args = ['import', source, '--to', target, '--threads', '1'];
  const { code, stderr } = await runAlone(args, { NODE_OPTIONS: '--max-old-space-size=32' });
  expect(stderr).toMatch(/(JavaScript|JS) heap out of memory/);
  expect(code).not.toBe(0);
  expect(await contentOf(target)).toBe(before);
});

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
