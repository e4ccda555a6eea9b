/** No malformed request gets a 5xx or ends the process. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import { type Random, seeded } from '../support/random.ts';
import { ask, type Service, startService, targetOf } from '../support/service.ts';

const QUERIES = 20_000;
const CONNECTIONS = 8;
/** Requests sent on a connection before their answers are read. */
const PIPELINE = 50;

let service: Service;
beforeAll(async () => {
  // Stops the clock by which the service measures overload, however slow the machine is.
  vi.spyOn(performance, 'now').mockReturnValue(1);
  service = await startService(await openCatalog(undefined), { allowedOrigin: 'https://app.example' });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await service.close();
});

test(`answers ${QUERIES.toLocaleString('en')} random byte queries with 200 and JSON`, {
  timeout: 600_000,
}, async () => {
  const each = QUERIES / CONNECTIONS;
  const answers = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, i) => fuzz(seeded(1000 + i), each)),
  );
  expect(answers.flatMap(({ wrong }) => wrong)).toEqual([]);
  expect(answers.reduce((sum, { right }) => sum + right, 0)).toBe(QUERIES);
  expect((await ask(service, targetOf('egg'))).status).toBe(200);
});

/** Sends random queries over one connection; returns the number of right answers, and the wrong ones. */
async function fuzz(random: Random, count: number): Promise<{ right: number; wrong: string[] }> {
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  const responses = readResponses(socket);
  const wrong: string[] = [];
  let right = 0;
  for (let sent = 0; sent < count; sent += PIPELINE) {
    const targets = Array.from({ length: PIPELINE }, () => randomTarget(random));
    socket.write(
      Buffer.concat(
        targets.map((target) =>
          Buffer.concat([Buffer.from('GET '), target, Buffer.from(' HTTP/1.1\r\nHost: x\r\n\r\n')]),
        ),
      ),
    );
    for (const target of targets) {
      const { value } = await responses.next();
      // An assertion for each answer would take longer than the answer.
      if (value?.status === 200 && isAnswer(JSON.parse(value.body))) right++;
      else wrong.push(`${target.toString('latin1')}: ${value?.status} ${value?.body}`);
    }
  }
  socket.destroy();
  return { right, wrong };
}

const isAnswer = (answer: unknown): boolean =>
  Array.isArray(answer) || (answer as { error?: string }).error !== undefined;

/** A query of random bytes: percent-encoded, raw, or with invalid encoding. */
function randomTarget(random: Random): Buffer {
  const bytes = Buffer.alloc(random(12));
  for (let i = 0; i < bytes.length; i++) bytes[i] = random(256);
  const encode = (byte: number) => {
    const isTargetByte = byte > 0x20 && byte < 0x7f && byte !== 0x23;
    const kind = random(4);
    if (isTargetByte && kind === 0) return Buffer.from([byte]);
    if (kind === 1 && byte < 128) return Buffer.from(`%${'0123456789abcdefgh%'[random(19)]}`);
    return Buffer.from(`%${byte.toString(16).padStart(2, '0')}`);
  };
  return Buffer.concat([Buffer.from('/api/food?q='), ...Array.from(bytes, encode)]);
}

async function* readResponses(socket: Socket): AsyncGenerator<{ status: number; body: string }> {
  let rest = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) break;
      const head = rest.toString('latin1', 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (rest.length < end + 4 + length) break;
      yield { status: Number(head.slice(9, 12)), body: rest.toString('utf8', end + 4, end + 4 + length) };
      rest = rest.subarray(end + 4 + length);
    }
  }
}
