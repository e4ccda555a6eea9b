/**
 * The shipped units, checked by systemd itself for faults and exposure; and under a real systemd, where they answer in their
 * sandbox, load new data, and end gracefully.
 */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { run } from '../support/command.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { POSTGRES_BINARIES } from '../support/postgres-binaries.ts';
import { describeWhere, describeWithProgram, describeWithPrograms } from '../support/requirements.ts';
import { canHaveMachine, type Machine, startMachine } from '../support/systemd-machine.ts';
import { waitFor } from '../support/wait.ts';

const UNITS = ['food-lookup@.service', 'food-lookup-import.service', 'food-lookup-import.timer'];

/** Of 100: the units need the network, and Node.js compiles code. */
const MOST_EXPOSED = 11;

const ANALYZER = 'systemd-analyze';

describeWithProgram(ANALYZER, () => {
  const folder = temporaryFolder();
  const unit = (name: string) => folder.path(`units/${name}`);

  beforeAll(async () => {
    // systemd reports a missing command as a fault.
    const command = await folder.write('food-lookup', '#!/bin/sh\n');
    await chmod(command, 0o755);
    await mkdir(folder.path('units'));
    for (const name of UNITS) {
      const text = await readFile(`deploy/systemd/${name}`, 'utf8');
      await writeFile(unit(name), text.replace('ExecStart=food-lookup ', `ExecStart=${command} `));
    }
  });

  const analyze = (...args: string[]) => {
    const { status: code, stdout, stderr } = spawnSync(ANALYZER, args, { encoding: 'utf8' });
    return { code, output: stdout + stderr };
  };

  test('all units are valid for systemd', () => {
    expect(analyze('verify', '--man=no', ...UNITS.map(unit))).toEqual({ code: 0, output: '' });
  });

  it.each(UNITS.filter((name) => name.endsWith('.service')))('%s is hardly exposed', (name) => {
    const threshold = `--threshold=${MOST_EXPOSED}`;
    const { code, output } = analyze('security', '--offline=true', '--no-pager', threshold, unit(name));
    expect(code, output).toBe(0);
  });

  test('their commands and settings exist', async () => {
    for (const name of UNITS.slice(0, 2)) {
      const text = await readFile(`deploy/systemd/${name}`, 'utf8');
      const [, command = '', rest = ''] = /^ExecStart=food-lookup (\w+)(.*)$/m.exec(text) ?? [];
      expect(['serve', 'import']).toContain(command);
      const { stdout } = await run([command, '--help']);
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(stdout).toContain(`${flag} `);
      for (const [, variable = ''] of text.matchAll(/^Environment=(\w+)=/gm)) {
        if (!variable.startsWith('PG')) expect(stdout).toContain(`(${variable};`);
      }
    }
  });
});

const page = await readFile('docs/deployment.md', 'utf8');
const BLOCK = /```sh\n([\s\S]*?)```/g;
const [, ofProduction = ''] = (await readFile('docs/operations.md', 'utf8')).split('## Before production');
const [[, checklist = ''] = []] = ofProduction.matchAll(BLOCK);

describeWhere(
  canHaveMachine(),
  'root, systemd, curl, ip (iproute2), and a kernel that lets systemd start in namespaces',
  'systemd',
  () => {
    let machine: Machine;
    beforeAll(async () => {
      machine = await startMachine();
    });
    afterAll(() => machine.close());

    const search = (port: number, text: string) =>
      machine.shell(`curl -s 'http://127.0.0.1:${port}/api/food?q=${text}'`).catch(() => '');
    const answers = (port: number, text: string, expected: string) =>
      waitFor(async () => (await search(port, text)).includes(expected));
    const propertyOf = async (unit: string, name: string) =>
      (await machine.shell(`systemctl show --property=${name} --value ${unit}`)).trim();

    const documentedBlocks = new Set<string>();
    /** Runs the commands of a section of docs/deployment.md, by default the first, in the folder of the release. */
    const documented = (section: string, block = 0) => {
      const blocks = page.split(`# ${section}\n`)[1]?.matchAll(BLOCK) ?? [];
      const [, commands = ''] = Array.from(blocks)[block] ?? [];
      documentedBlocks.add(commands);
      return machine.shell(`set -e; cd /usr/local/lib/food-lookup\n${commands}`);
    };

    test('two processes start and answer', async () => {
      expect(await documented('systemd')).toContain('Egg, whole, raw');
      for (const port of [3001, 3002]) await answers(port, 'quail', 'Quail egg, whole, raw');
    });

    /** The answer that a page gets through the proxy, once that has started. */
    const answersThroughProxy = async () => {
      const curl =
        'curl -s --resolve food.example:443:127.0.0.1 --cacert /etc/ssl/food.example.pem -H "Origin: https://app.example" -i';
      const answer = () => machine.shell(`${curl} "https://food.example/api/food?q=e"`).catch(() => '');
      await expect.poll(answer).toContain('"description":');
      expect(await answer()).toContain('access-control-allow-origin: https://app.example');
    };

    describeWithPrograms('nginx', 'openssl')('nginx', () => {
      test('passes their answers on', async () => {
        await machine.shell('systemctl start nginx');
        await documented('nginx');
        await answersThroughProxy();
      });
    });

    test("they serve the operator's own spreadsheet", async () => {
      await documented('Your own data');
      for (const port of [3001, 3002]) await answers(port, 'rye', 'Rye bread');
    });

    test('they run in a sandbox: no rights, filtered system calls, no writable files, loopback only', async () => {
      const pid = await propertyOf('food-lookup@3001', 'MainPID');
      const status = await machine.shell(`cat /proc/${pid}/status`);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^CapBnd:\t0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(/^Seccomp:\t2$/m);
      expect(status).not.toMatch(/^Uid:\t0/m);
      const user = await machine.shell('id -u food-lookup');
      expect(status).toContain(`Uid:\t${user.trim()}`);
      for (const path of ['/usr/local/lib/food-lookup', '/var/lib', '/etc', '/home']) {
        const written = await machine.shell(`nsenter -t ${pid} -m touch ${path}/written 2>&1 || true`);
        expect(written, path).toMatch(/Read-only file system|Permission denied/);
      }
      const listening = await machine.shell('cat /proc/net/tcp');
      // 127.0.0.1:3001, as the kernel prints it.
      expect(listening).toContain('0100007F:0BB9');
      expect(listening).not.toContain('00000000:0BB9');
    });

    test('the import writes an index that the processes read, and load again when it is replaced', async () => {
      const write = (name: string) =>
        machine.shell(`printf '${HEADER}\\n${name},1,2,3,4,5,6\\n' > /etc/foods.csv`);
      await write('Soup of the day');
      // Replaces the downloads, because there is no network.
      await machine.shell(`mkdir /etc/systemd/system/food-lookup-import.service.d
printf '[Service]\\nExecStart=\\nExecStart=food-lookup import /etc/foods.csv --to /var/lib/food-lookup/foods.idx\\n' > /etc/systemd/system/food-lookup-import.service.d/local.conf
echo > /etc/food-lookup.env
systemctl daemon-reload`);
      await documented('New data every night');
      for (const port of [3001, 3002]) await answers(port, 'soup', 'Soup of the day');
      const pid = await propertyOf('food-lookup@3001', 'MainPID');
      await write('Stew of the night');
      await machine.shell('systemctl start food-lookup-import');
      for (const port of [3001, 3002]) await answers(port, 'stew', 'Stew of the night');
      expect(await propertyOf('food-lookup@3001', 'MainPID'), 'the same process').toBe(pid);
    });

    test('the timer runs at night', async () => {
      const next = await propertyOf('food-lookup-import.timer', 'NextElapseUSecRealtime');
      expect(next).toMatch(/ 0[34]:\d\d:\d\d /);
    });

    test('a killed process is restarted', async () => {
      const pid = await propertyOf('food-lookup@3001', 'MainPID');
      await machine.shell(`kill -9 ${pid}`);
      await answers(3001, 'stew', 'Stew');
      expect(await propertyOf('food-lookup@3001', 'MainPID')).not.toBe(pid);
      expect(await propertyOf('food-lookup@3001', 'NRestarts')).toBe('1');
    });

    test('a stopped process ends gracefully', async () => {
      await machine.shell('systemctl reload food-lookup@3002 && systemctl stop food-lookup@3002');
      expect(await propertyOf('food-lookup@3002', 'Result')).toBe('success');
      expect(await propertyOf('food-lookup@3002', 'ExecMainStatus')).toBe('0');
    });

    describeWithPrograms('nginx', 'openssl')('behind nginx', () => {
      test('an upgrade and a rollback lose no request', async () => {
        const versionOf = (port: number) =>
          machine.shell(
            `curl -s 127.0.0.1:${port}/metrics | sed -n 's/^food_lookup_build_info.*"\\(.*\\)".*/\\1/p'`,
          );
        await machine.shell(`set -e; cd /usr/local/lib/food-lookup
tar -xzf $(npm pack --ignore-scripts --offline)
for version in 2.0.0 2.0.1; do
  sed -i "s/\\"version\\": .*/\\"version\\": \\"$version\\",/" package/package.json && tar -czf food-lookup-$version.tgz package
done
systemctl start food-lookup@3002`);
        await documented('A release on a machine');
        await machine.shell('systemctl restart food-lookup@3001 food-lookup@3002');
        for (const port of [3001, 3002]) await answers(port, 'stew', 'Stew');
        await machine.shell(`for client in 1 2 3 4; do
  (i=0; until [ -e /tmp/enough ]; do
    for path in "api/food?q=$client-$((i++))" ""; do
      curl -s -o /dev/null -w '%{http_code}\\n' --resolve food.example:443:127.0.0.1 --cacert /etc/ssl/food.example.pem "https://food.example/$path"
    done; sleep 0.1
  done >> /tmp/codes) > /dev/null 2>&1 &
done`);
        const seen: string[] = [];
        for (const block of [0, 1]) {
          await documented('Upgrade, rollback, backup', block);
          for (const port of [3001, 3002]) seen.push((await versionOf(port)).trim());
        }
        expect(seen).toEqual(['2.0.1', '2.0.1', '2.0.0', '2.0.0']);
        const codes = (await machine.shell('touch /tmp/enough; sleep 1; cat /tmp/codes')).trim().split('\n');
        expect(codes.filter((code) => code !== '200')).toEqual([]);
        expect(codes.length).toBeGreaterThan(100);
      });
    });

    test('a backup has the settings and the sources', async () => {
      await documented('Upgrade, rollback, backup', 2);
      const names = await machine.shell('tar -tf /root/food-lookup.tar.gz');
      for (const name of ['etc/food-lookup.env', 'system/food-lookup@.service', 'food-lookup/foods.xlsx'])
        expect(names).toContain(name);
    });

    const beforeProduction = describeWithPrograms('nginx', 'openssl', 'promtool');
    beforeProduction('before production,', () =>
      test('each command of the checklist prints what it must', async () => {
        await machine.shell(`echo ALLOWED_ORIGIN=https://app.example >> /etc/food-lookup.env
echo 127.0.0.1 food.example >> /etc/hosts
systemctl restart food-lookup@3001 food-lookup@3002`);
        for (const port of [3001, 3002]) await answers(port, 'stew', 'Stew');
        const lines = checklist.trim().split('\n');
        expect(lines.length).toBeGreaterThan(10);
        const trust =
          'export CURL_CA_BUNDLE=/etc/ssl/food.example.pem NODE_EXTRA_CA_CERTS=/etc/ssl/food.example.pem';
        for (const line of lines) {
          const [, command = '', printed = ''] = /^(.*?) +# (.*?): /.exec(line) ?? [];
          const here = `${trust}; cd /usr/local/lib/food-lookup`;
          const output = await machine.shell(`${here}; ${command} 2>&1 || true`);
          expect.soft(output, command).toContain(printed);
        }
      }),
    );

    test('an instance has settings of its own', async () => {
      await machine.shell(
        'echo OPERATIONS_PORT=9001 > /etc/food-lookup@3001.env && systemctl restart food-lookup@3001 food-lookup@3002',
      );
      for (const port of [3001, 3002]) await answers(port, 'stew', 'Stew');
      const ready = (port: number) => machine.shell(`curl -s 127.0.0.1:${port}/health/ready`);
      for (const port of [9001, 3002]) expect(JSON.parse(await ready(port))).toMatchObject({ foods: 1 });
    });

    test('they reach a database over its socket, with the password in a file', async () => {
      const binaries = POSTGRES_BINARIES.replace(process.cwd(), '/usr/local/lib/food-lookup');
      await machine.shell(`set -e; cp -a ${binaries} /opt/postgres; cd /opt/postgres; ldconfig -n lib
install -d -o nobody -m 755 /run/postgresql; install -d -o nobody -m 700 /opt/data
as_nobody() { runuser -u nobody -- "$@"; }
as_nobody bin/initdb -D /opt/data -U postgres -A trust -E UTF8 --locale C --no-sync
printf 'local all food_reader scram-sha-256\\nlocal all all trust\\n' > /opt/data/pg_hba.conf
echo 'CREATE DATABASE food' | as_nobody bin/postgres --single -D /opt/data postgres
as_nobody bin/postgres --single -D /opt/data food <<'SQL'
CREATE ROLE food_reader LOGIN PASSWORD 'PASSWORD'
CREATE SCHEMA food_lookup
GRANT USAGE ON SCHEMA food_lookup TO food_reader
ALTER DEFAULT PRIVILEGES IN SCHEMA food_lookup GRANT SELECT ON TABLES TO food_reader
SQL
systemd-run --unit=postgres --uid=nobody /opt/postgres/bin/postgres -D /opt/data -k /run/postgresql
until [ -S /run/postgresql/.s.PGSQL.5432 ]; do sleep 0.1; done
printf '${HEADER}\\nPea soup,1,2,3,4,5,6\\n' > /etc/peas.csv
food-lookup import /etc/peas.csv --to 'postgres://postgres@/food?host=/run/postgresql'`);
      await documented('Data in PostgreSQL');
      for (const port of [3001, 3002]) await answers(port, 'pea', 'Pea soup');
    });

    const withHaproxy = describeWithPrograms('nginx', 'openssl', 'haproxy');
    withHaproxy('HAProxy', () =>
      test('passes their answers on', async () => {
        // There is no log to which the unit of Debian could bind.
        await machine.shell(`set -e; systemctl stop nginx
mkdir -p /run/haproxy /etc/systemd/system/haproxy.service.d
printf '[Service]\\nBindReadOnlyPaths=\\n' > /etc/systemd/system/haproxy.service.d/local.conf
systemctl daemon-reload && systemctl start haproxy
cp /etc/ssl/food.example.pem /etc/ssl/private/food.example.key /usr/local/lib/food-lookup`);
        await documented('HAProxy');
        await answersThroughProxy();
        // It is the last: of docs/deployment.md, only containers are left.
        const blocks = Array.from(page.matchAll(BLOCK), ([, commands = '']) => commands);
        const left = blocks.filter((each) => !documentedBlocks.has(each));
        expect(left).toEqual([expect.stringMatching(/^docker /)]);
      }),
    );
  },
);
