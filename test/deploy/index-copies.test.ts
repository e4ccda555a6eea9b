/** An index file that is copied to the machine of a service: whole or in part, into place or over the old one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, open, readdir, readFile, rename, stat, symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Running, run, runAlone, serve } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { describeWithProgram } from '../support/requirements.ts';
import { waitFor } from '../support/wait.ts';

const FOODS = 6000;
const TEXTS = ['egg', 'e', 'food 17', 'zzz'];
const PIECES = 4;

/** ms for what waits for several swaps. */
const timeout = 180_000;

const execute = promisify(execFile);
const folder = temporaryFolder();
const index = (name: string): string => folder.path(`${name}.idx`);
const at = (name: string): string => folder.path(`machine/${name}`);
const place = (): string => at('foods.idx');

let service: Running;
/** What a service answers from each of the two data sets: tags and bodies. */
const answers: Record<string, string[]> = {};

const answersOf = ({ url }: Running): Promise<string[]> =>
  Promise.all(
    TEXTS.map(async (text) => {
      const response = await fetch(`${url}/api/food?q=${encodeURIComponent(text)}`);
      return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
    }),
  );

/** Waits for the data set. Until then, each answer is from one of the two, even if the switch was between two answers. */
const swappedTo = (name: 'a' | 'b'): Promise<void> =>
  waitFor(async () => {
    const found = await answersOf(service);
    for (const [i, each] of found.entries()) expect([answers.a?.[i], answers.b?.[i]]).toContain(each);
    return String(found) === String(answers[name]);
  });

const refusals = (): number => service.errors().split('The old data set stays in service.').length - 1;

beforeAll(async () => {
  for (const name of ['a', 'b']) {
    const descriptions = Array.from({ length: FOODS }, (_, i) => `Egg, ${name}, food ${i}`);
    await run(['import', await folder.write(`${name}.csv`, tableOf(descriptions)), '--to', index(name)]);
    const other = await serve([], { FOOD_DATA: index(name) });
    answers[name] = await answersOf(other);
    await other.stop();
  }
  await mkdir(at(''));
  await copyFile(index('a'), place());
  service = await serve([], { FOOD_DATA: place() });
  expect(new Set(Object.values(answers).flat()).size).toBe(2 * TEXTS.length);
}, timeout);

beforeEach(async () => {
  await copyFile(index('a'), at('next'));
  await rename(at('next'), place());
  await swappedTo('a');
}, timeout);

afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

describe('an index file', () => {
  // As `cp` writes, from an empty file on; and as `rsync --inplace`, over the bytes of the old one.
  it.each(['w', 'r+'])(
    'is not served before all of it is there, even if it is read after each piece: %s',
    {
      timeout,
    },
    async (flags) => {
      const whole = await readFile(index('b'));
      const half = whole.subarray(0, whole.length / 2);
      const file = await open(place(), flags);
      for (let piece = 0; piece < PIECES; piece++) {
        const [from, to] = [piece, piece + 1].map((n) => Math.floor((half.length * n) / PIECES));
        await file.write(half.subarray(from, to), 0, undefined, from);
        const before = refusals();
        service.signal('SIGHUP');
        await waitFor(async () => refusals() > before);
        expect(await answersOf(service)).toEqual(answers.a);
      }
      // Here the copy is interrupted: no new service starts with it.
      const { code, stderr } = await runAlone(['serve', '--port', '0'], { FOOD_DATA: place() });
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^food-lookup: Index file [^\n]+ is (truncated|damaged)[^\n]+\n$/),
      ]);
      await file.write(whole.subarray(half.length), 0, undefined, half.length);
      await file.close();
      await swappedTo('b');
    },
  );

  test('is served after a plain copy over the old one, and after an exchange of links', {
    timeout,
  }, async () => {
    await execute('cp', [index('b'), place()]);
    await swappedTo('b');
    // As Kubernetes updates a volume: the folder of the data is a link, which is replaced.
    for (const name of ['a', 'b']) {
      await mkdir(at(`..${name}`));
      await copyFile(index(name), at(`..${name}/foods.idx`));
      await symlink(`..${name}`, at(`..data_${name}`));
    }
    await rename(at('..data_b'), at('..data'));
    await symlink('..data/foods.idx', at('link'));
    await rename(at('link'), place());
    await rename(at('..data_a'), at('..data'));
    await swappedTo('a');
  });
});

describeWithProgram('rsync', () => {
  const rsync = (...options: string[]) => [...options, '--ignore-times', index('b'), place()];

  /** Interrupts a copy after its first 256 KiB, which rsync writes together. */
  async function interrupted(...options: string[]): Promise<void> {
    const child = spawn('rsync', rsync('--bwlimit=100', ...options), { stdio: 'ignore' });
    const ended = once(child, 'exit');
    await waitFor(async () => {
      expect(child.exitCode).toBe(null);
      const begun = (await readdir(at(''))).find((name) => name.startsWith('.foods.idx.'));
      return begun !== undefined && ((await stat(at(begun)).catch(() => undefined))?.size ?? 0) > 0;
    });
    child.kill('SIGINT');
    await ended;
  }

  test('an interrupted copy changes nothing, or is refused with --partial; a repeated one is served', {
    timeout,
  }, async () => {
    await interrupted();
    expect(await readFile(place())).toEqual(await readFile(index('a')));
    const before = refusals();
    await interrupted('--partial');
    await waitFor(async () => refusals() > before);
    expect((await stat(place())).size).toBeLessThan((await stat(index('b'))).size);
    expect(await answersOf(service)).toEqual(answers.a);
    await execute('rsync', rsync());
    await swappedTo('b');
  });

  test('a copy with --inplace is served when it is whole', { timeout }, async () => {
    await execute('rsync', rsync('--inplace'));
    await swappedTo('b');
  });
});
