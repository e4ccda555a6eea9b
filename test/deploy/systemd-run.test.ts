/** The units that ship, started by a real systemd: they answer in their cage, take over new data, and end in order. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeWhere } from '../support/requirements.ts';
import { canHaveMachine, type Machine, startMachine } from '../support/systemd-machine.ts';
import { waitFor } from '../support/wait.ts';

const page = await readFile('docs/deployment.md', 'utf8');
const HEADER = 'description,kcal,protein_g,carbohydrate_g,fa_sat_g,fa_mono_g,fa_poly_g';

describeWhere(
  canHaveMachine(),
  'root, systemd and a kernel that lets it be started in namespaces',
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

    /** Runs the first commands of a section of docs/deployment.md in the folder of the release. */
    const documented = (section: string) => {
      const [, commands = ''] = page.split(`# ${section}\n`)[1]?.match(/```sh\n([\s\S]*?)```/) ?? [];
      return machine.shell(`set -e; cd /usr/local/lib/food-lookup\n${commands}`);
    };

    test('two processes start and answer', async () => {
      expect(await documented('systemd')).toContain('Egg, whole, raw');
      for (const port of [3001, 3002]) await answers(port, 'quail', 'Quail egg, whole, raw');
    });

    test('nginx answers in front of them', async () => {
      await machine.shell('systemctl start nginx');
      await documented('nginx');
      const curl =
        'curl -s --resolve food.example:443:127.0.0.1 --cacert /etc/ssl/food.example.pem -H "Origin: https://app.example" -i';
      // nginx reloads its configuration in the background.
      const answer = () => machine.shell(`${curl} "https://food.example/api/food?q=quail"`).catch(() => '');
      await expect.poll(answer).toContain('Quail egg, whole, raw');
      expect(await answer()).toContain('access-control-allow-origin: https://app.example');
    });

    test("they serve the operator's own spreadsheet", async () => {
      await documented('Your own data');
      for (const port of [3001, 3002]) await answers(port, 'rye', 'Rye bread');
    });

    test('in a cage: no rights, a filter of system calls, nothing to write, on loopback alone', async () => {
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
      // 3001 on 127.0.0.1, as the kernel writes it.
      expect(listening).toContain('0100007F:0BB9');
      expect(listening).not.toContain('00000000:0BB9');
    });

    test('the import makes an index that the processes then read, and take over when it is made anew', async () => {
      const importFoods = (name: string) =>
        machine.shell(
          `printf '${HEADER}\\n${name},1,2,3,4,5,6\\n' > /etc/foods.csv && systemctl start food-lookup-import`,
        );
      // In place of the downloads: there is no network.
      await machine.shell(`mkdir /etc/systemd/system/food-lookup-import.service.d
printf '[Service]\\nExecStart=\\nExecStart=food-lookup import /etc/foods.csv --to /var/lib/food-lookup/foods.idx\\n' > /etc/systemd/system/food-lookup-import.service.d/local.conf
echo FOOD_DATA=/var/lib/food-lookup/foods.idx > /etc/food-lookup.env
systemctl daemon-reload`);
      await importFoods('Soup of the day');
      await machine.shell('systemctl restart food-lookup@3001 food-lookup@3002');
      for (const port of [3001, 3002]) await answers(port, 'soup', 'Soup of the day');
      const pid = await propertyOf('food-lookup@3001', 'MainPID');
      await importFoods('Stew of the night');
      for (const port of [3001, 3002]) await answers(port, 'stew', 'Stew of the night');
      expect(await propertyOf('food-lookup@3001', 'MainPID'), 'the same process').toBe(pid);
    });

    test('the timer is set for the night', async () => {
      await machine.shell('systemctl enable --now food-lookup-import.timer');
      expect(await propertyOf('food-lookup-import.timer', 'NextElapseUSecRealtime')).toMatch(
        / 0[34]:\d\d:\d\d /,
      );
    });

    test('what is killed is started again', async () => {
      const pid = await propertyOf('food-lookup@3001', 'MainPID');
      await machine.shell(`kill -9 ${pid}`);
      await answers(3001, 'stew', 'Stew');
      expect(await propertyOf('food-lookup@3001', 'MainPID')).not.toBe(pid);
      expect(await propertyOf('food-lookup@3001', 'NRestarts')).toBe('1');
    });

    test('a stop ends it in order', async () => {
      await machine.shell('systemctl reload food-lookup@3002 && systemctl stop food-lookup@3002');
      expect(await propertyOf('food-lookup@3002', 'Result')).toBe('success');
      expect(await propertyOf('food-lookup@3002', 'ExecMainStatus')).toBe('0');
    });
  },
);
