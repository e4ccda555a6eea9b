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

/** True, or why a catalog cannot be opened. */
async function opened(query: string): Promise<boolean | string> {
  try {
    const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}/postgres?${query}`;
    await (await PostgresCatalog.open(parsePostgresUrl(url))).close();
    return true;
  } catch (error) {
    return String(error);
  }
}

/** Whether the connections of a catalog are encrypted, or why there are none. */
async function connect(host: string, query: string): Promise<boolean | string> {
  const url = `postgres://postgres:${encodeURIComponent(PASSWORD)}@${host}:${server.port}/postgres?${query}`;
  try {
    const catalog = await PostgresCatalog.open(parsePostgresUrl(url));
    await catalog.search('egg');
    const rows = await server.query(
      "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'food-lookup'",
    );
    await catalog.close();
    await waitFor(
      async () =>
        (await server.query("SELECT 1 FROM pg_stat_activity WHERE application_name = 'food-lookup'"))
          .length === 0,
    );
    expect(rows).toHaveLength(1);
    return rows[0]?.ssl === true;
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
    ['disable', false],
    ['allow', false],
    ['prefer', false],
    ['require', /The server does not support SSL connections/],
    ['verify-full', /The server does not support SSL connections/],
  ])('%s, with a server without TLS', async (mode, expected) => {
    const found = await connect('127.0.0.1', `sslmode=${mode}`);
    if (typeof expected === 'boolean') expect(found).toBe(expected);
    else expect(found).toMatch(expected);
  });

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
  await waitFor(async () => (await connect('localhost', 'sslmode=require')) === true);

  expect(await connect('127.0.0.1', 'sslmode=disable')).toBe(false);
  expect(await connect('127.0.0.1', 'sslmode=prefer')).toBe(true);
  expect(await connect('127.0.0.1', 'sslmode=require')).toBe(true);
  expect(await connect('127.0.0.1', `sslmode=require${otherAuthority}`)).toMatch(
    /self-signed certificate|unable to verify/,
  );
  expect(await connect('127.0.0.1', `sslmode=verify-ca${authority}`)).toBe(true);
  expect(await connect('127.0.0.1', `sslmode=verify-ca${otherAuthority}`)).toMatch(
    /self-signed certificate|unable to verify/,
  );
  expect(await connect('localhost', `sslmode=verify-full${authority}`)).toBe(true);
  expect(await connect('127.0.0.1', `sslmode=verify-full${authority}`)).toMatch(
    /IP: 127\.0\.0\.1 is not in the cert/,
  );
  expect(await connect('localhost', 'sslmode=verify-full')).toMatch(
    /self-signed certificate|unable to verify/,
  );
  expect(await connect('localhost', 'sslmode=verify-full&sslrootcert=/nowhere.pem')).toMatch(
    /sslrootcert="\/nowhere\.pem": the file cannot be read \(ENOENT\)/,
  );

  // The server refuses connections without TLS.
  const rules = await readFile(join(server.folder, 'pg_hba.conf'), 'utf8');
  await server.writeFile('pg_hba.conf', rules.replace(/^host(?=\s+all)/gm, 'hostssl'));
  await server.query('SELECT pg_reload_conf()');
  await waitFor(async () => String(await opened('sslmode=disable')).includes('no encryption'));
  for (const mode of ['allow', 'prefer', 'require']) expect(await opened(`sslmode=${mode}`), mode).toBe(true);
}
