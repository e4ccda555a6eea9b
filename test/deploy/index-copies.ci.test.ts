/** An index file that is replaced while it is served, under load; and one that is copied to the machine in part, or over the old one. */
import { copyFile, mkdir, open, readFile, rename, symlink } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { LiveCatalog } from '#service';
import { type Running, run, runAlone, serve } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { execute } from '../support/programs.ts';
import { SearchLoop } from '../support/search-loop.ts';
import { ask } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const FOODS = 6000;
const TEXTS = ['egg', 'e', 'food 17', 'zzz'];
const PIECES = 4;

const SWAPS = 20;
const CLIENTS = 4;

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
const bodyOf = (name: 'a' | 'b', text: number): string =>
  answers[name]?.[text]?.replace(/^.*?(?=\[)/, '') ?? '';

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
});

/** Replaces the served file by a copy, atomically. */
async function put(name: 'a' | 'b'): Promise<void> {
  await copyFile(index(name), at('next'));
  await rename(at('next'), place());
}

beforeEach(async () => {
  await put('a');
  await swappedTo('a');
});

afterAll(async () => expect(await service.stop()).toBe(0));

describe('an index file', () => {
  test(`is served without a failed or mixed answer while it is replaced ${SWAPS} times under load`, async () => {
    const before = service.errors().length;
    const bodies = TEXTS.map((text, i): [string, string[]] => [text, [bodyOf('a', i), bodyOf('b', i)]]);
    const load = new SearchLoop((target) => ask(service, target), new Map(bodies), CLIENTS);
    for (let i = 0; i < SWAPS; i++) {
      const name = i % 2 === 0 ? 'b' : 'a';
      await put(name);
      // SIGHUP makes most swaps immediate: the service looks for changes only once a second.
      if (i % 10 !== 0) service.signal('SIGHUP');
      await swappedTo(name);
    }
    const { wrong, failures, requests } = await load.stop();
    expect({ wrong, failures }).toEqual({ wrong: [], failures: {} });
    expect(requests).toBeGreaterThan(SWAPS * CLIENTS);
    const lines = service.errors().slice(before).trimEnd().split('\n');
    expect(lines).toHaveLength(SWAPS);
    expect(lines.filter((line) => !line.includes('a new data set is served'))).toEqual([]);
  });

  // As `cp` writes, from an empty file on; and as `rsync --inplace`, over the bytes of the old one.
  it.each(['w', 'r+'])(
    'is served once it is whole, even if it is read after each piece: %s',
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
      expect(stderr).toMatch(/^food-lookup: Index file [^\n]+ is (truncated|damaged)[^\n]+\n$/);
      expect(code).toBe(1);
      await file.write(whole.subarray(half.length), 0, undefined, half.length);
      await file.close();
      await swappedTo('b');
    },
  );

  test('is served after a plain copy over the old one, and after an exchange of links', async () => {
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

  test('is read once it rests if it is overwritten in place, and refused once if the copy has stopped', async () => {
    const place = folder.path('overwritten.idx');
    await copyFile(index('a'), place);
    const catalog = await LiveCatalog.open(place);
    const seen: string[] = [];
    // Only the looks of this test.
    vi.useFakeTimers({ toFake: ['setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    catalog.watch({
      replaced: ({ name }) => void seen.push(String(name)),
      refused: () => void seen.push('refused'),
      connected: () => {},
      away: () => {},
    });
    const whole = await readFile(index('b'));
    // From an empty file on: its size changes, even if two writes have the same time.
    const file = await open(place, 'w');
    const write = async (from: number, to: number): Promise<void> => {
      await file.write(whole.subarray(from, to), 0, undefined, from);
      await catalog.look();
    };
    for (const kilobyte of [0, 1, 2, 3]) await write(1024 * kilobyte, 1024 * (kilobyte + 1));
    expect(seen).toEqual([]);
    await catalog.look();
    await catalog.look();
    expect(seen).toEqual(['refused']);
    await write(4096, whole.length);
    expect(seen).toEqual(['refused']);
    await catalog.look();
    expect(seen).toEqual(['refused', 'b.csv']);
    await file.close();
    await catalog.close();
  });
});
