/** An index file that is replaced while it is served. */
import { copyFile, rename } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { type Running, run, serve } from '../support/command.ts';
import { tableOf, temporaryFolder } from '../support/files.ts';
import { waitFor } from '../support/wait.ts';

const SWAPS = 20;
const CLIENTS = 4;
/** ms between an answer and the next search, so that the clients do not take all of the machine. */
const PAUSE = 20;
const TEXTS = ['egg', 'e', 'g, a', 'food', 'zzz'];

const folder = temporaryFolder();
let files: { readonly a: string; readonly b: string };

beforeAll(async () => {
  const made = await Promise.all(
    ['a', 'b'].map(async (letter) => {
      const eggs = Array.from({ length: 2000 }, (_, i) => `Egg, ${letter} food ${i}`);
      const source = await folder.write(`${letter}.csv`, tableOf(eggs));
      await run(['import', source, '--to', folder.path(`${letter}.idx`)]);
      return folder.path(`${letter}.idx`);
    }),
  );
  files = { a: made[0] ?? '', b: made[1] ?? '' };
});

/** Replaces the served file by a copy, atomically. */
async function put(file: string, place: string): Promise<void> {
  await copyFile(file, `${place}.next`);
  await rename(`${place}.next`, place);
}

const nameServed = async ({ url }: Running): Promise<string> =>
  ((await (await fetch(`${url}/data-set`)).json()) as { name: string }).name;

async function answersOf(service: Running): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const text of TEXTS)
    answers.set(text, await (await fetch(`${service.url}/api/food?q=${encodeURIComponent(text)}`)).text());
  return answers;
}

test(`an index file that is replaced is served without a failed or mixed answer, ${SWAPS} times under load`, async () => {
  const place = folder.path('served.idx');
  await put(files.a, place);
  const service = await serve([], { FOOD_DATA: place });
  const ofA = await answersOf(service);
  await put(files.b, place);
  await waitFor(async () => (await nameServed(service)) === 'b.csv');
  const ofB = await answersOf(service);
  expect(ofA.get('egg')).not.toBe(ofB.get('egg'));

  let running = true;
  let answered = 0;
  const client = async (offset: number): Promise<void> => {
    for (let i = offset; running; i++) {
      const text = TEXTS[i % TEXTS.length] ?? '';
      const response = await fetch(`${service.url}/api/food?q=${encodeURIComponent(text)}`);
      const body = await response.text();
      expect(response.status).toBe(200);
      expect(body === ofA.get(text) || body === ofB.get(text), text).toBe(true);
      answered++;
      await pause(PAUSE);
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(i));
  for (let i = 0; i < SWAPS; i++) {
    await put(i % 2 === 0 ? files.a : files.b, place);
    // SIGHUP makes most swaps immediate: the service looks for changes only once a second.
    if (i % 10 !== 0) service.signal('SIGHUP');
    const expected = i % 2 === 0 ? 'a.csv' : 'b.csv';
    await waitFor(async () => (await nameServed(service)) === expected);
  }
  running = false;
  await Promise.all(clients);
  expect(answered).toBeGreaterThan(SWAPS * CLIENTS);
  await service.stop();
  const lines = service.errors().trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(SWAPS);
  expect(lines.filter((line) => !line.includes('a new data set is served'))).toEqual([]);
});
