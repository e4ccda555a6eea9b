/** The built pages, each with its script and styles in it, so that one answer is a whole page of one release. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Coding, codingFor, tagsIn } from './food-request.ts';
import { policy } from './responses.ts';

const sha256 = (text: string | Buffer) => createHash('sha256').update(text);

function copyOf(file: string) {
  const body = readFileSync(file);
  return { body, etag: `"${sha256(body).digest('base64url')}"` };
}

export class Page {
  readonly #copies: Readonly<Record<Coding, ReturnType<typeof copyOf>>>;

  /** Reads a page and its compressed copies into memory, so that tag and policy are of the bytes that are sent. */
  constructor(file: string) {
    this.#copies = { br: copyOf(`${file}.br`), gzip: copyOf(`${file}.gz`), identity: copyOf(file) };
  }

  /** Answers at these paths. @param connectSrc the addresses that the page's script may request */
  serve(app: FastifyInstance, paths: readonly string[], connectSrc: string): void {
    const itself = ["'self'"];
    const contentSecurityPolicy = policy({
      ...{ scriptSrc: this.#hashesOf('script'), styleSrc: this.#hashesOf('style') },
      ...{ fontSrc: itself, imgSrc: itself, connectSrc: [connectSrc] },
      ...{ manifestSrc: itself, workerSrc: itself },
    });
    for (const path of paths)
      app.get(path, { helmet: { contentSecurityPolicy } }, (request, reply) => this.#answer(request, reply));
  }

  /** Sources that allow exactly these elements of the page. */
  #hashesOf(element: string): string[] {
    const text = this.#copies.identity.body.toString();
    const elements = text.matchAll(RegExp(`<${element}\\b[^>]*>(.*?)</${element}>`, 'gs'));
    return Array.from(elements, ([, inside = '']) => `'sha256-${sha256(inside).digest('base64')}'`);
  }

  #answer({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
    const coding = codingFor(headers['accept-encoding']);
    const { body, etag } = this.#copies[coding];
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    const known = tagsIn(headers['if-none-match'] ?? '');
    if (known.includes(etag) || known.includes('*')) return reply.code(304).send();
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.type('text/html; charset=utf-8').send(body);
  }
}
