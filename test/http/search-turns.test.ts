/** Searches by words that take long: which of them run first, which wait, and which are refused. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { FoodCatalog } from '#core';
import { readSettings, type Settings } from '#service';
import type { Patience } from '../../src/service/http/limits/patience.ts';
import { ask, ORIGIN, rawGet, type Service, sendRaw, startService, statusesOf } from '../support/service.ts';
import { pauseFor, workFor } from '../support/time.ts';
import { waitFor } from '../support/wait.ts';

const NOTHING = { body: Buffer.from('[]'), readings: [], replaced: [], missing: [] };

let service: Service;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await service.close();
});

let searched: string[] = [];

function searchFor(ms: number, words: string): typeof NOTHING {
  searched.push(words);
  workFor(ms);
  return NOTHING;
}

/** ms that a search by words takes, and of a turn after which no other begins. */
const BUSY = 4;
const WORDS = 3;

const startBusy = (changed: Partial<Settings & Patience> = {}, ms = BUSY): Promise<void> =>
  start((words) => searchFor(ms, words), changed);

async function start(
  searchWords: FoodCatalog['searchWords'],
  changed: Partial<Settings & Patience> = {},
): Promise<void> {
  searched = [];
  const catalog = { search: () => Buffer.from('["text"]'), searchWords };
  const settings = { allowedOrigin: ORIGIN, ...changed };
  service = await startService(catalog, settings, undefined, { words: WORDS, ...changed });
}

const wordsTarget = (text: string): string => `/api/food?match=words&q=${text}`;
async function open(): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Clients that each search again as soon as they have an answer, with texts that are longer than those of others. */
async function openAttackers(number: number): Promise<void> {
  for (let i = 0; i < number; i++) {
    const socket = await open();
    let sent = 0;
    const send = (): void => void socket.write(rawGet(wordsTarget(`attack+${i}+${sent++}`)));
    socket.on('data', send);
    send();
  }
  await waitFor(async () => searched.length >= number);
}

const askAnew = (target: string) => ask(service, target, { headers: { connection: 'close' } });

test('a new client comes next, however many searches of others wait', async () => {
  await startBusy();
  await openAttackers(40);
  for (const target of [wordsTarget('new'), '/api/food?q=egg', '/health/live'])
    for (let i = 0; i < 3; i++) {
      const before = searched.length;
      expect((await askAnew(target)).status).toBe(200);
      // Accepting and reading take a turn each, in which a search may run.
      expect(searched.length - before, target).toBeLessThan(6);
    }
});

test('connections that many clients open at once are accepted between two searches', async () => {
  await startBusy({}, 20);
  await openAttackers(4);
  const before = searched.length;
  const replies = await Promise.all(Array.from({ length: 20 }, () => askAnew('/health/live')));
  expect(replies.every(({ status }) => status === 200)).toBe(true);
  expect(searched.length - before).toBeLessThan(10);
});

test('behind a trusted proxy, clients are distinguished by address, so opening new connections does not help', async () => {
  await startBusy({ trustProxy: readSettings({ trustProxy: 'loopback' }, {}).trustProxy });
  const askFrom = async (address: string, text: string): Promise<string> =>
    sendRaw(service, rawGet(wordsTarget(text), `X-Forwarded-For: ${address}`, 'Connection: close'));
  let isOver = false;
  const attack = Array.from({ length: 30 }, async (_, i) => {
    for (let n = 0; !isOver; n++) await askFrom('192.0.2.1', `${i}x${n}`);
  });
  await waitFor(async () => searched.length >= 30);
  for (let i = 0; i < 5; i++) {
    const before = searched.length;
    const text = `a+new+client+with+a+longer+text+${i}`;
    expect(await askFrom(`192.0.2.${10 + i}`, text)).toMatch(/^HTTP\/1.1 200/);
    expect(searched.length - before).toBeLessThan(8);
  }
  isOver = true;
  await Promise.all(attack);
});

test('a search that waits for too long is refused, in a way that its page can read', async () => {
  await startBusy({ wait: 200 }, 20);
  const asking = (i: number) => ask(service, wordsTarget(`egg+${i}`), { headers: { origin: ORIGIN } });
  const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => asking(i)));
  const refused = replies.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(5);
  expect(refused.length + replies.filter(({ status }) => status === 200).length).toBe(30);
  expect(searched).toHaveLength(30 - refused.length);
  for (const { headers, body } of refused) {
    expect(headers['retry-after']).toBe('1');
    expect(headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(JSON.parse(body)).toEqual({ error: expect.stringContaining('overloaded') });
  }
  expect((await ask(service, '/metrics')).body).toContain('food_lookup_requests_waiting 0');
  expect((await ask(service, wordsTarget('egg'))).status).toBe(200);
});

test('pipelined requests are answered in their order, whether they wait or not', async () => {
  await startBusy({}, 2);
  await openAttackers(6);
  const targets = [wordsTarget('one'), '/api/food?q=egg', wordsTarget('two'), '/api/food'];
  const requests = targets.map((target) => rawGet(target)).join('');
  const received = await sendRaw(service, requests + rawGet('/api/food', 'Connection: close'));
  const bodies = received.split(/HTTP\/1\.1 200 OK\r\n(?:.+\r\n)+\r\n/).slice(1);
  const missing = '{"error":"Missing required parameter `q`"}';
  expect(bodies).toEqual(['[]', '["text"]', '[]', missing, missing]);
});

test('clients that pipeline do not fill the queue for others', async () => {
  await startBusy();
  for (let i = 0; i < 8; i++) {
    const socket = await open();
    socket.resume();
    socket.write(Array.from({ length: 200 }, (_, n) => rawGet(wordsTarget(`attack+${i}+${n}`))).join(''));
  }
  await waitFor(async () => searched.length >= 8);
  const before = searched.length;
  for (const target of [wordsTarget('new'), '/api/food?q=egg'])
    expect((await askAnew(target)).status).toBe(200);
  expect(searched.length - before).toBeLessThan(12);
});

test('a client that is gone is not searched for', async () => {
  await startBusy({ wait: 300 }, 10);
  await openAttackers(10);
  const leaving = await open();
  for (let i = 0; i < 20; i++) leaving.write(rawGet(wordsTarget(`gone+${i}`)));
  await waitFor(async () => searched.some((text) => text.startsWith('gone')));
  leaving.destroy();
  // Longer than any of its searches would wait.
  await pause(400);
  expect(searched.filter((text) => text.startsWith('gone')).length).toBeLessThan(10);
});

test.each([
  ['after a costly search, a client does not wait until all others have cost as much', workFor, 120, 0, 30],
  // Each of the others has cost more by then than the work of two searches.
  ['a client is not blamed for time in which the service got no processor', pauseFor, 200, 60, 6],
])('%s', async (_promise, take, ms, searchesBefore, most) => {
  await start((words) => {
    if (words === 'long') take(ms);
    return searchFor(BUSY, words);
  });
  await openAttackers(10);
  await waitFor(async () => searched.length >= searchesBefore);
  const client = await open();
  for (const words of ['long', 'next']) {
    const before = searched.length;
    client.write(rawGet(wordsTarget(words)));
    await once(client, 'data');
    expect(searched.length - before, words).toBeLessThan(most);
  }
});

test('after a pause without a processor, new connections do not keep searches waiting for as long', async () => {
  await start((words) => {
    if (words === 'paused') pauseFor(600);
    return searchFor(1, words);
  });
  const [first, second] = [await open(), await open()];
  let isOver = false;
  let newcomers = 0;
  const arrivals = Array.from({ length: 8 }, async () => {
    for (; !isOver; newcomers++) await askAnew('/health/live');
  });
  await waitFor(async () => newcomers > 100);
  first.write(rawGet(wordsTarget('paused')));
  second.write(rawGet(wordsTarget('waiting')));
  await once(first, 'data');
  const before = newcomers;
  await once(second, 'data');
  expect(newcomers - before).toBeLessThan(50);
  isOver = true;
  await Promise.all(arrivals);
});

test('a database gets four searches by words at once, and that of a new client next or next but one', async () => {
  const running: (() => void)[] = [];
  let most = 0;
  await start(async (words) => {
    searched.push(words);
    await new Promise<void>((resolve) => {
      running.push(resolve);
      most = Math.max(most, running.length);
    });
    return { ...NOTHING, identity: 'one' };
  });
  const attackers = await Promise.all(Array.from({ length: 20 }, open));
  for (const [i, socket] of attackers.entries()) {
    socket.write(rawGet(wordsTarget(`attack+${i}`)).repeat(2));
    socket.resume();
  }
  await waitFor(async () => running.length === 4);
  const answered = askAnew(wordsTarget('new'));
  expect((await ask(service, '/api/food?q=egg')).status, 'a search for a text').toBe(200);
  for (const finish of running.splice(0, 2)) finish();
  await waitFor(async () => searched.length === 6);
  expect(searched.slice(4)).toContain('new');
  for (const finish of running.splice(0)) finish();
  expect((await answered).status).toBe(200);
  expect(most).toBe(4);
  // Until the service is closed.
  const timer = setInterval(() => running.splice(0).forEach((finish) => void finish()), 5);
  onTestFinished(() => clearInterval(timer));
});

test('an error of a search that has waited is answered with 500', async () => {
  await start((words) => {
    const found = searchFor(BUSY, words);
    if (words.startsWith('bad')) throw new Error('bad');
    return found;
  });
  const socket = await open();
  const received: string[] = [];
  socket.on('data', (chunk) => received.push(String(chunk)));
  socket.write(['good', 'bad', 'good+2'].map((text) => rawGet(wordsTarget(text))).join(''));
  await waitFor(async () => statusesOf(received.join('')).length === 3);
  expect(statusesOf(received.join(''))).toEqual(['200', '500', '200']);
});

test('an idle service takes no turns', async () => {
  await startBusy();
  expect((await askAnew(wordsTarget('one'))).status).toBe(200);
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('Immediate');
});
