/**
 * The built command in Node.js for Windows, under Wine: paths, file names, replaced files, temporary files, and the end of a
 * service. Under Wine, Node.js has neither pipes nor outgoing connections.
 */
import { type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, open, readdir, readFile, symlink } from 'node:fs/promises';
import { resolve } from 'node:path';
import initSqlJs from 'sql.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIN } from '../support/command.ts';
import { temporaryFolder } from '../support/files.ts';
import { execute } from '../support/programs.ts';
import {
  describeWithWine,
  WINDOWS_LIBRARIES,
  WINDOWS_NODE,
  WINE,
  WINE_SERVER,
} from '../support/requirements.ts';
import { waitFor } from '../support/wait.ts';

/** Node.js needs a source of random numbers and a recent Windows. These files save running Wine's installer for ten seconds. */
const MACHINE = String.raw`WINE REGISTRY Version 2
#arch=win64
[Software\\Microsoft\\Cryptography\\Defaults\\Provider Types\\Type 001]
"Name"="Strong"
[Software\\Microsoft\\Cryptography\\Defaults\\Provider\\Strong]
"Image Path"="rsaenh.dll"
"Type"=dword:00000001
`;
const USER = String.raw`WINE REGISTRY Version 2
#arch=win64
[Software\\Wine]
"Version"="win10"
`;

/** Most Windows users may not create symbolic links. Wine creates none, but reports success. */
const WITHOUT_LINKS = `require('fs/promises').symlink = async () => {
  throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
};
require('module').syncBuiltinESMExports();
`;

const CSV = 'description,kcal,protein,carbs,fat\r\nEgg,143,12.5,0.7,9.5\r\nKäse,350,25,1,27\r\n';

describeWithWine('on Windows', () => {
  const folder = temporaryFolder();
  const environment = () => ({
    WINEPREFIX: folder.path(''),
    WINESERVER: WINE_SERVER,
    WINEDEBUG: '-all',
    NODE_OPTIONS: '--require C:/without-links.cjs',
  });
  let runs = 0;

  beforeAll(async () => {
    for (const name of ['dosdevices', 'drive_c/windows/temp', 'drive_c/Meine Daten'])
      await mkdir(folder.path(name), { recursive: true });
    await symlink('../drive_c', folder.path('dosdevices/c:'));
    await symlink('/', folder.path('dosdevices/z:'));
    await symlink(WINDOWS_LIBRARIES, folder.path('drive_c/windows/system32'));
    await folder.write('.update-timestamp', 'disable');
    await folder.write('system.reg', MACHINE);
    await folder.write('user.reg', USER);
    await folder.write('drive_c/without-links.cjs', WITHOUT_LINKS);
    await folder.write('drive_c/Meine Daten/Käse und Eier.csv', CSV);
    const db = new (await initSqlJs()).Database();
    db.exec(
      "CREATE TABLE foods (description, kcal, protein, carbs, fat); INSERT INTO foods VALUES ('Duck egg', 185, 13, 1, 11)",
    );
    await folder.write('drive_c/foods.sqlite', db.export());
  });
  afterAll(() => execute(WINE_SERVER, ['-k'], { env: environment() }).catch(() => {}));

  /** Starts a Windows program. Its output goes to a file, because Wine has no pipes for it. */
  async function startIn(cwd: string, ...program: string[]) {
    const path = folder.path(`output-${++runs}`);
    const file = await open(path, 'a');
    const stdio: StdioOptions = ['ignore', file.fd, file.fd];
    const child = spawn(WINE, program, { cwd, env: environment(), stdio });
    const ended = once(child, 'exit').then(([code]) => code as number | null);
    await file.close();
    return { child, ended, output: () => readFile(path, 'utf8') };
  }

  const start = (...args: string[]) =>
    startIn(folder.path('drive_c/Meine Daten'), WINDOWS_NODE, `Z:${resolve(MAIN)}`, ...args);

  async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
    const { ended, output } = await start(...args);
    return { code: await ended, output: await output() };
  }

  test('paths may contain backslashes, spaces and umlauts, and the folder of a new index is synced', async () => {
    const to = ['--to', 'C:\\Meine Daten\\foods.idx'];
    const { code, output } = await run('import', '.\\Käse und Eier.csv', ...to);
    expect(code, output).toBe(0);
    expect(output).toContain('\nTo serve it: food-lookup serve --food-data "C:\\Meine Daten\\foods.idx"\n');
    expect(output).not.toContain('cannot be synced');
  });

  test('scripts that begin with exec also run in cmd', async () => {
    const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: { start: string } };
    expect(scripts.start).toMatch(/^exec node .+ serve$/);
    const script = scripts.start.replace('node', `Z:${WINDOWS_NODE}`.replaceAll('/', '\\'));
    const { ended, output } = await startIn('.', 'cmd', '/d', '/s', '/c', `${script} --help`);
    expect(await ended, await output()).toBe(0);
    expect(await output()).toContain('food-lookup serve');
  });

  test('an import cannot write to the name of a device', async () => {
    const { code, output } = await run('import', 'Käse und Eier.csv', '--to', 'nul');
    expect(code).toBe(1);
    expect(output).toContain('--to "nul": Windows reserves this name');
    const files = await readdir(folder.path('drive_c/Meine Daten'));
    expect(files.toSorted()).toEqual(['Käse und Eier.csv', 'foods.idx']);
  });

  test('a service loads the index that an import replaces, and ends on Ctrl-C', async () => {
    const { child, ended, output } = await start('serve', '--port', '0', '--food-data', 'foods.idx');
    await waitFor(async () => child.exitCode !== null || (await output()).includes('--allowed-origin'));
    expect(child.exitCode, await output()).toBeNull();
    const [, port] = /:(\d+)\//.exec(await output()) ?? [];
    const found = async () => (await fetch(`http://127.0.0.1:${port}/api/food?q=egg`)).text();
    expect(await found()).toContain('"Egg"');
    const imported = await run('import', 'C:/foods.sqlite', '--to', '..\\Meine Daten\\foods.idx');
    expect(imported.code, imported.output).toBe(0);
    await waitFor(async () => (await found()).includes('"Duck egg"'));
    expect(await readdir(folder.path('drive_c/windows/temp'))).toEqual([]);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('the commands of docs/platforms.md run in cmd', async () => {
    for (const name of ['data', 'my data']) await mkdir(folder.path(`drive_c/${name}`));
    await cp('test/files/workbooks/my-foods.xlsx', folder.path('drive_c/data/foods.xlsx'));
    await folder.write('drive_c/my data/foods.csv', CSV);
    const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(await readFile('docs/platforms.md', 'utf8')) ?? [];
    const [serving = '', importing = '', asking = '', ...others] = block.trim().split('\n');
    expect(others).toEqual([]);
    const inCmd = async (line: string, flags = '') => {
      expect(line).toMatch(/^npx food-lookup /);
      const program = `Z:${WINDOWS_NODE} Z:${resolve(MAIN)}`.replaceAll('/', '\\');
      await folder.write('drive_c/line.bat', `@${line.replace('npx food-lookup', program)} ${flags}\r\n`);
      return startIn(folder.path('drive_c/data'), 'cmd', '/d', '/c', 'C:\\line.bat');
    };
    const imported = await inCmd(importing);
    expect(await imported.ended, await imported.output()).toBe(0);
    expect(await readdir(folder.path('drive_c/data'))).toContain('foods.idx');
    // It ends with Wine's server: Wine does not pass signals on from cmd.
    const { child, output } = await inCmd(serving, '--port 0');
    await waitFor(async () => child.exitCode !== null || (await output()).includes('https://app.example'));
    const [, port] = /:(\d+)\//.exec(await output()) ?? [];
    // Wine has no curl.
    const [, address = ''] = /^curl\.exe "(.*)"$/.exec(asking) ?? [];
    const answer = await fetch(address.replace('localhost:3001', `127.0.0.1:${port}`));
    expect(await answer.text()).toContain('"Egg salad"');
  });
});
