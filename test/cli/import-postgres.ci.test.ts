/** Imports into PostgreSQL by the command: they succeed completely or change nothing, with minimal rights. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, test } from 'vitest';
import { parsePostgresUrl } from '#postgres';
import { recombined } from '../../load/tools/corpus.ts';
import { connectForImport, loadIndexInto } from '../../src/postgres/load.ts';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { casesOf } from '../support/cases.ts';
import { killedImport, MAIN, preloading, run, runAlone, serve } from '../support/command.ts';
import { HEADER, tableOf, temporaryFolder } from '../support/files.ts';
import { sectionsOf } from '../support/index.ts';
import { documentedRoles, PASSWORD } from '../support/postgres.ts';
import { load, newDatabase, postgres, sql } from '../support/postgres-catalog.ts';
import { writtenTo } from '../support/programs.ts';
import { seeded } from '../support/random.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { food, TEST_LABEL } from '../support/service.ts';
import { STARTER, STARTER_FOODS, starterFoods, starterNames } from '../support/starter-foods.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait.ts';

/** How often an import is killed, in each step in turn; more with KILLS=100. */
const KILLS = Number(process.env.KILLS ?? 3);

/** What an import prints before each step. In the last one, both the old and the new tables exist. */
const STEPS = ['making the indexes', 'comparing answers', 'removing the old data set'];

/** ms between two requests during an import, which leave it the processor. */
const PAUSE = 20;

const SECRET = encodeURIComponent(PASSWORD);
const folder = temporaryFolder();

const few = (): Promise<string> => folder.write('few.csv', `${HEADER}\nEgg,1,2,3,4,5,6\nMilk,1,2,3,4,5,6\n`);
const ONE = [food('Egg')];

async function tablesOf(url: string): Promise<string[]> {
  const rows = await sql(
    url,
    "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('food_lookup') AND relkind IN ('r', 'i') ORDER BY 1",
  );
  return rows.map(({ relname }) => String(relname).replace(/\d+/, 'N'));
}

const withKeys = (tables: readonly string[]) => tables.flatMap((table) => [table, `${table}_pkey`]);
const WHOLE = withKeys(['data_set', 'foods_N', 'nutrients_N', 'patterns_N', 'words_N']);
const WITH_PORTIONS = withKeys(['data_set', 'foods_N', 'nutrients_N', 'patterns_N', 'portions_N', 'words_N']);

/** The address with another role. */
const as = (url: string, username: string, password: string): string =>
  Object.assign(new URL(url), { username, password }).href;

function startImport(url: string, ...flags: string[]) {
  const child = spawn(process.execPath, [MAIN, 'import', '-', '--to', url, ...flags]);
  const output = writtenTo(child.stdout, child.stderr);
  return { pid: child.pid, stdin: child.stdin, ended: once(child, 'exit'), output };
}

describeWithPostgres('food-lookup import --to postgres://', () => {
  test('stores a data set that is served, searched and inspected like its source', async () => {
    const url = await newDatabase();
    const file = folder.path('same.idx');
    const flags = ['--name', 'My foods', '--source', 'Our kitchen', '--licence', 'CC BY 4.0'];
    const { code, stdout, stderr } = await runAlone(['import', STARTER, '--to', url, ...flags]);
    expect(stderr).toContain('comparing answers\n');
    const summary =
      /\npostgres:\/\/127\.0\.0\.1:\d+\/test_\w+: [\d,]+ foods, \d\.\d MB, in \d+ s\nTo serve it: /;
    expect(stdout).toMatch(summary);
    expect(code).toBe(0);
    expect(await tablesOf(url)).toEqual(WITH_PORTIONS);

    const service = await serve([], { FOOD_DATA: url });
    expect(service.greeting).toContain(`My foods: ${STARTER_FOODS}`);
    const answer = await (await fetch(`${service.url}/api/food?q=milk`)).text();
    expect(await service.stop()).toBe(0);
    await run(['import', STARTER, '--to', file, ...flags]);
    for (const data of [file, url])
      expect((await run(['search', 'milk', '--json', '--food-data', data])).stdout).toBe(`${answer}\n`);
    const factsOf = async (data: string) => JSON.parse((await run(['inspect', data, '--json'])).stdout);
    const { bytes, known, sample, ...facts } = await factsOf(file);
    expect(await factsOf(url)).toEqual(facts);
    expect(facts).toMatchObject({ source: 'Our kitchen', licence: 'CC BY 4.0' });
    expect(`${stdout}${stderr}${service.greeting}${service.errors()}`).not.toContain(SECRET);
  });

  test('keeps the password out of the process list, the report and every message', async () => {
    const url = await newDatabase();
    const importing = startImport(url, '--json');
    const commandLine = () => readFile(`/proc/${importing.pid}/cmdline`, 'utf8');
    await waitFor(async () => (await commandLine()).startsWith('food-lookup'));
    expect(await commandLine()).not.toContain(SECRET);
    importing.stdin.end(`${HEADER}\nEgg,1,2,3,4,5,6\n`);
    expect(await importing.ended).toEqual([0, null]);
    let output = importing.output();
    const elsewhere = url.replace(/:\d+\//, ':1/');
    const unescaped = url.replace('@', '/more@');
    const mysql = url.replace('postgres', 'mysql');
    const mistyped = url.replace('://', '//');
    const inspected = [`${url}?password=${SECRET}`, elsewhere, url.replace('postgres', 'POSTGRES')];
    const sources = [url, mistyped, `usda:foundation --url ${url}`];
    const lines = [
      ...[elsewhere, as(url, 'postgres', `${PASSWORD}!`)].map((data) => `search egg --food-data ${data}`),
      ...[elsewhere, unescaped, mysql].map((target) => `import ${STARTER} --to ${target}`),
      ...[unescaped, mysql].map((data) => `serve --food-data ${data}`),
      ...inspected.map((data) => `inspect ${data}`),
      ...sources.map((source) => `import ${source} --to ${folder.path('x.idx')}`),
      ...[mistyped, `serve --food-dat=${mistyped}`],
    ];
    for (const line of lines) {
      const { code, stdout, stderr } = await run(line.split(' '));
      expect(stdout).toBe('');
      expect([1, 2]).toContain(code);
      expect(stderr).toMatch(/^(food-lookup|error): [^\n]+\n/);
      output += stderr;
    }
    expect(output).not.toContain(SECRET);
    expect(output).not.toContain(PASSWORD);
  });

  test('hides the command line before it loads any library', async () => {
    const order = folder.path('order.txt');
    const writes = `import { appendFileSync } from 'node:fs';
      const write = (text) => appendFileSync(${JSON.stringify(order)}, text + '\\n');`;
    const hooks = `${writes}
      export async function load(url, context, next) {
        if (url.startsWith('file:')) write(url.split('/').at(-1));
        return next(url, context);
      }`;
    const preload = `${writes}
      import { register } from 'node:module';
      register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});
      Object.defineProperty(process, 'title', { set: () => write('hidden') });`;
    await runAlone(['inspect', 'postgres//u:SECRET@h/db'], preloading(preload));
    const read = (await readFile(order, 'utf8')).split('\n');
    expect(read.slice(0, 2)).toEqual(['main.js', 'hidden']);
    expect(read).toContain('program.js');
  });

  test.skipIf(process.platform === 'win32')('takes the password from a password file', async () => {
    const url = await newDatabase();
    const { port, pathname } = new URL(url);
    const address = url.replace(/:[^:@]+@/, '@');
    const file = await folder.write('passwords', `127.0.0.1:${port}:other:postgres:wrong\n`);
    await appendFile(file, `127.0.0.1:${port}:${pathname.slice(1)}:postgres:${PASSWORD}\n`);
    await chmod(file, 0o600);
    const environment = { PGPASSFILE: file };
    expect(await run(['import', await few(), '--to', address], environment)).toMatchObject({ code: 0 });
    const service = await serve([], { FOOD_DATA: address, ...environment });
    expect((await fetch(`${service.url}/api/food?q=egg`)).status).toBe(200);
    expect(service.errors()).not.toContain('Warning');
    await service.stop();

    const args = ['search', 'egg', '--food-data', address];
    const none = await run(args, { PGPASSFILE: folder.path('none') });
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain('the server requires a password; set PGPASSWORD, add a line to ~/.pgpass');
    expect((await run(args, { PGPASSWORD: PASSWORD })).code).toBe(0);
  });

  test('replaces the data set of a running service, which notices before its tables are removed, and mixes no answers', async () => {
    const url = await newDatabase();
    const before = Array.from({ length: 300 }, (_, i) => food(`Egg, old ${i}`));
    await load(url, before, TEST_LABEL);
    const eggs = Array.from({ length: 300 }, (_, i) => `Egg, new ${i}`);
    const after = await folder.write('after.csv', tableOf(eggs));
    const service = await serve([], { FOOD_DATA: url });
    const texts = ['egg', 'e', 'gg', 'egg%2C', ...['e', 'egg', '12+egg'].map((q) => `${q}&match=words`)];
    const tags = new Map<string, Set<string>>();
    let isOver = false;
    let isNew = false;
    const asking = (async () => {
      for (let i = 0; !isOver; i++) {
        const text = texts[i % texts.length];
        const response = await fetch(`${service.url}/api/food?q=${text}`);
        const body = await response.text();
        expect(response.status, body).toBe(200);
        const kinds = [...new Set(body.match(/old|new/g))];
        expect(kinds).toHaveLength(1);
        const [kind = ''] = kinds;
        isNew ||= kind === 'new';
        const tag = response.headers.get('etag')?.split('-')[0] ?? '';
        tags.set(kind, (tags.get(kind) ?? new Set()).add(tag));
        await pause(PAUSE);
      }
    })();
    const { code } = await run(['import', after, '--to', url]);
    // The import removes the old tables 2 s after the switch, and ends.
    expect([code, isNew]).toEqual([0, true]);
    isOver = true;
    await asking;
    await service.stop();
    expect([...tags.keys()]).toEqual(['old', 'new']);
    expect([...tags.values()].map(({ size }) => size)).toEqual([1, 1]);
    expect(tags.get('old')).not.toEqual(tags.get('new'));
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('leaves nothing behind, whatever fails', async () => {
    const url = await newDatabase();
    const broken = await folder.write('broken.csv', `${HEADER}\nEgg,1,2,3,4,5,6\nMilk,x,2,3,4,5,6\n`);
    const empty = await folder.write('empty.csv', `${HEADER}\n`);
    expect((await run(['import', broken, '--to', url])).code).toBe(1);
    expect((await run(['import', empty, '--to', url])).stderr).toContain('it has no food');
    expect(await tablesOf(url)).toEqual([]);

    // The server closes the connection while rows arrive.
    const index = await sectionsOf(await starterFoods());
    const closedIn = (closed: string): Promise<number> =>
      loadIndexInto(parsePostgresUrl(url), index, { ...TEST_LABEL, leftOut: 0 }, (phase) => {
        if (phase === closed)
          void sql(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'food-lookup' AND datname = current_database()",
          );
      });
    await expect(closedIn('checks')).rejects.toThrow(/The data set in service is unchanged; import again\.$/);
    expect(await tablesOf(url)).toEqual([]);
    await load(url, ONE, TEST_LABEL);
    await expect(closedIn('removing the old data set')).rejects.toThrow(/new data set is served/);
  });

  test('is not ended by time limits of its role', async () => {
    const url = await newDatabase();
    const limits = ['statement', 'lock', 'transaction', 'idle_in_transaction_session'];
    const settings = limits.map((limit) => `ALTER ROLE hasty SET ${limit}_timeout = '100ms'`);
    // Longer, since it also holds before an import can lift it; the second one is idle for 2 s before it removes the first's tables.
    settings.push("ALTER ROLE hasty SET idle_session_timeout = '1s'");
    await sql(url, "CREATE ROLE hasty LOGIN SUPERUSER PASSWORD 'x'", ...settings);
    for (let imports = 0; imports < 2; imports++) {
      const { code, stderr } = await run(['import', STARTER, '--to', as(url, 'hasty', 'x')]);
      expect(code, stderr).toBe(0);
      expect(await tablesOf(url)).toEqual(WITH_PORTIONS);
    }
  });

  test('succeeds if its connection is lost after the server has committed, and before it said so', async () => {
    const url = await newDatabase();
    let lost = 0;
    const proxy: TcpProxy = await TcpProxy.start(postgres().port, (bytes) => {
      if (!bytes.includes('COMMIT\0')) return bytes;
      lost++;
      proxy.drop();
      return Buffer.alloc(0);
    });
    const through = Object.assign(new URL(url), { port: String(proxy.port) }).href;
    const { code, stderr } = await runAlone(['import', await few(), '--to', through]);
    await proxy.close();
    expect([lost, code], stderr).toEqual([1, 0]);
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('leaves the old data set or the new one when it is killed, and the next import clears up', {
    timeout: 300_000 + KILLS * 5000,
  }, async () => {
    const url = await newDatabase();
    const large = await folder.write('large.csv', tableOf(recombined(await starterNames(), 1000, 1)));
    await load(url, ONE, TEST_LABEL);
    const random = seeded(KILLS);
    const database = new URL(url).pathname.slice(1);
    const sessions = `SELECT FROM pg_stat_activity WHERE datname = '${database}'`;
    for (let i = 0; i < KILLS; i++) {
      await killedImport([large, '--to', url], STEPS[i % STEPS.length] as string, random(100));
      const catalog = await PostgresCatalog.open(parsePostgresUrl(url));
      const { body } = await catalog.search('e');
      expect([1, 100]).toContain(JSON.parse(body.toString()).length);
      await catalog.close();
      // The server may still hold the lock of the killed import for a moment.
      await waitFor(async () => (await postgres().query(sessions)).length === 0);
    }
    expect((await run(['import', await few(), '--to', url])).code).toBe(0);
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('runs one at a time', async () => {
    const url = await newDatabase();
    const other = await connectForImport(parsePostgresUrl(url));
    const source = await few();
    const { code, stderr } = await run(['import', source, '--to', url]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/another import into this database is running\. Wait until it has ended\.\n$/);
    await other.end();
    expect((await run(['import', source, '--to', url])).code).toBe(0);
  });

  test('works with the roles in the documentation, which have no other rights', async () => {
    const url = await newDatabase();
    await sql(url, await documentedRoles());
    const owner = as(url, 'food_owner', PASSWORD);
    const reader = as(url, 'food_reader', PASSWORD);
    const source = await few();
    const search = await run(['search', 'egg', '--food-data', reader]);
    expect(search.stderr).toContain('has no data set of food-lookup');
    expect((await run(['import', source, '--to', reader])).stderr).toContain(
      'this role may not create tables there. Let an administrator run: GRANT CREATE, USAGE ON SCHEMA food_lookup TO food_reader.',
    );
    expect(await run(['import', source, '--to', owner])).toMatchObject({ code: 0 });
    const service = await serve([], { FOOD_DATA: reader });
    // The reader must also be able to read the tables of a second data set.
    expect(await run(['import', source, '--to', owner, '--name', 'again'])).toMatchObject({ code: 0 });
    const answer = await fetch(`${service.url}/api/food?q=egg`);
    expect(answer.status).toBe(200);
    expect(await service.stop()).toBe(0);
    const client = await postgres().client(new URL(url).pathname.slice(1), 'food_reader', PASSWORD);
    const others = ['CREATE TABLE food_lookup.x ()', 'CREATE TABLE x ()', 'CREATE SCHEMA x'];
    for (const statement of ['DELETE FROM food_lookup.data_set', ...others])
      await expect(client.query(statement), statement).rejects.toThrow(/permission denied/);
    await client.end();
    await sql(url, 'REVOKE ALL ON ALL TABLES IN SCHEMA food_lookup FROM food_reader');
    expect((await run(['serve', '--food-data', reader])).stderr).toMatch(
      /permission denied for table data_set; let its owner run: GRANT USAGE ON SCHEMA food_lookup TO ROLE; GRANT SELECT ON ALL TABLES/,
    );
  });

  it.each(
    casesOf(`
      UPDATE food_lookup.data_set SET version = 99
        | its tables are of version 99, and this program reads version 7; import again
        | its tables are of version 99; this program writes version 7.
      UPDATE food_lookup.data_set SET facts = 'garbage', generation = 9223372036854775807 | not valid JSON
      DELETE FROM food_lookup.data_set | has no data set of food-lookup; import one
      DROP SCHEMA food_lookup CASCADE | has no data set of food-lookup; import one`),
  )('says so after %s', async (statement = '', read, write) => {
    const url = await newDatabase();
    await load(url, ONE, TEST_LABEL);
    await sql(url, statement);
    const served = await run(['serve', '--food-data', url]);
    expect(served).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(String(read)) });
    expect((await run(['inspect', url])).code).toBe(1);
    const imported = await run(['import', await few(), '--to', url]);
    expect(imported.code, imported.stderr).toBe(write === undefined ? 0 : 1);
    if (write !== undefined) expect(imported.stderr).toContain(write);
    else expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('refuses a database with another encoding, and names the statement that creates one', async () => {
    const server = postgres();
    await server.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const { code, stderr } = await run(['import', STARTER, '--to', server.url({ database: 'latin' })]);
    expect(code).toBe(1);
    const create = "CREATE DATABASE food ENCODING 'UTF8'";
    expect(stderr).toContain(`its encoding is LATIN1. Create one with UTF8: ${create}`);
  });
});
