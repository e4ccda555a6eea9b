/** Replaces the served index file by truncated ones and by ones with a flipped bit. */
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, run, serve } from '../../test/support/command.ts';
import { seeded } from '../../test/support/random.ts';
import { waitFor } from '../../test/support/wait.ts';
import { foodIndex } from '../tools/data-sets.ts';
import { count, type Figure, none } from './verdict.ts';

const TEXTS = ['egg', 'e', 'milk, whole', ',', 'zzz'];

/** A service is also started with this many of the broken files. */
const STARTS = 10;

const REFUSED = /this file (is|was) [^\n]*Import the data again: food-lookup import/;

export async function brokenIndex({ times = 1000 } = {}): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'food-lookup-broken-'));
  const served = join(folder, 'served.idx');
  await copyFile(await foodIndex(), served);
  const bytes = await readFile(served);
  const random = seeded(1000);
  const service = await serve([], { FOOD_DATA: served });
  let [wrong, startedWith] = [0, 0];
  try {
    const expected = await answersOf(service);
    for (let i = 0; i < times; i++) {
      const broken = i % 2 === 0 ? bytes.subarray(0, random(bytes.length)) : flipped(bytes, random);
      await writeFile(`${served}.next`, broken);
      await rename(`${served}.next`, served);
      const before = linesOf(service).length;
      service.signal('SIGHUP');
      await waitFor(async () => linesOf(service).length > before);
      if ((await answersOf(service)) !== expected) wrong++;
      if (i < STARTS) {
        const { code, stderr } = await run(['serve', '--port', '0'], { FOOD_DATA: served });
        if (code !== 1 || !REFUSED.test(stderr) || stderr.trim().includes('\n')) startedWith++;
      }
    }
    const unclear = linesOf(service).filter((line) => !REFUSED.test(line)).length;
    return [
      { what: 'broken files, half truncated, half with a flipped bit', value: count(times) },
      none('accepted, or refused without a clear line', unclear),
      none('answers changed', wrong),
      none(`started, or failed unclearly, with one of ${STARTS}`, startedWith),
    ];
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

const linesOf = (service: Running): string[] => service.errors().split('\n').slice(0, -1);

function flipped(bytes: Buffer, random: (below: number) => number): Buffer {
  const broken = Buffer.from(bytes);
  const at = random(bytes.length);
  broken[at] = (broken[at] ?? 0) ^ (1 << random(8));
  return broken;
}

async function answersOf({ url }: Running): Promise<string> {
  const answers = TEXTS.map(async (q) =>
    (await fetch(`${url}/api/food?${new URLSearchParams({ q })}`)).text(),
  );
  return (await Promise.all(answers)).join('\n');
}
