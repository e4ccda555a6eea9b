/** Which files an import may replace, and that no other file is lost, however it ends. */
import { execFileSync, spawn } from 'node:child_process';
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
import { beforeAll, describe, expect, it, test } from 'vitest';
import { MAIN, run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';

const HEADER = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';
const folder = temporaryFolder();
let few = '';
beforeAll(async () => {
  const rows = Array.from({ length: 30 }, (_, i) => `"Egg number ${i}, raw",1,2,3,4,5,6\n`);
  few = await folder.write('few.csv', `${HEADER}\n${rows.join('')}`);
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
    expect((await run(['verify', file])).stderr).toContain('is of version 1');
    expect((await run(['import', few, '--to', file])).code).toBe(0);
    expect((await run(['verify', file])).code).toBe(0);
  });

  test('follows a symbolic link, even to a missing file', async () => {
    await mkdir(folder.path('releases'));
    const path = folder.path('current.idx');
    await symlink('releases/today.idx', path);
    for (const name of ['first', 'second']) {
      expect((await run(['import', few, '--to', path, '--name', name])).code).toBe(0);
      expect((await lstat(path)).isSymbolicLink()).toBe(true);
      expect((await run(['verify', folder.path('releases/today.idx')])).stdout).toContain(`: ${name} of `);
    }
    expect(await readdir(folder.path('releases'))).toEqual(['today.idx']);
  });

  test('is refused if it is a source under another name', async () => {
    const file = folder.path('source.idx');
    await run(['import', few, '--to', file]);
    await link(file, folder.path('hard.idx'));
    await symlink(file, folder.path('soft.idx'));
    for (const name of ['hard.idx', 'soft.idx']) {
      const { code, stderr } = await run(['import', file, '--to', folder.path(name)]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^food-lookup: --to "[^"]+" is also a source\. Name another file\.\n$/);
    }
  });
});

describe('--report', () => {
  test('is refused if it is a source or the target, even through links, and nothing is lost', {
    timeout: 120_000,
  }, async () => {
    const source = await folder.write('foods.csv', `${HEADER}\nEgg,1,2,3,4,5,6\n`);
    const target = folder.path('foods.idx');
    await run(['import', source, '--to', target]);
    const before = [await contentOf(source), await contentOf(target)];
    await link(source, folder.path('hard-source'));
    await symlink(source, folder.path('soft-source'));
    await symlink(target, folder.path('soft-target'));
    for (const [report, message] of [
      [source, 'is also a source'],
      [folder.path('hard-source'), 'is also a source'],
      [folder.path('soft-source'), 'is also a source'],
      [target, 'is also the target of --to'],
      [folder.path('soft-target'), 'is also the target of --to'],
    ] as const) {
      const { code, stderr } = await run(['import', source, '--to', target, '--report', report]);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^food-lookup: --report [^\n]+\. Name another file\.\n$/);
      expect(stderr).toContain(message);
      expect([await contentOf(source), await contentOf(target)]).toEqual(before);
    }
    const fresh = folder.path('fresh');
    expect((await run(['import', source, '--to', fresh, '--report', fresh])).code).toBe(1);
    await expect(stat(fresh)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['notes.txt', 'mine'],
    ['package.json', '{"name":"mine","sources":[],"totals":{}}'],
    ['null.json', 'null'],
    ['empty.json', ''],
  ])('is refused if it is %s, not an earlier report, before a source is looked at', async (name, content) => {
    const report = await folder.write(name, content);
    const { code, stderr } = await run(['import', MISSING, '--to', folder.path('x.idx'), '--report', report]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^food-lookup: --report "[^"]+": this is not an earlier report, [^\n]+\n$/);
    expect(await readFile(report, 'utf8')).toBe(content);
  });

  it.each([
    [2, '-', '--report -: a report is written to a file'],
    [1, '/dev/null', 'this is not an earlier report but a device'],
  ])('is refused with exit code %i: %s', async (expected, report, message) => {
    const { code, stderr } = await run(['import', few, '--to', folder.path('x.idx'), '--report', report]);
    expect(code).toBe(expected);
    expect(stderr).toContain(message);
  });

  test('replaces an earlier report, unless the import fails to start', {
    timeout: 120_000,
  }, async () => {
    const report = folder.path('report.json');
    const to = folder.path('reported.idx');
    for (const name of ['first', 'second'])
      expect((await run(['import', few, '--to', to, '--name', name, '--report', report])).code).toBe(0);
    const before = await readFile(report, 'utf8');
    for (const args of [
      [MISSING, '--to', to],
      [few, '--to', folder.path('thesis.docx')],
      [few, '--to', '-'],
      [few, '--to', '/nowhere/foods.idx'],
      ['LICENSE', '--to', to],
    ]) {
      expect((await run(['import', ...args, '--report', report])).code).toBe(args.includes('-') ? 2 : 1);
      expect(await readFile(report, 'utf8')).toBe(before);
    }
    const mixed = await folder.write('nameless.csv', `${HEADER}\n,1,2,3,4,5,6\n`);
    expect((await run(['import', mixed, '--to', to, '--report', report])).code).toBe(1);
    expect(JSON.parse(await readFile(report, 'utf8')).totals).toMatchObject({ rows: 1, kept: 0 });
  });
});

test('a source without a food is an error, and the old file stays', {
  timeout: 120_000,
}, async () => {
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
    const rows = Array.from({ length: 4_000 }, (_, i) => `"Egg number ${i} of a large hen, raw",1,2,3,4,5,6`);
    source = await folder.write('many.csv', [HEADER, ...rows, ''].join('\n'));
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s leaves nothing behind',
    {
      timeout: 120_000,
    },
    async (signal) => {
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
    },
  );
});

describe.runIf(process.getuid?.() === 0)('as another user, for which it needs root, an import', () => {
  const NOBODY = 65_534;

  async function runAsNobody(args: readonly string[]) {
    const child = spawn(process.execPath, [MAIN, ...args], { uid: NOBODY, gid: NOBODY });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, stderr };
  }

  test('says that the file is in place if its folder cannot be synced', async () => {
    const place = folder.path('unlisted');
    await mkdir(place);
    await chmod(folder.path('.'), 0o711);
    await chown(place, NOBODY, NOBODY);
    await chmod(place, 0o300);
    const { code, stderr } = await runAsNobody(['import', few, '--to', `${place}/foods.idx`]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /\nIndex file "[^"]+": it is in place, but its folder cannot be synced here: [^\n]+\n$/,
    );
    expect(stderr).not.toContain('unchanged');
    expect((await run(['verify', `${place}/foods.idx`])).code).toBe(0);
  });

  test('refuses a read-only folder before it looks at a source', async () => {
    await chmod(folder.path('.'), 0o711);
    const { code, stderr } = await runAsNobody(['import', MISSING, '--to', folder.path('x.idx')]);
    expect(code).toBe(1);
    expect(stderr).toContain('this user may not write to the folder');
    await rm(folder.path('x.idx'), { force: true });
  });
});
