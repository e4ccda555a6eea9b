/** No malformed query gets a 5xx or ends the process. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import { type Random, seeded } from '../support/random.ts';
import { rawGet, type Service, sendRaw, startService, statusesOf } from '../support/service.ts';

const CONNECTIONS = 400;
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

test('answers 20,000 random byte queries with 200 and JSON', { timeout: 600_000 }, async () => {
  const random = seeded(1000);
  for (let i = 0; i < CONNECTIONS; i++) {
    const targets = Array.from({ length: PIPELINE }, () => `/api/food?q=${randomQuery(random)}`);
    const requests = targets.map((target) => rawGet(target)).join('');
    const received = await sendRaw(service, requests + rawGet('/api/food', 'Connection: close'));
    expect(statusesOf(received), targets.join()).toEqual(Array(PIPELINE + 1).fill('200'));
    const bodies = Array.from(received.matchAll(/\r\n\r\n([[{].*[\]}])(?=HTTP|$)/g), ([, body = '']) => body);
    expect(bodies, targets.join()).toHaveLength(PIPELINE + 1);
    for (const body of bodies) JSON.parse(body);
  }
});

/** A query of random bytes: percent-encoded, raw, or with invalid encoding. */
function randomQuery(random: Random): string {
  const encode = (): string => {
    const byte = random(256);
    const isTargetByte = byte > 0x20 && byte < 0x7f && byte !== 0x23;
    const kind = random(4);
    if (isTargetByte && kind === 0) return String.fromCharCode(byte);
    if (kind === 1 && byte < 128) return `%${'0123456789abcdefgh%'[random(19)]}`;
    return `%${byte.toString(16).padStart(2, '0')}`;
  };
  return Array.from({ length: random(12) }, encode).join('');
}
