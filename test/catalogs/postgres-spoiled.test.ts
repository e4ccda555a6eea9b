/**
 * A service over a database that somebody else spoils, while it runs: it goes on with the data set that it has where that
 * is still there, says that it is not ready where it is not, never fails, and is well again by itself.
 */
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest';
import { type Running, serve } from '../support/command.ts';
import { load, newDatabase, postgres } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const FOODS = Array.from({ length: 200 }, (_, i) => food(`Egg, number ${i}`));

describeWithPostgres('a database that is spoiled under a service', () => {
  let url: string;
  let service: Running;
  let number: string;

  async function sql(...statements: string[]): Promise<void> {
    const client = await (await postgres()).client(new URL(url).pathname.slice(1));
    // In one transaction.
    await client.query(statements.join(';'));
    await client.end();
  }

  let texts = 0;
  /** A search that no kept answer can be taken for. */
  const search = (): Promise<Response> => fetch(`${service.url}/api/food?q=egg&n=${++texts}`);
  const readiness = async (): Promise<number> => (await fetch(`${service.url}/health/ready`)).status;

  beforeAll(async () => {
    url = await newDatabase();
    await load(url, FOODS, TEST_LABEL);
    await sql(
      "CREATE ROLE reader LOGIN PASSWORD 'reader'",
      'GRANT USAGE ON SCHEMA food_lookup TO reader',
      'GRANT SELECT ON ALL TABLES IN SCHEMA food_lookup TO reader',
    );
    const client = await (await postgres()).client(new URL(url).pathname.slice(1));
    const { rows } = await client.query('SELECT generation FROM food_lookup.data_set');
    await client.end();
    number = rows[0].generation;
    const address = new URL(url);
    address.username = address.password = 'reader';
    service = await serve([], { FOOD_DATA: address.href });
  });
  afterEach(async () => {
    await sql('ALTER ROLE reader CONNECTION LIMIT -1');
    await waitFor(async () => (await search()).status === 200 && (await readiness()) === 200);
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });

  it.each([
    ['its facts are no JSON', "UPDATE food_lookup.data_set SET facts = 'garbage'"],
    ['its facts are other JSON', `UPDATE food_lookup.data_set SET facts = '{"name":7}'`],
    ['its facts are null', "UPDATE food_lookup.data_set SET facts = 'null'"],
    ['it names tables that are not there', 'UPDATE food_lookup.data_set SET generation = 7'],
    ['it is gone', 'DELETE FROM food_lookup.data_set'],
    ['it may not be read', 'REVOKE SELECT ON food_lookup.data_set FROM reader'],
    ['a column of it has another name', 'ALTER TABLE food_lookup.data_set RENAME COLUMN facts TO f'],
    ['the table has another name', 'ALTER TABLE food_lookup.data_set RENAME TO d'],
  ])('the row of the data set: %s', async (_what, statement) => {
    await sql('CREATE TABLE public.saved AS TABLE food_lookup.data_set');
    const before = service.errors().length;
    await sql(statement);
    await waitFor(async () => service.errors().length > before);
    expect(service.errors().slice(before)).toMatch(/"level":50,.*something is wrong with it/);
    for (let i = 0; i < 10; i++) {
      const answer = await search();
      expect(answer.status).toBe(200);
      expect(await answer.json()).toHaveLength(100);
    }
    await waitFor(async () => Number((await search()).headers.get('age')) > 0);
    expect(await readiness()).toBe(200);
    await sql(
      'ALTER TABLE IF EXISTS food_lookup.d RENAME TO data_set',
      'DROP TABLE food_lookup.data_set',
      'CREATE TABLE food_lookup.data_set AS TABLE public.saved',
      'ALTER TABLE food_lookup.data_set ADD PRIMARY KEY (single), ALTER COLUMN single SET DEFAULT true',
      'DROP TABLE public.saved',
      'GRANT SELECT ON food_lookup.data_set TO reader',
    );
    await waitFor(async () => (await search()).headers.get('age') === null);
    // Told once.
    expect(
      service
        .errors()
        .slice(before)
        .match(/"level":50/g),
    ).toHaveLength(1);
  });

  it.each([
    [
      'rights are revoked',
      () => `REVOKE SELECT ON food_lookup.foods_${number} FROM reader`,
      () => `GRANT SELECT ON food_lookup.foods_${number} TO reader`,
      /permission denied for table foods_\d+; let its owner run: GRANT/,
    ],
    [
      'the schema may not be used',
      () => 'REVOKE USAGE ON SCHEMA food_lookup FROM reader',
      () => 'GRANT USAGE ON SCHEMA food_lookup TO reader',
      /permission denied for schema food_lookup; let its owner run: GRANT/,
    ],
    [
      'a column of the foods has another name',
      () => `ALTER TABLE food_lookup.foods_${number} RENAME COLUMN entry TO e`,
      () => `ALTER TABLE food_lookup.foods_${number} RENAME COLUMN e TO entry`,
      /column f\.entry does not exist; import again/,
    ],
    [
      'a column of the texts has another type',
      () => `ALTER TABLE food_lookup.texts_${number} ALTER COLUMN foods TYPE text`,
      () =>
        `ALTER TABLE food_lookup.texts_${number} ALTER COLUMN foods TYPE integer[] USING foods::integer[]`,
      /its tables are not as an import makes them: .* import again/,
    ],
    [
      'a table has another name',
      () => `ALTER TABLE food_lookup.texts_${number} RENAME TO t`,
      () => `ALTER TABLE food_lookup.t RENAME TO texts_${number}`,
      /relation \\"food_lookup\.texts_\d+\\" does not exist; import again/,
    ],
  ])('%s: 503 and not ready, until that is mended', async (_what, spoil, mend, reason) => {
    const before = service.errors().length;
    await sql(spoil());
    const replies = await Promise.all(Array.from({ length: 10 }, search));
    for (const reply of replies) {
      expect(reply.status, await reply.text()).toBe(503);
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    await waitFor(async () => (await readiness()) === 503);
    expect((await service.metrics()).ready).toBe(0);
    expect(service.errors().slice(before)).toMatch(reason);
    expect((await search()).status).toBe(503);
    await sql(mend());
    await waitFor(async () => (await readiness()) === 200);
    expect((await search()).status).toBe(200);
    expect(service.errors()).not.toContain('a search failed');
  });

  test('a column of another type that reads alike: searches go on', async () => {
    await sql(`ALTER TABLE food_lookup.foods_${number} ALTER COLUMN entry TYPE varchar`);
    for (let i = 0; i < 10; i++) expect((await search()).status).toBe(200);
  });

  test('no connection is left for searches beside the one that watches', async () => {
    await sql(
      'ALTER ROLE reader CONNECTION LIMIT 1',
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'",
    );
    await waitFor(async () => service.errors().includes('too many connections for role'));
    await waitFor(async () => (await search()).status === 503 && (await readiness()) === 503);
    await sql('ALTER ROLE reader CONNECTION LIMIT -1');
    await waitFor(async () => (await readiness()) === 200);
  });

  test('the password of the role is another one, and connections are made anew', async () => {
    await sql(
      "ALTER ROLE reader PASSWORD 'other'",
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'",
    );
    expect((await search()).status).toBe(503);
    await waitFor(async () => (await readiness()) === 503);
    await sql("ALTER ROLE reader PASSWORD 'reader'");
    await waitFor(async () => (await readiness()) === 200);
  });
});
