/** Proxies in front of PostgreSQL, configured as in the documentation. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { parsePostgresUrl } from '#postgres';
import { PostgresCatalog } from '../../src/postgres/postgres-catalog.ts';
import { temporaryFolder } from '../support/files.ts';
import { freePort } from '../support/free-port.ts';
import { ACCOUNT, PASSWORD, Postgres, urlOf } from '../support/postgres.ts';
import { load } from '../support/postgres-catalog.ts';
import { end } from '../support/programs.ts';
import { describeWithPostgres, describeWithPrograms } from '../support/requirements.ts';
import { answersOf, byWords, SearchLoop } from '../support/search-loop.ts';
import { ask, memoryCatalogOf, startService, TEST_LABEL } from '../support/service.ts';
import { starterFoods } from '../support/starter-foods.ts';

const folder = temporaryFolder();
const HAPROXY = 'haproxy';
const PGBOUNCER = 'pgbouncer';

describeWithPostgres('behind a proxy', () => {
  let primary: Postgres;
  let standby: Postgres;
  let answers: Map<string, string[]>;
  let proxy: ChildProcess | undefined;

  beforeAll(async () => {
    await chmod(folder.path('.'), 0o755);
    primary = await Postgres.start();
    standby = await primary.standby();
    await primary.query(`CREATE ROLE food_reader LOGIN PASSWORD '${PASSWORD}'`);
    const foods = await starterFoods();
    await load(primary.url(), foods, TEST_LABEL);
    const searches = ['e', 'egg', 'milk', 'ing', ' ', 'zzz', byWords('whole mlik'), byWords('egg')];
    answers = answersOf(await memoryCatalogOf(foods), searches);
  });
  afterEach(() => proxy && end(proxy, () => proxy?.kill('SIGKILL')));
  afterAll(async () => await Promise.all([standby, primary].map((server) => server.remove())));

  async function under(port: number, work: () => Promise<void>) {
    const url = parsePostgresUrl(urlOf([{ port }], '?pool_max_conns=4'));
    const catalog = await PostgresCatalog.open(url, 5000);
    const service = await startService(catalog);
    const asking = new SearchLoop((target) => ask(service, target), answers, 3);
    await pause(500);
    await work();
    const result = await asking.stop();
    await service.close();
    await catalog.close();
    expect(result.wrong).toEqual([]);
    expect(result.requests).toBeGreaterThan(0);
    return result;
  }

  describeWithPrograms(HAPROXY)('as in deploy/cluster, with the check for servers without Patroni,', () => {
    test('no request fails when a standby is killed', async () => {
      const port = await freePort();
      let config = await readFile('deploy/cluster/haproxy.cfg', 'utf8');
      for (const [from, to] of [
        [/\nlisten food_primary[\s\S]*/, '\n'],
        [/option httpchk .*|http-check .*/g, ''],
        ['bind 127.0.0.1:5433', `bind 127.0.0.1:${port}\n    option pgsql-check user food_reader`],
        ['port 8008 ', ''],
        ['db1.example:5432', `127.0.0.1:${standby.port}`],
        ['db2.example:5432', `127.0.0.1:${primary.port} backup`],
        [/.*db3.example:5432.*/, ''],
      ] as const) {
        const changed = config.replace(from, to);
        expect(changed, String(from)).not.toBe(config);
        config = changed;
      }
      const file = await folder.write('haproxy.cfg', config);
      proxy = spawn(HAPROXY, ['-f', file, '-db'], { stdio: 'ignore' });
      const { failed, longest } = await under(port, async () => {
        await standby.end('SIGKILL');
        await pause(3000);
      });
      expect(failed).toBe(0);
      expect(longest).toBeLessThan(3000);
    });
  });

  describeWithPrograms(PGBOUNCER)('PgBouncer', () => {
    test.each(['session', 'transaction'])('no request fails with pools by %s', async (mode) => {
      const port = await freePort();
      const users = await folder.write('users.txt', `"postgres" "${PASSWORD}"\n`);
      const file = await folder.write(
        'pgbouncer.ini',
        `[databases]\npostgres = host=127.0.0.1 port=${primary.port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
          `listen_port = ${port}\nunix_socket_dir =\nauth_type = scram-sha-256\nauth_file = ${users}\n` +
          `pool_mode = ${mode}\ndefault_pool_size = 5\n`,
      );
      proxy = spawn(PGBOUNCER, [file], { ...ACCOUNT, stdio: 'ignore' });
      const { failed } = await under(port, () => pause(300));
      expect(failed).toBe(0);
    });
  });
});
