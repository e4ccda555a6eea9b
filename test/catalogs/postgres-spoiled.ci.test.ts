/** Damages the database of a running service: it reports that it is not ready, and recovers by itself. */
import { afterAll, describe, expect, it, test } from 'vitest';
import { casesOf } from '../support/cases.ts';
import { serve } from '../support/command.ts';
import { load, newDatabase, sql } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const FOODS = Array.from({ length: 200 }, (_, i) => food(`Egg, number ${i}`));

/** Starts a service with its own database and role, which a test damages. */
async function startVictim(role: string) {
  const url = new URL(await newDatabase());
  await load(url.href, FOODS, TEST_LABEL);
  /** Runs the statements in one transaction. */
  const inOne = (...statements: string[]) => sql(url.href, statements.join(';'));
  await inOne(
    `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`,
    `GRANT USAGE ON SCHEMA food_lookup TO ${role}`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA food_lookup TO ${role}`,
  );
  const [set] = await inOne('SELECT generation FROM food_lookup.data_set');
  url.username = url.password = role;
  const service = await serve([], { FOOD_DATA: url.href });
  let searches = 0;
  /** A search that the cache cannot answer. */
  const search = (match = '') => fetch(`${service.url}/api/food?q=egg&n=${++searches}${match}`);
  const readiness = async () => (await fetch(`${service.url}/health/ready`)).status;
  /** Waits until the service is ready and has logged it. */
  const recovery = () =>
    waitFor(
      async () =>
        (await search()).status === 200 &&
        (await readiness()) === 200 &&
        /connected to the database[^\n]*\n$/.test(service.errors()),
    );
  await recovery();
  /** `number` is the one in the names of the tables. */
  return { role, service, sql: inOne, number: String(set?.generation), search, readiness, recovery };
}

type Victim = Awaited<ReturnType<typeof startVictim>>;

/** The statement with the number of the tables and the name of the role. */
const filled = (statement: string, { number, role }: Victim): string =>
  statement.replaceAll('NUMBER', number).replaceAll('READER', role);

const TERMINATE = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'READER'";

/** What is wrong, the damage, the repair, what the service says of it, and the `match` of the search which notices it. */
const FAULTS = `
  the row of the data set is not JSON | UPDATE food_lookup.data_set SET facts = '!' || facts
    | UPDATE food_lookup.data_set SET facts = substr(facts, 2) | not valid JSON
  the row of the data set is missing
    | CREATE TABLE public.saved AS TABLE food_lookup.data_set; DELETE FROM food_lookup.data_set
    | INSERT INTO food_lookup.data_set TABLE public.saved; DROP TABLE public.saved
    | has no data set of food-lookup; import one
  the table of the data set has another name | ALTER TABLE food_lookup.data_set RENAME TO t
    | ALTER TABLE food_lookup.t RENAME TO data_set | has no data set of food-lookup; import one
  the table of the patterns has another name | ALTER TABLE food_lookup.patterns_NUMBER RENAME TO t
    | ALTER TABLE food_lookup.t RENAME TO patterns_NUMBER
    | relation "food_lookup.patterns_NUMBER" does not exist; import again
  the table of the words has another name | ALTER TABLE food_lookup.words_NUMBER RENAME TO t
    | ALTER TABLE food_lookup.t RENAME TO words_NUMBER
    | relation "food_lookup.words_NUMBER" does not exist; import again | &match=words
  a column of the foods has another name | ALTER TABLE food_lookup.foods_NUMBER RENAME COLUMN entry TO e
    | ALTER TABLE food_lookup.foods_NUMBER RENAME COLUMN e TO entry
    | its tables are not as an import makes them: column f.entry does not exist; import again
  a column of the patterns has another type
    | ALTER TABLE food_lookup.patterns_NUMBER ALTER COLUMN foods TYPE text
    | ALTER TABLE food_lookup.patterns_NUMBER ALTER COLUMN foods TYPE integer[] USING foods::integer[]
    | function unnest(text) does not exist; import again
  it may not read the foods | REVOKE SELECT ON food_lookup.foods_NUMBER FROM READER
    | GRANT SELECT ON food_lookup.foods_NUMBER TO READER
    | permission denied for table foods_NUMBER; let its owner run: GRANT
  it may not use the schema | REVOKE USAGE ON SCHEMA food_lookup FROM READER
    | GRANT USAGE ON SCHEMA food_lookup TO READER
    | permission denied for schema food_lookup; let its owner run: GRANT
  its password is wrong | ALTER ROLE READER PASSWORD 'other'; ${TERMINATE}
    | ALTER ROLE READER PASSWORD 'READER' | password authentication failed`;

describeWithPostgres('a service whose database is damaged', () => {
  let roles = 0;
  const started: Victim[] = [];
  /** Those that no test uses at the moment. */
  const idle: Victim[] = [];
  afterAll(async () => {
    const codes = await Promise.all(started.map(({ service }) => service.stop()));
    expect(codes).toEqual(started.map(() => 0));
  });

  /** Lets a test damage a victim, which must recover. */
  async function spoil(work: (victim: Victim) => Promise<void>): Promise<void> {
    const victim = idle.pop() ?? (await startVictim(`reader_${++roles}`));
    if (!started.includes(victim)) started.push(victim);
    await work(victim);
    await victim.sql(`ALTER ROLE ${victim.role} CONNECTION LIMIT -1`);
    await victim.recovery();
    idle.push(victim);
  }

  describe.concurrent('while it runs', () => {
    it.each(casesOf(FAULTS))(
      'answers 503 and is not ready until a fault is repaired: %s',
      (_what, damage = '', mend = '', reason = '', match = '') =>
        spoil(async (victim) => {
          const { service } = victim;
          const before = service.errors().length;
          await victim.sql(filled(damage, victim));
          const replies = await Promise.all(Array.from({ length: 10 }, () => victim.search(match)));
          for (const reply of replies) {
            // A fault of the row is noticed by the next look.
            if (!damage.includes('data_set') || reply.status !== 200) {
              expect(reply.status, await reply.text()).toBe(503);
              expect(reply.headers.get('retry-after')).toBe('1');
            }
          }
          await waitFor(async () => (await victim.readiness()) === 503);
          expect((await service.metrics()).ready).toBe(0);
          const said = JSON.stringify(filled(reason, victim)).slice(1, -1);
          await waitFor(async () => service.errors().slice(before).includes(said));
          expect((await victim.search(match)).status).toBe(503);
          await victim.sql(filled(mend, victim));
          await waitFor(async () => (await victim.readiness()) === 200);
          // On a busy machine, opening the first connections may take longer than a search may.
          await waitFor(async () => (await victim.search(match)).status === 200);
          expect(service.errors()).not.toContain('a search failed');
        }),
    );

    test('answers searches if a column has an equivalent type', () =>
      spoil(async (victim) => {
        const column = `ALTER TABLE food_lookup.foods_${victim.number} ALTER COLUMN entry`;
        await victim.sql(`${column} TYPE varchar`);
        for (let i = 0; i < 10; i++) expect((await victim.search()).status).toBe(200);
        await victim.sql(`${column} TYPE text`);
      }));

    test('answers 503 and is not ready while it has no connection but the one that watches the data set', () =>
      spoil(async (victim) => {
        const { service, role } = victim;
        await victim.sql(filled(`ALTER ROLE READER CONNECTION LIMIT 1; ${TERMINATE}`, victim));
        await waitFor(async () => service.errors().includes('too many connections for role'));
        const statuses = async () => [(await victim.search()).status, await victim.readiness()].join();
        await waitFor(async () => (await statuses()) === '503,503');
        await victim.sql(`ALTER ROLE ${role} CONNECTION LIMIT -1`);
        await waitFor(async () => (await victim.readiness()) === 200);
      }));
  });
});
