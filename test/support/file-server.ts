/** A file server on loopback that fails like real ones, and a proxy. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { listen } from './listen.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Gives the answers in turn, then repeats the last one. */
export async function fileServer(...answers: Answer[]) {
  const asked: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
  const server = createServer((incoming, response) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)];
    asked.push(incoming);
    answer?.(incoming, response);
  });
  return { url: `${await listen(server)}/data/foods.csv`, asked, close: () => shut(server) };
}

async function shut(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

export function whole(
  content: Buffer,
  {
    etag = '"1"',
    send = (response: ServerResponse, part: Buffer, _from: number) => void response.end(part),
  } = {},
): Answer {
  return (incoming, response) => {
    const [, start = '0'] = /^bytes=(\d+)-$/.exec(incoming.headers.range ?? '') ?? [];
    response.setHeader('etag', etag);
    response.setHeader('last-modified', 'Thu, 30 Apr 2026 10:00:00 GMT');
    if (incoming.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    const from = incoming.headers['if-range'] === etag ? Number(start) : 0;
    if (from > 0)
      response.setHeader('content-range', `bytes ${from}-${content.length - 1}/${content.length}`);
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from });
    send(response, content.subarray(from), from);
  };
}

/** Signals that the client has received a number of bytes: breaking a connection discards those under way. */
export class Arrival {
  #have = 0;
  #waiting: { readonly bytes: number; readonly done: () => void }[] = [];

  /** The client reports its progress here. */
  readonly progress = (bytes: number): void => {
    this.#have = bytes;
    for (const each of this.#waiting) if (each.bytes <= bytes) each.done();
    this.#waiting = this.#waiting.filter((each) => each.bytes > bytes);
  };

  when(bytes: number, done: () => void): void {
    if (this.#have >= bytes) done();
    else this.#waiting.push({ bytes, done });
  }

  clear(): void {
    this.#have = 0;
    this.#waiting = [];
  }
}

/** Like {@link whole}, but the connection breaks or stays silent after that many bytes of the body have arrived. */
export const cut = (content: Buffer, bytes: number, then: Arrival | 'stall', etag = '"1"'): Answer =>
  whole(content, {
    etag,
    send: (response, part, from) => {
      response.write(part.subarray(0, bytes));
      if (then !== 'stall') then.when(from + bytes, () => response.destroy());
    },
  });

export function status(code: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return (_incoming, response) => void response.writeHead(code, headers).end('a page for people');
}

export async function proxyServer() {
  /** `GET http://…` or `CONNECT host:port` for each request. */
  const asked: string[] = [];
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const forwarded = request(incoming.url ?? '', { headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => {});
    });
    forwarded.on('error', () => response.destroy());
    forwarded.end();
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    const [host = '', port = ''] = (incoming.url ?? '').split(':');
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  return { url: await listen(server), asked, close: () => shut(server) };
}
