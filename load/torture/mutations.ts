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
    '99999999999999999999',
    'Content-Length: 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Host: a\r\n',
    'HTTP/9.9',
  ],
  ...[
    'Transfer-Encoding: identity, gzip\r\n',
    'Connection: keep-alive\r\n',
    'Expect: 200-maybe\r\n',
    'CONNECT ',
  ],
  ...[`X: ${'a'.repeat(9000)}\r\n`, `${'q='.repeat(9000)}`, 'X-Y: b\r\n'.repeat(600)],
].map((text) => Buffer.from(text, 'latin1'));

/** A request with one to three mutations. */
export function mutated(random: Random): Buffer {
  let bytes: Buffer = pick(random, REQUESTS);
  for (let mistakes = 1 + random(3); mistakes > 0; mistakes--) bytes = pick(random, MISTAKES)(bytes, random);
  return bytes;
}

type Mistake = (bytes: Buffer, random: Random) => Buffer;

/** Replaces that many bytes at a random place by others, which may depend on those from there on. */
const replacing =
  (most: number, others: (rest: Buffer, random: Random) => Uint8Array): Mistake =>
  (bytes, random) => {
    const at = random(bytes.length + 1);
    const rest = bytes.subarray(at);
    return Buffer.concat([bytes.subarray(0, at), others(rest, random), rest.subarray(random(most + 1))]);
  };

const MISTAKES: readonly Mistake[] = [
  function flipBit(bytes, random) {
    const flipped = Buffer.from(bytes);
    const at = random(bytes.length);
    flipped.fill((flipped[at] ?? 0) ^ (1 << random(8)), at, at + 1);
    return flipped;
  },
  function insertHeader(bytes, random) {
    const at = bytes.indexOf('\r\n') + 2;
    return Buffer.concat([bytes.subarray(0, at), pick(random, PIECES), bytes.subarray(at)]);
  },
  // insert
  replacing(0, (_, random) => pick(random, PIECES)),
  // remove
  replacing(20, () => Buffer.alloc(0)),
  // overwrite
  replacing(12, (_, random) => Buffer.alloc(random(12), random(256))),
  // cut
  replacing(1e6, () => Buffer.alloc(0)),
  // repeat
  replacing(0, (rest, random) => rest.subarray(0, random(60))),
  // splice
  replacing(1e6, (_, random) => {
    const other = pick(random, REQUESTS);
    return other.subarray(random(other.length));
  }),
];

function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random(items.length)] as Item;
}
