/** An index file that is copied to two services, as to two machines: whole or in part, into place or over the old one. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, open, readdir, readFile, rename, stat, symlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
const PLACES = ['one', 'two'] as const;
const placeOf = (machine: string): string => folder.path(`${machine}/foods.idx`);

let services: Running[];
/** What a service answers from each of the two data sets: tags and bodies. */
const answers: Record<string, string[]> = {};

const answersOf = (service: Running): Promise<string[]> =>
  Promise.all(
    TEXTS.map(async (text) => {
      const response = await fetch(`${service.url}/api/food?q=${encodeURIComponent(text)}`);
      return `${response.status} ${response.headers.get('etag')} ${await response.text()}`;
    }),
  );

async function expectAll(name: 'a' | 'b'): Promise<void> {
  for (const service of services) expect(await answersOf(service)).toEqual(answers[name]);
}

async function swappedTo(name: 'a' | 'b'): Promise<void> {
  for (const service of services)
    await waitFor(async () => {
      const found = await answersOf(service);
      const isWhole = [answers.a, answers.b].some((expected) => String(found) === String(expected));
      // Each answer comes from one of them, even if the switch was between two answers.
      if (!isWhole)
        for (const [i, each] of found.entries()) expect([answers.a?.[i], answers.b?.[i]]).toContain(each);
      return String(found) === String(answers[name]);
    });
}

const refusalsOf = (service: Running): number =>
  service.errors().split('The old data set stays in service.').length - 1;

beforeAll(async () => {
  for (const name of ['a', 'b']) {
    const descriptions = Array.from({ length: FOODS }, (_, i) => `Egg, ${name}, food ${i}`);
    await run(['import', await folder.write(`${name}.csv`, tableOf(descriptions)), '--to', index(name)]);
  }
  for (const machine of PLACES) {
    await mkdir(folder.path(machine));
    await copyFile(index('a'), placeOf(machine));
  }
  services = await Promise.all(PLACES.map((machine) => serve([], { FOOD_DATA: placeOf(machine) })));
  const other = await serve([], { FOOD_DATA: index('b') });
  answers.b = await answersOf(other);
  await other.stop();
  answers.a = await answersOf(services[0] as Running);
  expect(new Set([...answers.a, ...answers.b]).size).toBe(2 * TEXTS.length);
}, timeout);

beforeEach(async () => {
  for (const machine of PLACES) {
    await copyFile(index('a'), `${placeOf(machine)}.next`);
    await rename(`${placeOf(machine)}.next`, placeOf(machine));
  }
  await swappedTo('a');
}, timeout);

afterAll(async () => {
  expect(await Promise.all(services.map((service) => service.stop()))).toEqual([0, 0]);
});

describe('an index file for two services', () => {
  test('is not served before all of it is there, even if it is read after each piece', {
    timeout,
  }, async () => {
    const whole = await readFile(index('b'));
    const half = whole.subarray(0, whole.length / 2);
    // As `cp` writes, from an empty file on; and as `rsync --inplace`, over the bytes of the old one.
    const files = await Promise.all(PLACES.map((machine, i) => open(placeOf(machine), i === 0 ? 'w' : 'r+')));
    for (let piece = 0; piece < PIECES; piece++) {
      const [from, to] = [piece, piece + 1].map((n) => Math.floor((half.length * n) / PIECES));
      await Promise.all(
        services.map(async (service, i) => {
          await files[i]?.write(half.subarray(from, to), 0, undefined, from);
          const refusals = refusalsOf(service);
          service.signal('SIGHUP');
          await waitFor(async () => refusalsOf(service) > refusals);
        }),
      );
      await expectAll('a');
    }
    // Here the copy is interrupted: no new service starts with it.
    const { code, stderr } = await runAlone(['serve', '--port', '0'], { FOOD_DATA: placeOf('one') });
    expect([code, stderr]).toEqual([1, expect.stringContaining('is truncated')]);
    await expectAll('a');
    for (const file of files) {
      await file.write(whole.subarray(half.length), 0, undefined, half.length);
      await file.close();
    }
    await swappedTo('b');
  });

  test('is served after a plain copy over the old one, and after an exchange of links', {
    timeout,
  }, async () => {
    for (const machine of PLACES) await execute('cp', [index('b'), placeOf(machine)]);
    await swappedTo('b');
    for (const machine of PLACES) {
      // As Kubernetes updates a volume: the folder of the data is a link, which is replaced.
      const at = (name: string): string => folder.path(`${machine}/${name}`);
      for (const name of ['a', 'b']) {
        await mkdir(at(`..${name}`));
        await copyFile(index(name), at(`..${name}/foods.idx`));
        await symlink(`..${name}`, at(`..data_${name}`));
      }
      await rename(at('..data_b'), at('..data'));
      await symlink('..data/foods.idx', at('link'));
      await rename(at('link'), placeOf(machine));
      await rename(at('..data_a'), at('..data'));
    }
    await swappedTo('a');
  });
});

describeWithProgram('rsync', () => {
  /** Interrupts a copy after its first 256 KiB, which rsync writes together. */
  async function interrupted(machine: string, ...options: string[]): Promise<void> {
    const child = spawn(
      'rsync',
      [...options, '--bwlimit=100', '--ignore-times', index('b'), placeOf(machine)],
      {
        stdio: 'ignore',
      },
    );
    const ended = once(child, 'exit');
    const hasBegun = async (name: string): Promise<boolean> =>
      name.startsWith('.foods.idx.') && (await stat(folder.path(`${machine}/${name}`))).size > 0;
    await waitFor(async () => {
      expect(child.exitCode).toBe(null);
      const names = await readdir(folder.path(machine));
      return (await Promise.all(names.map((name) => hasBegun(name).catch(() => false)))).includes(true);
    });
    child.kill('SIGINT');
    await ended;
  }

  test('an interrupted copy changes nothing, or is refused with --partial; a repeated one is served', {
    timeout,
  }, async () => {
    await interrupted('one');
    expect(await readFile(placeOf('one'))).toEqual(await readFile(index('a')));
    const [, second] = services as [Running, Running];
    const refusals = refusalsOf(second);
    await interrupted('two', '--partial');
    await waitFor(async () => refusalsOf(second) > refusals);
    expect((await stat(placeOf('two'))).size).toBeLessThan((await stat(index('b'))).size);
    await expectAll('a');
    for (const machine of PLACES) await execute('rsync', ['--ignore-times', index('b'), placeOf(machine)]);
    await swappedTo('b');
  });

  test('a copy with --inplace is served when it is whole', { timeout }, async () => {
    for (const machine of PLACES)
      await execute('rsync', ['--inplace', '--ignore-times', index('b'), placeOf(machine)]);
    await swappedTo('b');
  });
});
