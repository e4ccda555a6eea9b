import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, stat, utimes } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { type DownloadOptions, download } from '../../src/tables/fetch/download.ts';
import { RELEASES } from '../../src/tables/fetch/fetch-source.ts';
import { type Answer, Arrival, cut, fileServer, proxyServer, status, whole } from '../support/file-server.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { importSources, refusalFrom, refusalOf } from '../support/import.ts';
import { listen } from '../support/listen.ts';
import { seeded } from '../support/random.ts';
import { describeWhere } from '../support/requirements.ts';
import { canMount, withSmallDisk } from '../support/small-disk.ts';
import { ONE_EGG, writeZip } from '../support/usda.ts';
import { waitFor } from '../support/wait.ts';

const CSV = `${HEADER}\nEgg,143,,,,,\n`;
const random = seeded(7);
/** Large enough to arrive in several pieces. */
const CONTENT = Buffer.from(Array.from({ length: 300_000 }, () => random(256)));
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');
const arrival = new Arrival();
const PATIENCE = { stall: 500, firstPause: 1, longestPause: 3000, attempts: 3 };

const folder = temporaryFolder();
let caches = 0;
const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  arrival.clear();
  for (const each of open.splice(0)) await each.close();
});

async function serve(...answers: Answer[]) {
  const server = await fileServer(...answers);
  open.push(server);
  return server;
}

const answer =
  (code: number, headers: Record<string, string | number>): Answer =>
  (_incoming, response) =>
    void response.writeHead(code, headers).end(CONTENT);

const ALL = whole(CONTENT);
const cutAt = (length: number) => cut(CONTENT, length, arrival);
const later = (code: number, after: string) => status(code, { 'retry-after': after });

const optionsOf = (more: Partial<DownloadOptions> = {}): DownloadOptions => ({
  folder: folder.path(`cache ${++caches}`),
  fixed: false,
  patience: PATIENCE,
  progress: arrival.progress,
  ...more,
});

/** Without Vitest's comparison of contents, which takes a second of processor time. */
const expectWhole = async (file: string): Promise<void> =>
  expect((await readFile(file)).equals(CONTENT)).toBe(true);

const refused = (url: string, options = optionsOf()): Promise<string> => refusalFrom(download(url, options));

describe('a file arrives complete', () => {
  const whence = Array.from({ length: 9 }, (_, i) => (i + 1) * 30_000);
  const another = { 'content-range': `bytes 0-${CONTENT.length - 1}/${CONTENT.length}` };
  it.each<[string, Answer[], (number | undefined)[]]>([
    ['at once', [ALL], []],
    ['after breaks, each resumed where it broke', [cutAt(1000), cutAt(70_000), ALL], [1000, 71_000]],
    [
      'after more breaks than attempts, as each brings some',
      [...whence.map(() => cutAt(30_000)), ALL],
      whence,
    ],
    ['after a stall', [cut(CONTENT, 5000, 'stall'), ALL], [5000]],
    ['without support for ranges', [cutAt(1000), answer(200, { 'content-length': CONTENT.length })], [1000]],
    ['if it changes meanwhile', [cut(Buffer.alloc(9000), 1000, arrival, '"0"'), ALL], [1000]],
    ['from a server that refuses the range', [cutAt(1000), status(416), ALL], [1000, undefined]],
    ['from a server that sends another range', [cutAt(1000), answer(206, another), ALL], [1000, undefined]],
    ['from a server that does not report its length', [answer(200, {})], []],
    ['after a pause for 503 and 429', [status(503), later(429, '0'), ALL], [undefined, undefined]],
  ])('%s', async (_what, answers, starts) => {
    const server = await serve(...answers);
    const seen: number[] = [];
    const progress = (bytes: number): void => {
      seen.push(bytes);
      arrival.progress(bytes);
    };
    const { file } = await download(server.url, optionsOf({ progress, sha256: SHA256 }));
    await expectWhole(file);
    const ranges = starts.map((start) => start && `bytes=${start}-`);
    expect(server.asked.map(({ headers }) => headers.range)).toEqual([undefined, ...ranges]);
    expect(seen.at(-1)).toBe(CONTENT.length);
    expect(await readdir(`${file}/..`.replace(/[^/]+\/\.\.$/, ''))).not.toContain('foods.csv.part');
  });

  test('from the address to which it was moved', async () => {
    const target = await serve(whole(CONTENT));
    const server = await serve(status(301, { location: '/else' }), status(302, { location: target.url }));
    await expectWhole((await download(server.url, optionsOf())).file);
    expect(server.asked.map(({ url }) => url)).toEqual(['/data/foods.csv', '/else']);
  });

  test('with its date, for a request that names the program', async () => {
    const server = await serve(whole(CONTENT));
    const { file } = await download(server.url, optionsOf());
    expect(server.asked[0]?.headers['user-agent']).toMatch(/^food-lookup \(/);
    expect((await stat(file)).mtime.toISOString()).toBe('2026-04-30T10:00:00.000Z');
  });

  test('even if the process ended in between', async () => {
    const server = await serve(cut(CONTENT, 1000, arrival), status(404), whole(CONTENT));
    const options = optionsOf();
    expect(await refused(server.url, options)).toContain('there is no such file (404)');
    await download(server.url, options);
    expect(server.asked.slice(1).map(({ headers }) => headers.range)).toEqual(['bytes=1000-', 'bytes=1000-']);
  });
});

test('a file that was complete when the process ended is not requested again', async () => {
  const server = await serve(whole(CONTENT));
  const options = optionsOf({ sha256: SHA256 });
  const { file } = await download(server.url, options);
  await rename(file, `${file}.part`);
  await download(server.url, options);
  await expectWhole(file);
  expect(server.asked).toHaveLength(1);
});

describe('the cache', () => {
  test('checks whether the file has changed', async () => {
    const server = await serve(whole(CONTENT), whole(CONTENT), whole(Buffer.from('new'), { etag: '"2"' }));
    const options = optionsOf();
    const { file } = await download(server.url, options);
    await download(server.url, options);
    expect(server.asked[1]?.headers['if-none-match']).toBe('"1"');
    await expectWhole(file);
    await download(server.url, options);
    expect(await readFile(file, 'utf8')).toBe('new');
  });

  test.each<[string, Partial<DownloadOptions>]>([
    ['of a release', { fixed: true }],
    ['of a known SHA-256', { sha256: SHA256.toUpperCase() }],
  ])('does not check a file %s', async (_what, more) => {
    const server = await serve(whole(CONTENT));
    const options = optionsOf(more);
    await download(server.url, options);
    await download(server.url, options);
    expect(server.asked).toHaveLength(1);
  });

  test('has the file even if the server no longer answers, with a note', async () => {
    const server = await serve(whole(CONTENT), status(503));
    const options = optionsOf();
    await download(server.url, options);
    const { file, note } = await download(server.url, options);
    await expectWhole(file);
    expect(note).toMatch(/could not be checked for a newer file \(the server is not available \(503\)\)/);
  });
});

describe('a download is refused with one line if the server', () => {
  const tooLong: Answer = (_incoming, response) => {
    response.writeHead(200, { 'content-length': CONTENT.length + 7 });
    response.write(CONTENT);
    arrival.when(CONTENT.length, () => response.destroy());
  };
  it.each<[string, Answer[], RegExp, number]>([
    ['has no such file', [status(404)], /no such file \(404\)\. Check the address.* newer release.*--url/, 1],
    ['forbids it', [status(403)], /the server refuses it \(403\)\. Download it in a browser/, 1],
    ['is unavailable', [status(503)], /not available \(503\)\. Try again later: what has arrived is kept/, 3],
    ['asks for a long pause', [later(429, '60')], /too many requests \(429\)/, 1],
    ['reports too large a length', [tooLong], /Try again later/, 3],
    ['asks for a pause until 2100', [later(503, '1 Jan 2100')], /not available \(503\)/, 1],
    ['never sends a byte', [() => {}], /the server does not answer/, 3],
    ['redirects in a circle', [status(302, { location: '/again' })], /moved more than 10 times/, 11],
    ['redirects to a file', [status(302, { location: 'file:///etc/passwd' })], /not safe to follow/, 1],
    ['redirects to no address', [status(302, { location: 'http://' })], /which is no address/, 1],
    ['sends a web page', [answer(200, { 'content-type': 'text/html; charset=utf-8' })], /is a web page/, 1],
  ])('%s', async (_what, answers, message, times) => {
    const server = await serve(...answers);
    expect(await refused(server.url)).toMatch(message);
    expect(server.asked).toHaveLength(times);
  });

  test('sends a file with another SHA-256, which is not kept', async () => {
    const server = await serve(whole(CONTENT));
    const options = optionsOf({ sha256: '0'.repeat(64) });
    expect(await refused(server.url, options)).toContain(`the SHA-256 of the file is ${SHA256}, but 000`);
    const [key = ''] = await readdir(options.folder);
    expect(await readdir(`${options.folder}/${key}`)).toEqual(['foods.csv.json']);
  });

  test('reports too small a length', async () => {
    const server = await serve((_i, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.socket?.write(CONTENT);
    });
    const options = optionsOf({ sha256: SHA256 });
    expect(await refused(server.url, options)).toMatch(/SHA-256|not what its headers say/);
  });

  test('has an unknown name', async () => {
    expect(await refused('http://nowhere.invalid/a.csv')).toMatch(/is no such host|cannot be looked up/);
  });

  test('is down', async () => {
    const server = await serve();
    await server.close();
    open.pop();
    expect(await refused(server.url)).toContain('the server refuses connections');
  });

  test('is fine, but the cache folder is a file', async () => {
    const server = await serve(whole(CONTENT));
    const options = optionsOf({ folder: await folder.write('file', '') });
    expect(await refused(server.url, options)).toMatch(/Cache folder ".*" cannot be written \(E\w+\)/);
  });
});

describeWhere(canMount, 'the right to mount a small disk, as root', 'a full disk', () => {
  test('is reported, and once there is room the download goes on', async () => {
    const server = await serve(whole(CONTENT));
    const disk = folder.path('small-disk');
    await withSmallDisk(disk, 200, async () => {
      const options = optionsOf({ folder: disk });
      expect(await refused(server.url, options)).toMatch(/Cache folder ".*": the disk is full\. Free some/);
      const [key = ''] = await readdir(disk);
      expect((await readdir(`${disk}/${key}`)).toSorted()).toEqual(['foods.csv.json', 'foods.csv.part']);
      execFileSync('mount', ['-o', 'remount,size=1m', disk]);
      const { file } = await download(server.url, options);
      await expectWhole(file);
      expect(server.asked.at(-1)?.headers.range).toMatch(/^bytes=\d{5,}-$/);
    });
  });
});

describe('concurrent imports of one address', () => {
  test('download it one after the other', async () => {
    let continueFirst = () => {};
    const slow: Answer = (incoming, response) => {
      response.setHeader('etag', '"1"').writeHead(200, { 'content-length': CONTENT.length });
      response.write(CONTENT.subarray(0, 1000));
      continueFirst = () => response.end(CONTENT.subarray(1000));
      incoming.resume();
    };
    const server = await serve(slow, whole(CONTENT));
    // The first must not begin anew while the second waits for it.
    const options = optionsOf({ patience: { ...PATIENCE, stall: 30_000 } });
    const first = download(server.url, options);
    await waitFor(async () => server.asked.length === 1);
    let waited = 0;
    const second = download(server.url, { ...options, waiting: () => waited++ });
    await waitFor(async () => waited > 1);
    expect(server.asked).toHaveLength(1);
    continueFirst();
    const files = await Promise.all([first, second]);
    expect(new Set(files.map(({ file }) => file)).size).toBe(1);
    await expectWhole(files[0].file);
    expect(server.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"']);
  });

  test('do not wait for a killed one', async () => {
    const server = await serve(status(404), whole(CONTENT));
    const options = optionsOf();
    await refused(server.url, options);
    const [key = ''] = await readdir(options.folder);
    const lock = `${options.folder}/${key}/foods.csv.lock`;
    await mkdir(lock);
    await utimes(lock, new Date(), new Date(Date.now() - 60_000));
    await expectWhole((await download(server.url, options)).file);
    expect(await readdir(`${options.folder}/${key}`)).not.toContain('foods.csv.lock');
  });
});

describe('behind a proxy', () => {
  test('requests go through the proxy', async () => {
    const server = await serve(cut(CONTENT, 1000, arrival), cut(CONTENT, 2000, 'stall'), whole(CONTENT));
    const proxy = await proxyServer();
    open.push(proxy);
    vi.stubEnv('HTTP_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', '');
    const { file } = await download(server.url, optionsOf({ sha256: SHA256 }));
    await expectWhole(file);
    expect(proxy.asked).toEqual(Array(3).fill(`GET ${server.url}`));
    expect(server.asked.at(-1)?.headers.range).toBe('bytes=3000-');
  });

  test.each<[string, string, RegExp, number]>([
    ['requires a password', 'HTTP/1.1 407 x\r\n\r\n', /the proxy refuses the connection \(407\)\.$/, 1],
    ['hangs up', '', /the connection was lost\. Try again later/, 3],
  ])('that %s, a download fails with one line after few attempts', async (_what, answer, message, times) => {
    const proxy = createTcpServer((socket) => {
      connections++;
      socket.once('data', () => socket.end(answer));
    });
    let connections = 0;
    vi.stubEnv('HTTPS_PROXY', await listen(proxy));
    open.push({ close: async () => void proxy.close() });
    expect(await refused('https://a.example/a.csv')).toMatch(message);
    expect(connections).toBe(times);
  });

  test('requests with TLS go through a tunnel', async () => {
    const proxy = await proxyServer();
    open.push(proxy);
    const server = createTlsServer({}, () => {});
    const address = await listen(server, 'https');
    open.push({ close: async () => void server.close() });
    vi.stubEnv('HTTPS_PROXY', proxy.url);
    vi.stubEnv('NO_PROXY', '');
    expect(await refused(`${address}/a.csv`)).toContain('the connection');
    expect(proxy.asked[0]).toBe(`CONNECT ${new URL(address).host}`);
  });

  test('requests obey NO_PROXY', async () => {
    const server = await serve(whole(CONTENT));
    vi.stubEnv('HTTP_PROXY', 'http://127.0.0.1:1');
    vi.stubEnv('NO_PROXY', '127.0.0.1');
    await expectWhole((await download(server.url, optionsOf())).file);
  });
});

describe('as a source', () => {
  test('an address is read by its content', async () => {
    const server = await serve(whole(Buffer.from(CSV)));
    const { foods, report } = await importSources([server.url], { cacheFolder: folder.path('source') });
    expect(foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
    expect(report.label).toMatchObject({ name: 'foods.csv', date: '2026-04-30' });
  });

  test("an address is kept in the user's cache folder by default", async () => {
    const server = await serve(whole(Buffer.from(CSV)));
    vi.stubEnv('XDG_CACHE_HOME', folder.path('user'));
    await importSources([server.url]);
    const [key = ''] = await readdir(folder.path('user/food-lookup'));
    expect(await readdir(folder.path(`user/food-lookup/${key}`))).toEqual(['foods.csv', 'foods.csv.json']);
  });

  test('a name with --url and --sha256 is downloaded from that address', async () => {
    const file = await writeZip(folder.path('foundation.zip'), ONE_EGG);
    const content = await readFile(file);
    const server = await serve(whole(content));
    const options = { url: server.url, cacheFolder: folder.path('named') };
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { foods } = await importSources(['usda:foundation'], { ...options, sha256 });
    expect(foods).toMatchObject([{ description: 'Egg', kcal: '143' }]);
    const other = { ...options, sha256: '1'.repeat(64) };
    expect(await refusalOf(['usda:foundation'], other)).toContain('the SHA-256 of the file is');
  });

  test('names stand for the official addresses', () => {
    const fdc = 'https://fdc.nal.usda.gov/fdc-datasets/FoodData_Central_';
    const off = 'https://static.openfoodfacts.org/data/';
    const releases = Object.entries(RELEASES);
    const names = releases.map(([name, { url, sha256 = '-' }]) => [name, url, sha256.slice(0, 8)]);
    expect(names).toEqual([
      ['usda:foundation', `${fdc}foundation_food_csv_2026-04-30.zip`, '-'],
      ['usda:sr-legacy', `${fdc}sr_legacy_food_csv_2018-04.zip`, 'b8081729'],
      ['usda:survey', `${fdc}survey_food_csv_2024-10-31.zip`, '5ccc25ec'],
      ['usda:branded', `${fdc}branded_food_csv_2026-04-30.zip`, '-'],
      ['open-food-facts', `${off}en.openfoodfacts.org.products.csv.gz`, '-'],
    ]);
  });
});
