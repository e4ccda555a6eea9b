/** Which files an import may replace, and that no other file is lost. `import-ended.ci.test.ts` ends imports early. */
import { execFileSync, spawn } from 'node:child_process';
import { chmod, chown, link, lstat, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { endOf, MAIN, run } from '../support/command.ts';
import { HEADER, tableOf, temporaryFolder } from '../support/files.ts';
import { refused } from '../support/refused.ts';
import { describeAsNobody, NOBODY } from '../support/requirements.ts';

const folder = temporaryFolder();
let few = '';
beforeAll(async () => {
  few = await folder.write('few.csv', tableOf(Array.from({ length: 30 }, (_, i) => `Egg number ${i}, raw`)));
});

/** A string, because comparing buffers element by element takes seconds. */
const contentOf = (path: string): Promise<string> => readFile(path, 'latin1');

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
    const line = await refused(run(['import', MISSING, '--to', path]));
    expect(line).toMatch(/^food-lookup: --to .+\. Any earlier file is unchanged\.\n$/);
    expect(line).toContain(reason);
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
    await folder.write('older.idx', bytes.subarray(0, 2000));
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
    for (const name of ['source.idx', 'hard.idx', 'soft.idx'])
      expect(await refused(run(['import', file, '--to', folder.path(name)]))).toMatch(
        /^food-lookup: --to "[^"]+" is also a source\. Name another file\.\n$/,
      );
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
  for (const source of [MISSING, 'LICENSE'])
    expect((await printed(1, source, folder.path('none.idx'))).stdout).toBe('');
  expect((await printed(1, few, '/nowhere/foods.idx')).stdout).toBe('');
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
      /\nfood-lookup: Source "[^"]+(header-only|nameless)\.csv": it has no food\. .+\n$/,
    );
    expect(await contentOf(file)).toBe(before);
  }
  // Duplicate foods count as foods.
  expect((await run(['import', few, few, '--to', file])).code).toBe(0);
});

describeAsNobody('as another user, an import', () => {
  const { uid, gid } = NOBODY ?? {};

  const runAsNobody = (args: readonly string[]) =>
    endOf(spawn(process.execPath, [MAIN, ...args], { ...NOBODY, stdio: ['ignore', 'ignore', 'pipe'] }));

  test('says that the file is in place if its folder cannot be synced', async () => {
    const place = folder.path('unlisted');
    await mkdir(place);
    await chmod(folder.path('.'), 0o711);
    await chown(place, Number(uid), Number(gid));
    await chmod(place, 0o300);
    const { code, stderr } = await runAsNobody(['import', few, '--to', `${place}/foods.idx`]);
    expect(code).toBe(0);
    const unsynced = /\nIndex file "[^"]+": it is in place, but its folder cannot be synced here: .+\n$/;
    expect(stderr).toMatch(unsynced);
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
