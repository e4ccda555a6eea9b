/** Valid requests with seeded mutations of their bytes: no crash, no 5xx, no hang, no leak. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { type Random, seeded } from '../../test/support/random.ts';
import { onService } from '../tools/process.ts';
import { INSPECTED, memoryKept } from './inspect.ts';
import { count, type Figure, measured, none } from './verdict.ts';

const AT_ONCE = 32;

/** ms within which a connection must end after its client has sent everything. */
const HANG = 8000;

export function malformed({ requests = 50_000, seed = 50 } = {}): Promise<Figure[]> {
  const settings = { ALLOWED_ORIGIN: 'https://app.example', LOG_LEVEL: 'error', ...INSPECTED };
  return onService(settings, async ({ pid, port, url, errors }) => {
    const random = seeded(seed);
    const seen = new Map<string, number>();
    const bad: string[] = [];
    const send = async (number: number): Promise<void> => {
      let left = number;
      const sender = async (): Promise<void> => {
        while (left-- > 0) {
          const bytes = mutated(random);
          const outcome = await outcomeOf(port, bytes);
          seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
          // A mutation may name HTTP/2.0, which is answered 505.
          if (/^5(?!05)|hang|refused/.test(outcome))
            bad.push(`${outcome}: ${JSON.stringify(bytes.toString('latin1'))}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
    };
    const files = () => readdirSync(`/proc/${pid}/fd`).length;
    // Fills what is filled only once, such as caches and compiled code.
    await send(Math.ceil(requests / 5));
    const before = { memory: await memoryKept(pid), files: files() };
    await send(Math.floor((requests * 4) / 5));
    const growth = (await memoryKept(pid)) / before.memory;
    const { ok } = await fetch(`${url}/api/food?q=egg`);
    const outcomes = Array.from(seen, ([outcome, number]) => `${outcome}: ${count(number)}`);
    for (const line of bad.slice(0, 10)) process.stderr.write(`${line}\n`);
    return [
      { what: `requests; first answers: ${outcomes.toSorted().join(', ')}`, value: count(requests) },
      none('answered 5xx, or never', bad.length),
      none('answered wrongly afterwards, or lines in the log', Number(!ok) + errors().length),
      measured('memory after the last, relative to after the first fifth', growth, '≤', 1.05),
      // One belongs to the request above.
      none('more open files than before', Math.max(0, files() - before.files - 1)),
    ];
  });
}

/** The first 5xx status or else the first status; `closed` if there is none, or how the service failed. */
function outcomeOf(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const timer = setTimeout(() => {
      resolve('hang');
      socket.destroy();
    }, HANG);
    socket.on('connect', () => socket.end(bytes));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', (error) => {
      if ('code' in error && error.code === 'ECONNREFUSED') resolve('refused');
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const statuses = Array.from(received.matchAll(/HTTP\/1\.[01] (\d{3}) /g), ([, status = '']) => status);
      resolve(statuses.find((status) => status.startsWith('5')) ?? statuses[0] ?? 'closed');
    });
  });
}

const END = '\r\nHost: localhost\r\nOrigin: https://app.example\r\n';

const REQUESTS = [
  `GET /api/food?q=egg HTTP/1.1${END}\r\n`,
  `GET /api/food?q=%C3%A4pfel+milk HTTP/1.1${END}Accept-Encoding: br, gzip\r\nIf-None-Match: "a", W/"b"\r\n\r\n`,
  `HEAD /api/food?q=milk HTTP/1.0${END}\r\n`,
  `OPTIONS /api/food HTTP/1.1${END}Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: x-a\r\n\r\n`,
  `POST /api/food?q=egg HTTP/1.1${END}Content-Type: application/json\r\nContent-Length: 13\r\n\r\n{"q": "milk"}`,
  `POST /data-set HTTP/1.1${END}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  `GET http://localhost/api/food?q=a HTTP/1.1${END}Expect: 100-continue\r\n\r\n`,
  `GET /health/ready HTTP/1.1${END}Connection: close, upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `GET /%61pi/food?q=x&q=y HTTP/1.1${END}X-Forwarded-For: 1.2.3.4\r\nRange: bytes=0-1\r\n\r\n`,
  `GET /../../etc/passwd HTTP/1.1${END}Cookie: a=b\r\n\r\n`,
  `GET /metrics HTTP/1.1${END}\r\nGET /api/food?q=b HTTP/1.1${END}\r\n`,
].map((text) => Buffer.from(text, 'latin1'));

const PIECES = [
  ...['\r\n', '\n', '\r', '\0', ' ', '\t', ':', ';', '%', '%00', '%ZZ', '?', '&', '#', '../', '\u00ff', '-1'],
  ...['9'.repeat(20), 'HTTP/9.9', 'CONNECT ', 'Host: a\r\n', 'Content-Length: 5\r\n'],
  ...['Connection: keep-alive\r\n', 'Expect: 200-maybe\r\n'],
  ...['chunked', 'identity, gzip'].map((coding) => `Transfer-Encoding: ${coding}\r\n`),
  ...[`X: ${'a'.repeat(9000)}\r\n`, 'q='.repeat(9000), 'X-Y: b\r\n'.repeat(600)],
].map((text) => Buffer.from(text, 'latin1'));

const pick = <Item>(random: Random, items: readonly Item[]): Item => items[random(items.length)] as Item;

/** Replaces some bytes at a place. */
const spliced = (bytes: Buffer, at: number, removed: number, added: Uint8Array = Buffer.alloc(0)): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

const MISTAKES: Readonly<Record<string, (bytes: Buffer, at: number, random: Random) => Buffer>> = {
  flipBit: (bytes, at, random) => spliced(bytes, at, 1, Buffer.of((bytes[at] ?? 0) ^ (1 << random(8)))),
  insertHeader: (bytes, _, random) => spliced(bytes, bytes.indexOf('\r\n') + 2, 0, pick(random, PIECES)),
  insert: (bytes, at, random) => spliced(bytes, at, 0, pick(random, PIECES)),
  remove: (bytes, at, random) => spliced(bytes, at, random(20)),
  overwrite: (bytes, at, random) => spliced(bytes, at, random(12), Buffer.alloc(random(12), random(256))),
  cut: (bytes, at) => bytes.subarray(0, at),
  repeat: (bytes, at, random) => spliced(bytes, at, 0, bytes.subarray(at, at + random(60))),
  join(bytes, at, random) {
    const other = pick(random, REQUESTS);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(random(other.length))]);
  },
};

/** A request with one to three mutations. */
function mutated(random: Random): Buffer {
  let bytes: Buffer = pick(random, REQUESTS);
  for (let mistakes = 1 + random(3); mistakes > 0; mistakes--)
    bytes = pick(random, Object.values(MISTAKES))(bytes, random(bytes.length + 1), random);
  return bytes;
}
