/** The shipped systemd units, checked by systemd itself for faults and exposure. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { beforeAll, expect, it, test } from 'vitest';
import { run } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { describeWithProgram } from '../support/requirements.ts';

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
