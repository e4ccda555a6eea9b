/** The page's files as they arrive: compressed, tagged, and no larger than promised. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it, test } from 'vitest';
import { serviceForAll } from '../support/lifetime.ts';
import { ask, catalogOf, type Reply, startService } from '../support/service.ts';

/** Bytes of the page with its typeface and what its head names, heads of answers included. */
const BUDGET = 78_000;

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
type Coding = keyof typeof DECODE;

const service = serviceForAll(async () => startService(await catalogOf([]), { nodeEnv: 'production' }));

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
  ask(service, path, { headers, method });

/** At least the bytes of the whole answer. */
const sizeOf = ({ headers, bytes }: Reply): number => JSON.stringify(headers).length + bytes.length;

const accepting = (coding: string) => ({ 'accept-encoding': coding });

/** The page and everything it names, by path. */
async function pageAccepting(coding: string, ...others: readonly string[]): Promise<Map<string, Reply>> {
  const page = await get('/', accepting(coding));
  const html = DECODE[coding as Coding](page.bytes).toString();
  const names = Array.from(html.matchAll(/(?:src|href)="\.(\/[^"]+)"/g), ([, name = '']) => name);
  const files = [...names, ...others].map(
    async (name) => [name, await get(name, accepting(coding))] as const,
  );
  return new Map([['/', page], ...(await Promise.all(files))]);
}

describe.each(['br', 'gzip', 'identity'] as const)('a client that accepts %s', (coding) => {
  it('receives every file in that coding, unless it is compressed already, with a tag of its own', async () => {
    const [received, plain] = await Promise.all(
      [coding, 'identity'].map((each) => pageAccepting(each, '/zxing_reader.wasm', '/texts/de.json')),
    );
    if (received === undefined || plain === undefined) throw new Error('nothing was received');
    expect([...received.keys()]).toEqual([...plain.keys()]);
    expect(received.size).toBe(7);
    for (const [path, { status, headers, bytes }] of received) {
      const expected = /\.(woff2|png)$/.test(path) ? 'identity' : coding;
      expect([status, headers['content-encoding'] ?? 'identity', headers.vary], path).toEqual([
        200,
        expected,
        'Accept-Encoding',
      ]);
      expect(headers['content-length']).toBe(String(bytes.length));
      const { bytes: content, headers: usual } = plain.get(path) as Reply;
      expect(DECODE[expected](bytes).equals(content), path).toBe(true);
      expect(headers['content-type']).toBe(usual['content-type']);
      expect(headers['cache-control']).toBe(usual['cache-control']);
      if (path.endsWith('.json')) expect(headers['cache-control']).toBe('no-cache');
      expect(headers.etag === usual.etag, path).toBe(expected === 'identity');
      const known = { ...accepting(coding), 'if-none-match': String(headers.etag) };
      const again = await get(path, known);
      expect([again.status, again.bytes.length, again.headers.vary]).toEqual([304, 0, 'Accept-Encoding']);
      const head = await get(path, accepting(coding), 'HEAD');
      expect(head.headers).toEqual({ ...headers, date: expect.any(String) });
    }
  });
});

test(`the page takes at most ${BUDGET / 1000} kB with Brotli, with its typeface`, async () => {
  const page = await pageAccepting('br');
  const sizes = Array.from(page.values(), sizeOf);
  expect([...page.keys()].join()).toMatch(/\.woff2/);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(BUDGET);
});

test('a page is one answer with script and styles, beside files that have the same names in every release, so that no upgrade mixes two', async () => {
  for (const [path, own] of [
    ['/', ['icon-192.png', 'manifest.webmanifest']],
    ['/docs', []],
  ] as const) {
    const { body } = await get(path);
    expect(body.match(/<(script|style)\b[^>]*>/g)).toEqual(['<style>', '<script type="module">']);
    expect(body).not.toMatch(/rel="stylesheet"|\bimport\b(?!\.meta)/);
    const files = Array.from(body.matchAll(/(?:href="|url\()\.\/([\w.-]+)/g), ([, name]) => name);
    const fonts = ['inter-latin-ext-wght-normal.woff2', 'inter-latin-wght-normal.woff2'];
    expect([...new Set(files)].toSorted()).toEqual(['icon.svg', ...fonts, ...own].toSorted());
  }
});

test('the page has the same tag at every address, and another one for other bytes', async () => {
  const tagOf = async (path: string) => (await get(path)).headers.etag;
  expect(await tagOf('/index.html')).toBe(await tagOf('/'));
  expect(await tagOf('/docs.html')).toBe(await tagOf('/docs'));
  expect(await tagOf('/docs')).not.toBe(await tagOf('/'));
});

test('the compressed copies have no address of their own', async () => {
  for (const path of ['/index.html.br', '/index.html.gz', '/licences.txt.br', '/index.html.b%72'])
    for (const accepted of ['br', 'identity'])
      expect((await get(path, accepting(accepted))).status, path).toBe(404);
});
