/** The coding of an answer by Accept-Encoding (RFC 9110, 12.5.3). */
import { expect, it, test } from 'vitest';
import { serviceForAll } from '../support/lifetime.ts';
import { rawGet, sendRaw, startService } from '../support/service.ts';

const service = serviceForAll(() =>
  startService({ search: () => Buffer.from(JSON.stringify('rice '.repeat(1000))) }),
);

async function codingOf(...lines: string[]): Promise<string> {
  const received = await sendRaw(service, rawGet('/api/food?q=rice', 'Connection: close', ...lines));
  expect(received).toMatch(/^HTTP\/1\.1 200 /);
  return /\r\nContent-Encoding: (\S+)/.exec(received)?.[1] ?? 'identity';
}

it.each([
  // Names: in any case, the old name of gzip, unknown ones
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['Br', 'br'],
  ['x-gzip', 'gzip'],
  ['deflate, zstd, compress', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['', 'identity'],
  [' , ,', 'identity'],
  // Weights
  ['br, gzip', 'br'],
  ['gzip, br', 'br'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['br;q=0.9, gzip', 'gzip'],
  ['br;q=0.001, gzip;q=0.002', 'gzip'],
  ['br;q=1.000, gzip;q=1', 'br'],
  ['br ; q=0.1 , gzip ;Q=0.2', 'gzip'],
  ['br;q=0', 'identity'],
  ['br;q=0.000, gzip;q=0.', 'identity'],
  ['br;q=0, gzip', 'gzip'],
  // Anything else
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*, br;q=0', 'gzip'],
  ['gzip, *;q=0', 'gzip'],
  ['gzip;q=0.5, *', 'br'],
  ['br;q=0.5, *;q=0.8', 'gzip'],
  ['*;q=0', 'identity'],
  ['br;q=0, gzip;q=0, *', 'identity'],
  ['deflate, *;q=0.1', 'br'],
  // Plain
  ['identity', 'identity'],
  ['identity, gzip', 'gzip'],
  ['identity, gzip;q=0.5', 'identity'],
  ['IDENTITY;q=0.5, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.4, br;q=0.6', 'br'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0, *', 'br'],
  ['identity;q=0', 'identity'],
  // Invalid weights
  ['br;q=2, gzip', 'gzip'],
  ['br;q=-1, gzip;q=0.1', 'gzip'],
  ['br;q=high', 'identity'],
  ['br;q', 'identity'],
  ['br;level=9', 'identity'],
])('Accept-Encoding: %s', async (accepted, coding) => {
  expect(await codingOf(`Accept-Encoding: ${accepted}`)).toBe(coding);
});

test('the first 16 elements count, so that a long list costs no time', async () => {
  expect(await codingOf(`Accept-Encoding: ${','.repeat(15)}br`)).toBe('br');
  expect(await codingOf(`Accept-Encoding: ${','.repeat(16)}br`)).toBe('identity');
  expect(await codingOf(`Accept-Encoding: gzip${','.repeat(30_000)}br`)).toBe('gzip');
});

test('several header lines form one list', async () => {
  expect(await codingOf('Accept-Encoding: br;q=0', 'Accept-Encoding: *')).toBe('gzip');
});

test('without the header, an answer is not compressed', async () =>
  expect(await codingOf()).toBe('identity'));
