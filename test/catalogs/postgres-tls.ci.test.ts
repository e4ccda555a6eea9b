/** TLS by `sslmode` in the address, from none to a verified certificate and host name. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { parsePostgresUrl } from '#postgres';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { makeCertificate } from '../support/certificate.ts';
import { temporaryFolder } from '../support/files.ts';
import { PASSWORD, Postgres } from '../support/postgres.ts';
import { load } from '../support/postgres-catalog.ts';
import { describeWithPostgres, describeWithPrograms } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const folder = temporaryFolder();

let server: Postgres;

const UNKNOWN_AUTHORITY = /self-signed certificate|unable to verify/;
const NO_AUTHORITY = 'sslrootcert="/nowhere.pem": the file cannot be read (ENOENT)';

/** Whether the connections of a catalog are encrypted, or why there are none. */
async function connect(host: string, query: string): Promise<string> {
  const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@${host}:${server.port}/postgres?${query}`;
  // In another database, which may be reached without TLS even when that of the foods may not.
  const connections = () =>
    server.queryIn(
      'template1',
      "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'food-lookup'",
    );
  try {
    const catalog = await PostgresCatalog.open(parsePostgresUrl(url));
    await catalog.search('egg');
    const rows = await connections();
    await catalog.close();
    await waitFor(async () => (await connections()).length === 0);
    expect(rows).toHaveLength(1);
    return rows[0]?.ssl === true ? 'encrypted' : 'plain';
  } catch (error) {
    return String(error);
  }
}

describeWithPostgres('sslmode', () => {
  beforeAll(async () => {
    server = await Postgres.start();
    await load(server.url(), [food('Egg')], TEST_LABEL);
  });
  afterAll(() => server.remove());

  it.each([
    ['disable', 'plain'],
    ['allow', 'plain'],
    ['prefer', 'plain'],
    ['require', 'The server does not support SSL connections'],
    ['verify-full', 'The server does not support SSL connections'],
  ])('%s, with a server without TLS', async (mode, expected) =>
    expect(await connect('127.0.0.1', `sslmode=${mode}`)).toMatch(expected),
  );

  describeWithPrograms('openssl')('with a certificate', () => test('every mode', everyMode));
});

async function everyMode(): Promise<void> {
  // Each is its own authority.
  const { key, cert, certFile } = await makeCertificate(folder.path('server'), 'DNS:localhost');
  const other = await makeCertificate(folder.path('other'), 'DNS:localhost');
  const [authority, otherAuthority] = [certFile, other.certFile].map((file) => `&sslrootcert=${file}`);
  await server.writeFile('server.crt', cert);
  await server.writeFile('server.key', key);
  await server.query('ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()');
  await waitFor(async () => (await connect('localhost', 'sslmode=require')) === 'encrypted');

  for (const [host, query, expected] of [
    ['127.0.0.1', 'disable', 'plain'],
    ['127.0.0.1', 'prefer', 'encrypted'],
    ['127.0.0.1', 'require', 'encrypted'],
    ['127.0.0.1', `require${otherAuthority}`, UNKNOWN_AUTHORITY],
    ['127.0.0.1', `verify-ca${authority}`, 'encrypted'],
    ['127.0.0.1', `verify-ca${otherAuthority}`, UNKNOWN_AUTHORITY],
    ['localhost', `verify-full${authority}`, 'encrypted'],
    ['127.0.0.1', `verify-full${authority}`, 'IP: 127.0.0.1 is not in the cert'],
    ['localhost', 'verify-full', UNKNOWN_AUTHORITY],
    ['localhost', 'verify-full&sslrootcert=/nowhere.pem', NO_AUTHORITY],
  ] as const)
    expect(await connect(host, `sslmode=${query}`), `${query} at ${host}`).toMatch(expected);

  // The server refuses connections without TLS.
  const rules = await readFile(join(server.folder, 'pg_hba.conf'), 'utf8');
  await server.writeFile('pg_hba.conf', `hostnossl postgres all all reject\n${rules}`);
  await server.query('SELECT pg_reload_conf()');
  await waitFor(async () => (await connect('127.0.0.1', 'sslmode=disable')).includes('no encryption'));
  for (const mode of ['allow', 'prefer', 'require'])
    expect(await connect('127.0.0.1', `sslmode=${mode}`), mode).toBe('encrypted');
}
