import { mkdir, readdir, readFile, rename, rm, stat, truncate, utimes } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { UserError } from '#core';
import { readIndexFile } from '#service';
import { replaceFile } from '../../src/service/catalogs/replaceable-file.ts';
import { temporaryFolder } from '../support/files.ts';
import { refusalFrom } from '../support/import.ts';
import { sectionsOf as sectionsFrom, writeIndexFile } from '../support/index.ts';
import { seeded } from '../support/random.ts';
import { describeWhere } from '../support/requirements.ts';
import { food } from '../support/service.ts';
import { canMount, withSmallDisk } from '../support/small-disk.ts';

const folder = temporaryFolder();
const LABEL = { name: 'Some foods', date: '2026-11', source: 'here', licence: 'MIT', leftOut: 3 };

const sectionsOf = (descriptions: readonly string[]) => sectionsFrom(descriptions.map((text) => food(text)));

const EGGS = ['Egg, whole, raw', 'Eggnog', 'Käse', '🥚, boiled'];

async function bytesOfIndex(): Promise<Buffer> {
  const file = folder.path('original.idx');
  await writeIndexFile(file, await sectionsOf(EGGS), LABEL);
  return readFile(file);
}

async function errorOf(bytes: Uint8Array): Promise<string> {
  const file = await folder.write('broken.idx', bytes);
  const message = await refusalFrom(readIndexFile(file));
  return message.replace(`Index file ${JSON.stringify(file)}: this file `, '');
}

describe('an index file', () => {
  it.each([
    ['no food', []],
    ['one food', ['Egg']],
    ['some foods', EGGS],
  ])('of %s reads back unchanged', async (_what, descriptions) => {
    const file = folder.path('same.idx');
    const sections = await sectionsOf(descriptions);
    const { size } = await writeIndexFile(file, sections, LABEL);
    const opened = await readIndexFile(file);
    expect(opened.label).toEqual(LABEL);
    // Faster than `toEqual`, which compares the elements one by one.
    expect(isDeepStrictEqual(opened.index, sections)).toBe(true);
    expect((await stat(file)).size).toBe(size);
  });

  test('has another identity if a food, a portion, the order or the label differs', async () => {
    const [, ...others] = EGGS;
    const rest = others.map((text) => food(text));
    const withPortion = (portion: string, grams: string) =>
      sectionsFrom([food('Egg, whole, raw', { portions: [{ portion, grams }] }), ...rest]);
    const identities = new Set<string>();
    const all = [
      [await sectionsOf(EGGS), LABEL],
      [await sectionsOf(others), LABEL],
      [await sectionsOf(['Egg, whole, raw!', ...others]), LABEL],
      [await sectionsOf(EGGS), { ...LABEL, date: '2026-12' }],
      [await withPortion('1 large', '50'), LABEL],
      [await withPortion('1 large', '50.001'), LABEL],
      [await withPortion('1 small', '50'), LABEL],
    ] as const;
    for (const [sections, label] of all) {
      const file = folder.path('identity.idx');
      await writeIndexFile(file, sections, label);
      identities.add((await readIndexFile(file)).identity);
    }
    expect(identities.size).toBe(all.length);
  });
});

describe('an index file is refused if it', () => {
  test('is truncated anywhere', async () => {
    const bytes = await bytesOfIndex();
    const random = seeded(1);
    const lengths = Array.from({ length: 200 }, () => random(bytes.length));
    for (const length of [0, 1, 8, 12, 1023, 1024, bytes.length - 1, ...lengths])
      expect(await errorOf(bytes.subarray(0, length)), String(length)).toMatch(
        /^(is truncated.*Import the data again|is not an index.*Import the data to another path): food-lookup import SOURCE --to /,
      );
  });

  test('has any one bit flipped, 1,000 times', async () => {
    const bytes = await bytesOfIndex();
    const random = seeded(2);
    for (let i = 0; i < 1000; i++) {
      const at = random(bytes.length);
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8((flipped[at] ?? 0) ^ (1 << random(8)), at);
      expect(await errorOf(flipped), `${at}`).toMatch(/^(is|was) .*Import the data (again|to another path)/);
    }
  });

  it.each<[string, string, (bytes: Buffer) => Uint8Array]>([
    ['has grown', 'is truncated or has grown', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
    ['is newer', 'is of version 99; this program reads version 11.', (bytes) => bytes.fill(99, 8, 9)],
    [
      'comes from a machine with another byte order',
      'was made on a machine with another byte order.',
      (bytes) => bytes.fill(bytes.subarray(12, 16).toReversed(), 12, 16),
    ],
    ['is not an index at all', 'is not an index of food-lookup.', () => Buffer.from('description,kcal\n')],
  ])('%s', async (_what, message, change) => {
    expect(await errorOf(change(await bytesOfIndex()))).toContain(message);
  });
});

describe('writing an index file', () => {
  test('replaces an existing index, and removes the files of killed imports beside it', async () => {
    await mkdir(folder.path('place'));
    const file = folder.path('place/foods.idx');
    await writeIndexFile(file, await sectionsOf(['old']), LABEL);
    const index = await readFile(file);
    // That of a running import was touched a moment ago.
    for (const [name, content, age] of [
      ['foods.idx.0123456789abcdef.tmp', index.subarray(0, 1500), 61],
      ['foods.idx.fedcba9876543210.tmp', '', 61],
      ['foods.idx.00000000000000aa.tmp', '', 20],
      ['foods.idx.2024202420242024.tmp', 'of another program', 61],
      ['foods.idx.note.tmp', 'of another program', 61],
    ] as const) {
      const touched = Date.now() / 1000 - age;
      await utimes(await folder.write(`place/${name}`, content), touched, touched);
    }
    expect(await writeIndexFile(file, await sectionsOf(EGGS), LABEL)).toMatchObject({ isDurable: true });
    expect((await readIndexFile(file)).label).toEqual(LABEL);
    expect((await readdir(folder.path('place'))).toSorted()).toEqual([
      'foods.idx',
      'foods.idx.00000000000000aa.tmp',
      'foods.idx.2024202420242024.tmp',
      'foods.idx.note.tmp',
    ]);
  });

  test('touches its file while it is written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await replaceFile(folder.path('touched.idx'), async (handle) => {
      await handle.utimes(0, 0);
      vi.advanceTimersByTime(30_000);
      await vi.waitFor(async () => expect((await handle.stat()).mtimeMs).toBeGreaterThan(0));
      const { bytesWritten } = await handle.write('FOODIDX\n');
      return bytesWritten;
    });
  });

  test('several times at once, in one process, leaves a complete file', async () => {
    await mkdir(folder.path('race'));
    const file = folder.path('race/foods.idx');
    const write = async (egg: string) => writeIndexFile(file, await sectionsOf([...EGGS, egg]), LABEL);
    await Promise.all(['Egg 1', 'Egg 2', 'Egg 3', 'Egg 4'].map(write));
    expect((await readIndexFile(file)).label).toEqual(LABEL);
    expect(await readdir(folder.path('race'))).toEqual(['foods.idx']);
  });

  test.each([
    ['removed', async (path: string) => rm(path)],
    ['emptied', async (path: string) => truncate(path)],
    ['replaced', async (path: string) => rename(await folder.write('other', 'FOODIDX\n'), path)],
  ])('fails if its file is %s meanwhile, and keeps the old one', async (what, harm) => {
    await mkdir(folder.path(what));
    const file = folder.path(`${what}/foods.idx`);
    await writeIndexFile(file, await sectionsOf(EGGS), LABEL);
    const before = await readFile(file, 'latin1');
    const writing = replaceFile(file, async (handle) => {
      const { bytesWritten } = await handle.write('FOODIDX\n');
      const [name = ''] = (await readdir(folder.path(what))).filter((each) => each.endsWith('.tmp'));
      await harm(folder.path(`${what}/${name}`));
      return bytesWritten;
    });
    await expect(writing).rejects.toThrow(
      'another program removed or changed the file while it was written; import again',
    );
    expect(await readFile(file, 'latin1')).toBe(before);
  });

  test.each([
    ['ENOSPC', 'the disk is full; free some space and import again. Any earlier file is unchanged.'],
    ['EIO', 'the file cannot be written (EIO). Any earlier file is unchanged.'],
    ['ERR_OUT_OF_RANGE', 'a fault of the program'],
    [undefined, 'a fault of the program'],
  ])('reports an error with the code %s, unless it is of the program: %s', async (code, message) => {
    const error = Object.assign(new Error('a fault of the program'), { code });
    const failing = replaceFile(folder.path('failing.idx'), () => Promise.reject(error));
    const shown: Error = await failing.catch((reason) => reason);
    expect(shown instanceof UserError).toBe(shown !== error);
    expect(shown.message.endsWith(message)).toBe(true);
    expect(shown === error).toBe(message === error.message);
  });

  test('does not replace another file that appears in its place meanwhile', async () => {
    const file = folder.path('late.idx');
    const writing = replaceFile(file, async () => {
      await folder.write('late.idx', 'my notes');
      return 0;
    });
    await expect(writing).rejects.toThrow('this is not an index file, and nothing else is replaced');
    expect(await readFile(file, 'utf8')).toBe('my notes');
  });
});

describeWhere(canMount, 'the right to mount a small disk, as root', 'a full disk', () => {
  test('is reported, and the old file stays unchanged', async () => {
    const disk = folder.path('small-disk');
    await withSmallDisk(disk, 1200, async () => {
      const file = `${disk}/foods.idx`;
      await writeIndexFile(file, await sectionsOf(EGGS), LABEL);
      const before = await readFile(file, 'latin1');
      const many = await sectionsOf(Array.from({ length: 5000 }, (_, i) => `Egg number ${i}, raw`));
      await expect(writeIndexFile(file, many, LABEL)).rejects.toThrow(
        'the disk is full; free some space and import again. Any earlier file is unchanged.',
      );
      expect(await readFile(file, 'latin1')).toBe(before);
      expect(await readdir(disk)).toEqual(['foods.idx']);
    });
  });
});
