/** Valid requests, and mutations of their bytes. */
import type { Random } from '../../test/support/random.ts';

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
  ...[
    '9'.repeat(20),
    'HTTP/9.9',
    'Connection: keep-alive\r\n',
    'CONNECT ',
    'Host: a\r\n',
    'Content-Length: 5\r\n',
    'Expect: 200-maybe\r\n',
  ],
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
export function mutated(random: Random): Buffer {
  let bytes: Buffer = pick(random, REQUESTS);
  for (let mistakes = 1 + random(3); mistakes > 0; mistakes--)
    bytes = pick(random, Object.values(MISTAKES))(bytes, random(bytes.length + 1), random);
  return bytes;
}
