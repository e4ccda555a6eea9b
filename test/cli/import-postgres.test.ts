/** Imports into PostgreSQL, as the command does them: whole or not at all, by roles that may do no more than they must. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { expect, it, test } from 'vitest';
import { Corpus } from '../../bench/tools/corpus.ts';
import { PostgresTarget } from '../../src/catalogs/postgres/load.ts';
import { readCsv } from '../../src/readers/tables/csv.ts';
import { parsePostgresUrl } from '../../src/settings/postgres-url.ts';
import { collect } from '../support/collect.ts';
import { MAIN, run, serve } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { PASSWORD } from '../support/postgres.ts';
import { newDatabase, postgres } from '../support/postgres-catalog.ts';
import { describeWithPostgres } from '../support/requirements.ts';
import { waitFor } from '../support/wait.ts';

/** Moments at which an import is killed; more with KILLS=100. */
const KILLS = Number(process.env.KILLS ?? 3);

const STARTER = 'data/starter-foods.csv';
const HEADER = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';
const SECRET = encodeURIComponent(PASSWORD);
const folder = temporaryFolder();

/** What is in a database, by name. */
async function tablesOf(url: string): Promise<string[]> {
  const client = await (await postgres()).client(new URL(url).pathname.slice(1));
  const { rows } = await client.query(
    "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace('food_lookup') AND relkind IN ('r', 'i') ORDER BY 1",
  );
  await client.end();
  return rows.map(({ relname }) => String(relname).replace(/\d+/, 'N'));
}

const WHOLE = ['data_set', 'data_set_pkey', 'foods_N', 'foods_N_pkey', 'texts_N', 'texts_N_pkey'];

async function sql(url: string, ...statements: string[]): Promise<void> {
  const client = await (await postgres()).client(new URL(url).pathname.slice(1));
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** As another role. */
function as(url: string, user: string, password: string): string {
  const address = new URL(url);
  address.username = user;
  address.password = password;
  return address.href;
}

describeWithPostgres('food-lookup import --to postgres://', () => {
  test('puts a data set there that is served, searched and inspected like its source', async () => {
    const url = await newDatabase();
    const { code, stdout, stderr } = await run(['import', STARTER, '--to', url, '--name', 'My foods']);
    expect(stderr).toContain('comparing answers\n');
    expect(stdout).toMatch(
      /\npostgres:\/\/127\.0\.0\.1:\d+\/test_\d+: 1,077 foods, \d\.\d MB, in \d+ s\nTo serve it: /,
    );
    expect(code).toBe(0);
    expect(await tablesOf(url)).toEqual(WHOLE);

    const service = await serve([], { FOOD_DATA: url });
    expect(service.greeting).toContain('My foods: 1,077 foods');
    const answer = await (await fetch(`${service.url}/api/food?q=milk`)).text();
    expect(await service.stop()).toBe(0);
    expect((await run(['search', 'milk', '--json', '--food-data', STARTER])).stdout).toBe(`${answer}\n`);
    expect((await run(['search', 'milk', '--json', '--food-data', url])).stdout).toBe(`${answer}\n`);

    const file = folder.path('same.idx');
    await run(['import', STARTER, '--to', file, '--name', 'My foods']);
    const [inDatabase, inFile] = await Promise.all(
      [url, file].map(async (data) => JSON.parse((await run(['inspect', data, '--json'])).stdout)),
    );
    expect({ ...inDatabase, bytes: 0 }).toEqual({ ...inFile, bytes: 0 });
    expect(`${stdout}${stderr}${service.greeting}${service.errors()}`).not.toContain(SECRET);
  });

  test('keeps the password from the list of processes, the report and every message', async () => {
    const url = await newDatabase();
    const child = spawn(process.execPath, [
      MAIN,
      'import',
      '-',
      '--to',
      url,
      '--report',
      folder.path('report.json'),
    ]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)));
    await waitFor(async () =>
      (await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).startsWith('food-lookup'),
    );
    expect(await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(SECRET);
    child.stdin.end(`${HEADER}\nEgg,1,2,3,4,5,6\n`);
    expect(await once(child, 'exit')).toEqual([0, null]);
    output += await readFile(folder.path('report.json'), 'utf8');
    const elsewhere = url.replace(/:\d+\//, ':1/');
    for (const args of [
      ['search', 'egg', '--food-data', elsewhere],
      ['search', 'egg', '--food-data', as(url, 'postgres', `${PASSWORD}!`)],
      ['import', STARTER, '--to', elsewhere],
      ['import', STARTER, '--to', url.replace('@', '/more@')],
      ['serve', '--food-data', url.replace('@', '/more@')],
      ['inspect', `${url}?password=${SECRET}`],
      ['inspect', elsewhere],
      ['verify', url],
      ['import', url, '--to', folder.path('x.idx')],
      ['import', 'usda:foundation', '--url', url, '--to', folder.path('x.idx')],
      ['import', STARTER, '--to', url.replace('postgres', 'mysql')],
      ['inspect', url.replace('postgres', 'POSTGRES')],
      ['serve', '--food-data', url.replace('postgres', 'mysql')],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^food-lookup: [^\n]+\n$/);
      output += stderr;
    }
    expect(output).not.toContain(SECRET);
    expect(output).not.toContain(PASSWORD);
  });

  it.each(['postgresql//u:SECRET@127.0.0.1/db?passwrd=SECRET', 'postgres://127.0.0.1:1/db?passwrd=SEC@RET'])(
    'never shows the secret of an address that is mistyped: %s',
    async (address) => {
      const target = folder.path('none.idx');
      const replies = await Promise.all(
        [
          ['serve', '--food-data', address],
          ['search', 'egg', '--food-data', address],
          ['import', STARTER, '--to', address],
          ['import', address, '--to', target],
          ['import', 'usda:foundation', '--url', address, '--to', target],
          ['inspect', address],
          ['verify', address],
          ['serve', `--food-dat=${address}`],
          [address],
        ].map((args) => run(args)),
      );
      for (const { code, stdout, stderr } of replies) {
        expect({ code, stdout }, stderr).toEqual({ code: 1, stdout: '' });
        expect(stderr).not.toMatch(/SEC|RET/);
      }
      expect((await run(['serve'], { FOOD_DATA: address })).stderr).not.toMatch(/SEC|RET/);
    },
  );

  test('hides the command line before any of its libraries is read', async () => {
    const order = folder.path('order.txt');
    const hooks = await folder.write(
      'hooks.mjs',
      `import { appendFileSync } from 'node:fs';
      export async function load(url, context, next) {
        if (url.startsWith('file:')) appendFileSync(${JSON.stringify(order)}, url.split('/').at(-1) + '\\n');
        return next(url, context);
      }`,
    );
    const preload = await folder.write(
      'preload.mjs',
      `import { appendFileSync } from 'node:fs';
      import { register } from 'node:module';
      register(${JSON.stringify(pathToFileURL(hooks).href)});
      Object.defineProperty(process, 'title', {
        set: () => appendFileSync(${JSON.stringify(order)}, 'hidden\\n'),
      });`,
    );
    const environment = { NODE_OPTIONS: `--import=${pathToFileURL(preload).href}` };
    await run(['inspect', 'postgres//u:SECRET@h/db'], environment);
    const read = (await readFile(order, 'utf8')).split('\n');
    expect(read.slice(0, 3)).toEqual(['main.js', 'hidden', 'program.js']);
  });

  test.skipIf(process.platform === 'win32')('takes the password from a file of passwords', async () => {
    const url = await newDatabase();
    const { port, pathname } = new URL(url);
    const address = url.replace(/:[^:@]+@/, '@');
    const file = await folder.write('passwords', `127.0.0.1:${port}:other:postgres:wrong\n`);
    await appendFile(file, `127.0.0.1:${port}:${pathname.slice(1)}:postgres:${PASSWORD}\n`);
    await chmod(file, 0o600);
    const environment = { PGPASSFILE: file };
    const small = await folder.write('one.csv', `${HEADER}\nEgg,1,2,3,4,5,6\n`);
    expect(await run(['import', small, '--to', address], environment)).toMatchObject({ code: 0 });
    const service = await serve([], { FOOD_DATA: address, ...environment });
    expect((await fetch(`${service.url}/api/food?q=egg`)).status).toBe(200);
    expect(service.errors()).not.toContain('Warning');
    await service.stop();

    const none = await run(['search', 'egg', '--food-data', address], { PGPASSFILE: folder.path('none') });
    expect(none).toMatchObject({ code: 1, stdout: '' });
    expect(none.stderr).toContain(
      'the server wants a password; give it by PGPASSWORD, by a line in ~/.pgpass',
    );
    expect((await run(['search', 'egg', '--food-data', address], { PGPASSWORD: PASSWORD })).code).toBe(0);
  });

  test('replaces a data set under a running service, which notices it within a second and mixes nothing', async () => {
    const url = await newDatabase();
    const before = await folder.write(
      'before.csv',
      `${HEADER}\n${Array.from({ length: 300 }, (_, i) => `"Egg, old ${i}",1,2,3,4,5,6`).join('\n')}\n`,
    );
    const after = await folder.write(
      'after.csv',
      `${HEADER}\n${Array.from({ length: 300 }, (_, i) => `"Egg, new ${i}",1,2,3,4,5,6`).join('\n')}\n`,
    );
    await run(['import', before, '--to', url]);
    const service = await serve([], { FOOD_DATA: url });
    const tags = new Map<string, Set<string>>();
    let isOver = false;
    let switchedAt = 0;
    const asking = (async () => {
      for (let i = 0; !isOver; i++) {
        const response = await fetch(
          `${service.url}/api/food?q=${['egg', 'e', 'gg', 'egg%2C', 'zzz'][i % 4]}`,
        );
        const body = await response.text();
        expect(response.status, body).toBe(200);
        const kinds = [...new Set(body.match(/old|new/g))];
        expect(kinds).toHaveLength(1);
        const [kind = ''] = kinds;
        if (kind === 'new' && switchedAt === 0) switchedAt = Date.now();
        const tag = response.headers.get('etag')?.split('-')[0] ?? '';
        tags.set(kind, (tags.get(kind) ?? new Set()).add(tag));
      }
    })();
    const { code } = await run(['import', after, '--to', url]);
    const ended = Date.now();
    expect(code).toBe(0);
    isOver = true;
    await asking;
    await service.stop();
    // The import went on for 2 s after its switch, to remove the old tables.
    expect(ended - switchedAt).toBeGreaterThan(1000);
    expect([...tags.keys()]).toEqual(['old', 'new']);
    const [[old], [fresh]] = [...tags.values()].map((each) => [...each]) as [[string], [string]];
    expect([...tags.values()].map((each) => each.size)).toEqual([1, 1]);
    expect(old).not.toBe(fresh);
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('leaves nothing behind where it fails, whatever fails', async () => {
    const url = await newDatabase();
    const broken = await folder.write('broken.csv', `${HEADER}\nEgg,1,2,3,4,5,6\nMilk,x,2,3,4,5,6\n`);
    expect((await run(['import', broken, '--to', url])).code).toBe(1);
    expect(await tablesOf(url)).toEqual([]);
    const empty = await folder.write('empty.csv', `${HEADER}\n`);
    expect((await run(['import', empty, '--to', url])).stderr).toContain('it holds not a single food');
    expect(await tablesOf(url)).toEqual([]);

    // The server ends the connection while rows arrive.
    const target = await PostgresTarget.open(parsePostgresUrl(url));
    const { IndexBuilder } = await import('../../src/search/index-builder.ts');
    const builder = new IndexBuilder();
    for await (const food of readCsv(STARTER)) builder.add(food);
    const label = { name: 'x', date: '2026', source: null, licence: null, leftOut: 0 };
    const loading = target.load(builder.finish(), label, (phase) => {
      if (phase === 'checks')
        void sql(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'food-lookup'",
        );
    });
    await expect(loading).rejects.toThrow(/What was served before is unchanged; import again\.$/);
    await target.close();
    expect(await tablesOf(url)).toEqual([]);
  });

  test('of more foods that share their beginning than a row holds', async () => {
    const url = await newDatabase();
    const names = Array.from(
      { length: 2100 },
      (_, i) =>
        `"Cheese, pasteurized process, American, without added vitamin D, low sodium ${i}",1,2,3,4,5,6`,
    );
    const file = await folder.write('alike.csv', [HEADER, ...names, 'Milk,1,2,3,4,5,6', ''].join('\n'));
    expect(await run(['import', file, '--to', url])).toMatchObject({ code: 0 });
    const { stdout } = await run(['search', 'milk', '--json', '--food-data', url]);
    expect(JSON.parse(stdout)).toHaveLength(1);
  });

  it.each([
    'idle_session_timeout',
    'idle_in_transaction_session_timeout',
    'statement_timeout',
    'lock_timeout',
    'transaction_timeout',
  ])('outlives %s of its role, which is shorter than its sources take to read', async (limit) => {
    const url = await newDatabase();
    const role = `hasty_${limit}`;
    await sql(
      url,
      `CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'x'`,
      `ALTER ROLE ${role} SET ${limit} = '100ms'`,
    );
    const child = spawn(process.execPath, [MAIN, 'import', '-', '--to', as(url, role, 'x')]);
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const session = `SELECT pid FROM pg_stat_activity WHERE usename = '${role}' AND query ~ 'advisory' AND state = 'idle'`;
    await waitFor(async () => (await (await postgres()).query(session)).length === 1);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await (await postgres()).query(session)).toHaveLength(1);
    child.stdin.end(await readFile(STARTER));
    expect(await once(child, 'exit'), errors).toEqual([0, null]);
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('connects again where its connection is lost while the sources are read', async () => {
    const url = await newDatabase();
    const child = spawn(process.execPath, [MAIN, 'import', '-', '--to', url]);
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const database = new URL(url).pathname.slice(1);
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND query ~ 'advisory'`;
    await waitFor(async () => (await (await postgres()).query(end)).length === 1);
    child.stdin.end(`${HEADER}\nEgg,1,2,3,4,5,6\n`);
    expect(await once(child, 'exit'), errors).toEqual([0, null]);
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('mends a spoiled row of the data set, and leaves the tables that services still read until then', async () => {
    const url = await newDatabase();
    const small = await folder.write('small.csv', `${HEADER}\nEgg,1,2,3,4,5,6\n`);
    await run(['import', small, '--to', url]);
    const service = await serve([], { FOOD_DATA: url });
    await sql(url, "UPDATE food_lookup.data_set SET facts = 'garbage', generation = 9223372036854775807");
    let isOver = false;
    const asking = (async () => {
      for (let i = 0; !isOver; i++) {
        expect((await fetch(`${service.url}/api/food?q=egg&n=${i}`)).status).toBe(200);
      }
    })();
    expect(await run(['import', STARTER, '--to', url])).toMatchObject({ code: 0 });
    await waitFor(async () => {
      const answer = await fetch(`${service.url}/api/food?q=milk`);
      return answer.status === 200 && ((await answer.json()) as unknown[]).length > 0;
    });
    isOver = true;
    await asking;
    await service.stop();
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('killed at any moment leaves the old data set or the new one, and the next import clears up', {
    timeout: 60_000 + KILLS * 5000,
  }, async () => {
    const url = await newDatabase();
    const vocabulary = (await collect(readCsv(STARTER))).map((food) => food.description);
    const rows = [...new Corpus(vocabulary).descriptions(20_000, 1)].map(
      (name, i) => `"${name}",${i},2,3,4,5,6`,
    );
    const large = await folder.write('large.csv', [HEADER, ...rows, ''].join('\n'));
    const small = await folder.write('small.csv', `${HEADER}\nEgg,1,2,3,4,5,6\n`);
    await run(['import', small, '--to', url]);
    const started = Date.now();
    await run(['import', large, '--to', await newDatabase()]);
    // Some are killed while the old tables are still there beside the new ones.
    const whole = Date.now() - started + 2000;
    for (let i = 1; i <= KILLS; i++) {
      const child = spawn(process.execPath, [MAIN, 'import', large, '--to', url], { stdio: 'ignore' });
      const timer = setTimeout(() => child.kill('SIGKILL'), (whole * i) / (KILLS + 1));
      await once(child, 'exit');
      clearTimeout(timer);
      const { stdout } = await run(['search', 'egg', '--json', '--food-data', url]);
      expect([1, 100]).toContain(JSON.parse(stdout).length);
    }
    // The server may still hold the lock of the last one for a moment.
    await waitFor(async () => (await run(['import', small, '--to', url])).code === 0);
    expect(await tablesOf(url)).toEqual(WHOLE);
  });

  test('one at a time', async () => {
    const url = await newDatabase();
    const target = await PostgresTarget.open(parsePostgresUrl(url));
    const { code, stderr } = await run(['import', STARTER, '--to', url]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/another import into this database is running\. Wait until it has ended\.\n$/);
    await target.close();
    expect((await run(['import', STARTER, '--to', url])).code).toBe(0);
  });

  test('by the roles of the documentation, which may do no more than they must', async () => {
    const url = await newDatabase();
    const page = await readFile('docs/postgresql.md', 'utf8');
    const roles = /<!-- roles -->\n```sql\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    await sql(url, ...roles.split(/(?<=;)\n/).filter((statement) => statement !== ''));
    const owner = as(url, 'food_owner', 'change me');
    const reader = as(url, 'food_reader', 'change me too');
    expect((await run(['search', 'egg', '--food-data', reader])).stderr).toContain(
      'holds no data set of food-lookup',
    );
    expect((await run(['import', STARTER, '--to', reader])).stderr).toContain(
      'this role may not make tables there. Let an administrator run: GRANT CREATE, USAGE ON SCHEMA food_lookup TO food_reader.',
    );
    expect(await run(['import', STARTER, '--to', owner])).toMatchObject({ code: 0 });
    const service = await serve([], { FOOD_DATA: reader });
    // A second data set has tables of its own, which the reader must be able to read as well.
    expect(await run(['import', STARTER, '--to', owner, '--name', 'again'])).toMatchObject({ code: 0 });
    const answer = await fetch(`${service.url}/api/food?q=egg`);
    expect(answer.status).toBe(200);
    expect(await service.stop()).toBe(0);
    const client = await (await postgres()).client(
      new URL(url).pathname.slice(1),
      'food_reader',
      'change me too',
    );
    for (const statement of [
      'CREATE TABLE food_lookup.x ()',
      'DELETE FROM food_lookup.data_set',
      'CREATE TABLE x ()',
      'CREATE SCHEMA x',
    ]) {
      await expect(client.query(statement), statement).rejects.toThrow(/permission denied/);
    }
    await client.end();
    await sql(url, 'REVOKE ALL ON ALL TABLES IN SCHEMA food_lookup FROM food_reader');
    expect((await run(['serve', '--food-data', reader])).stderr).toMatch(
      /permission denied for table data_set; let its owner run: GRANT USAGE ON SCHEMA food_lookup TO ROLE; GRANT SELECT ON ALL TABLES/,
    );
  });

  it.each([
    [
      'UPDATE food_lookup.data_set SET version = 99',
      /its tables are of version 99, and this program reads version 1; import again/,
      /its tables are of version 99; this program writes version 1\./,
    ],
    ['DELETE FROM food_lookup.data_set', /holds no data set of food-lookup; make one/, undefined],
    ['DROP SCHEMA food_lookup CASCADE', /holds no data set of food-lookup; make one/, undefined],
  ])('after %s, says so', async (statement, read, write) => {
    const url = await newDatabase();
    const small = await folder.write('few.csv', `${HEADER}\nEgg,1,2,3,4,5,6\n`);
    await run(['import', small, '--to', url]);
    await sql(url, statement);
    const served = await run(['serve', '--food-data', url]);
    expect(served).toMatchObject({ code: 1, stdout: '' });
    expect(served.stderr).toMatch(read);
    expect((await run(['inspect', url])).code).toBe(1);
    const { code, stderr } = await run(['import', small, '--to', url]);
    expect(code).toBe(write === undefined ? 0 : 1);
    if (write !== undefined) expect(stderr).toMatch(write);
  });

  test('refuses a database of another encoding, with the statement that makes one', async () => {
    const server = await postgres();
    await server.query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    const { code, stderr } = await run(['import', STARTER, '--to', server.url({ database: 'latin' })]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "its encoding is LATIN1. Make one with UTF8: CREATE DATABASE food ENCODING 'UTF8'",
    );
  });
});
