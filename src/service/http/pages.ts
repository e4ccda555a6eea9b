/** The built pages, each with its script and styles in it, so that one answer is a whole page of one release. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Coding, codedTag, compressed, sendCopy } from './coding.ts';
import { policy } from './responses.ts';

const sha256 = (text: string | Buffer) => createHash('sha256').update(text);

function copyOf(file: string) {
  const bytes = readFileSync(file);
  return { body: () => bytes, etag: `"${sha256(bytes).digest('base64url')}"` };
}

/**
 * Answers with a page at these paths. It and its compressed copies are in memory, so that tag and policy are of the bytes that are sent.
 * @param connectSrc the addresses that the page's script may request
 */
export function servePage(app: FastifyInstance, file: string, paths: string[], connectSrc: string): void {
  const copies = { br: copyOf(`${file}.br`), gzip: copyOf(`${file}.gz`), identity: copyOf(file) };
  const page = copies.identity.body().toString();
  const itself = ["'self'"];
  const contentSecurityPolicy = policy({
    ...{ scriptSrc: hashesIn(page, 'script'), styleSrc: hashesIn(page, 'style') },
    ...{ fontSrc: itself, imgSrc: itself, connectSrc: [connectSrc] },
    ...{ manifestSrc: itself, workerSrc: itself },
  });
  for (const path of paths)
    app.get(path, { helmet: { contentSecurityPolicy } }, (request, reply) =>
      sendCopy(request, reply, 'text/html; charset=utf-8', (coding) => copies[coding]),
    );
}

/** Sources that allow exactly these elements of the page. */
const hashesIn = (page: string, element: string): string[] =>
  Array.from(
    page.matchAll(RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, 'gs')),
    ([, inside = '']) => `'sha256-${sha256(inside).digest('base64')}'`,
  );

/** Serves WebAssembly of which only the Brotli copy is kept; for the few other clients it is made, once, into what they accept. */
export function serveReader(app: FastifyInstance, path: string, file: string): void {
  const { body, etag } = copyOf(file);
  // What failed is tried again.
  const made: LRUCache<Coding, Buffer> = new LRUCache({
    max: 2,
    fetchMethod: async (coding): Promise<Buffer> =>
      coding === 'gzip'
        ? compressed(await made.forceFetch('identity'), coding, 'file')
        : promisify(brotliDecompress)(body()),
  });
  app.get(path, (request, reply) =>
    sendCopy(request, reply, 'application/wasm', (coding) => ({
      etag: codedTag(etag, coding),
      body: () => (coding === 'br' ? body() : made.forceFetch(coding)),
    })),
  );
}
