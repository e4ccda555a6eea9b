/** Behaviour that differs between systems: every variant runs on any system. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { describe, expect, it, test, vi } from 'vitest';
import { shown, withoutPassword } from '#core';
import { readSettings } from '#service';
import { npm } from '../scripts/npm.ts';
import {
  commandName,
  hiddenFolders,
  isFileName,
  onceFree,
  passwordFile,
  quoted,
  serveDatabase,
  settingShown,
  temporaryFolderVariable,
} from '../src/core/paths.ts';
import { syncFolder } from '../src/service/catalogs/replaceable-file.ts';
import { listen } from '../src/service/cli/serving/listen.ts';
import {
  interruptions,
  isOneStream,
  maxOpenFiles,
  serviceSignals,
} from '../src/service/operations/process.ts';
import { unreadable } from '../src/tables/bytes/streams.ts';
import { cacheFolder } from '../src/tables/fetch/cache-folder.ts';
import { checkNames } from '../src/tables/fetch/fetch-source.ts';
import { temporaryFolder } from './support/files.ts';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

describe('a path with a drive letter', () => {
  it.each(['C:\\foods.csv', 'c:/foods.csv', 'D://foods.csv', 'C:\\Users\\me@home\\foods.csv'])(
    '%s is not taken for an address',
    (path) => {
      expect(readSettings({ foodData: path }, {}).foodData).toBe(path);
      expect(() => checkNames([path], {})).not.toThrow();
      expect(shown(path)).toBe(JSON.stringify(path));
    },
  );

  test('may contain an @, which would end a password on other systems', () => {
    expect(withoutPassword('C:/me@home/foods.csv', 'win32')).toBe('C:/me@home/foods.csv');
    expect(withoutPassword('c:/secret@host', 'linux')).not.toContain('secret');
    expect(withoutPassword('postgres://me:secret@host/db', 'win32')).not.toContain('secret');
  });

  test('differs from an address with an unknown scheme', () => {
    expect(() => readSettings({ foodData: 'ftp://example.org/foods.csv' }, {})).toThrow('import it first');
    expect(() => checkNames(['ftp://example.org/foods.csv'], {})).toThrow('only http and https');
  });
});

test.each([
  ['linux', {}, '/home/me', '/home/me/.cache/food-lookup'],
  ['darwin', {}, '/Users/me', '/Users/me/Library/Caches/food-lookup'],
  ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\me', 'D:\\Local\\food-lookup\\Cache'],
  ['win32', {}, 'C:\\Users\\me', 'C:\\Users\\me\\AppData\\Local\\food-lookup\\Cache'],
  ['linux', { XDG_CACHE_HOME: '/var/cache' }, '/home/me', '/var/cache/food-lookup'],
  ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/me', '/home/me/.cache/food-lookup'],
  ['win32', { XDG_CACHE_HOME: 'E:\\Cache' }, 'C:\\Users\\me', 'E:\\Cache\\food-lookup'],
] as const)(
  'the folder of downloads on %s, with %j and the home folder %s, is %s',
  (platform, environment, home, folder) => expect(cacheFolder(environment, platform, home)).toBe(folder),
);

test('a command to copy is quoted for the shells of its system', () => {
  for (const [text, onPosix, onWindows] of [
    ['foods.csv', 'foods.csv', 'foods.csv'],
    ['C:\\foods.csv', "'C:\\foods.csv'", 'C:\\foods.csv'],
    ['my foods.csv', "'my foods.csv'", '"my foods.csv"'],
    ['100%@home.csv', '100%@home.csv', '"100%@home.csv"'],
    [`it's "mine"`, `'it'\\''s "mine"'`, '"it\'s \\"mine\\""'],
    ['C:\\my foods\\', "'C:\\my foods\\'", '"C:\\my foods\\\\"'],
  ] as const) {
    expect(quoted(text, 'linux')).toBe(onPosix);
    expect(quoted(text, 'win32')).toBe(onWindows);
  }
});

test('messages show settings as the shells of the system take them', () => {
  expect(settingShown('PORT', 3002, 'linux')).toBe('PORT=3002');
  expect(settingShown('PORT', 3002, 'win32')).toBe('--port 3002');
  expect(settingShown('FOOD_DATA', 'C:\\my foods.idx', 'win32')).toBe('--food-data "C:\\my foods.idx"');
  const address = 'postgres://db/foods';
  expect(serveDatabase(address, 'darwin')).toBe(`FOOD_DATA=${address} ${commandName()} serve`);
  expect(serveDatabase(address, 'win32')).toBe(`${commandName()} serve --food-data ${address}`);
});

test('messages name the files and variables of the system', () => {
  expect([temporaryFolderVariable('darwin'), passwordFile('linux')]).toEqual(['TMPDIR', '~/.pgpass']);
  expect(temporaryFolderVariable('win32')).toBe('TEMP');
  expect(passwordFile('win32')).toBe('%APPDATA%\\postgresql\\pgpass.conf');
  expect([hiddenFolders('linux'), hiddenFolders('darwin')]).toEqual([expect.stringContaining('systemd'), '']);
});

test('a file that another program has locked is reported as open elsewhere', () => {
  const busy = Object.assign(new Error('EBUSY'), { code: 'EBUSY' });
  expect(String(unreadable('foods.xlsx', busy))).toContain('"foods.xlsx": another program has the file open');
});

test('a port is reported if the system refuses it', async () => {
  const server = new EventEmitter();
  const error = Object.assign(new Error(), { code: 'EACCES' });
  const refusing = Object.assign(server, { listen: () => queueMicrotask(() => server.emit('error', error)) });
  await expect(listen(refusing as never, { host: undefined, port: 80 })).rejects.toThrow(
    /^PORT: 80 may not be used by this user: .* Choose another port, such as .*3001\.$/,
  );
});

test('a new file has a name that programs on Windows can open', () => {
  const devices = ['con', 'NUL.idx', 'Aux .idx', 'com1', 'LPT².csv'];
  for (const name of [...devices, 'foods.', 'foods ', 'foods:new.idx', 'what?.idx']) {
    expect(isFileName(name, 'win32'), name).toBe(false);
    expect(isFileName(name, 'linux'), name).toBe(true);
  }
  for (const name of ['Käse und Eier.idx', 'console.idx', 'com10.idx', '.idx', "100% 'mine' (2).idx"])
    expect(isFileName(name, 'win32'), name).toBe(true);
});

test('a command to copy begins like the command that printed it', () => {
  expect(commandName({})).toBe('food-lookup');
  expect(commandName({ npm_lifecycle_event: 'npx' })).toBe('npx food-lookup');
  expect(commandName({ npm_lifecycle_event: 'test' })).toBe('food-lookup');
});

describe('signals', () => {
  test('end a service or make it reload its data', () => {
    expect(serviceSignals(false, 'linux')).toEqual({ end: ['SIGINT', 'SIGTERM'], reload: ['SIGHUP'] });
    expect(serviceSignals(true, 'darwin')).toEqual({ end: ['SIGINT', 'SIGTERM', 'SIGHUP'], reload: [] });
    // On Windows SIGHUP means that the window was closed, and no signal is free for reloading.
    const onWindows = { end: ['SIGINT', 'SIGBREAK', 'SIGHUP'], reload: [] };
    for (const isAtTerminal of [false, true])
      expect(serviceSignals(isAtTerminal, 'win32')).toEqual(onWindows);
    expect(interruptions('linux')).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP']);
  });

  test('the outputs of the first process of a container are one, but not at a terminal', () => {
    expect(isOneStream(false, 'linux', 1)).toBe(true);
    expect(isOneStream(true, 'linux', 1)).toBe(false);
    expect(isOneStream(false, 'win32', 1)).toBe(false);
  });

  it.each([
    ['linux', 'SIGTERM', [null, 'SIGTERM']],
    ['win32', 'SIGHUP', [129, null]],
    ['win32', 'SIGBREAK', [149, null]],
  ])('on %s, %s ends the process as %j', async (platform, signal, ended) => {
    const source = `import { endBy } from './dist/service/operations/process.js'; endBy('${signal}', '${platform}');`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'inherit' });
    expect(await once(child, 'exit')).toEqual(ended);
  });
});

describe('a file that replaces another', () => {
  const folder = temporaryFolder();
  const two = async () => [await folder.write('new', 'new'), await folder.write('old', 'old')] as const;

  test('does so at once or fails at once', async () => {
    const [from, to] = await two();
    await onceFree(() => rename(from, to), 'linux');
    expect(await readFile(to, 'utf8')).toBe('new');
    await expect(onceFree(failing('EPERM'), 'linux')).rejects.toThrow('EPERM');
  });

  test('on Windows waits until no program has that one open', async () => {
    const [from, to] = await two();
    const move = vi
      .fn(() => rename(from, to))
      .mockImplementationOnce(failing('EPERM'))
      .mockImplementationOnce(failing('EBUSY'));
    await onceFree(move, 'win32');
    expect(move).toHaveBeenCalledTimes(3);
    expect(await readFile(to, 'utf8')).toBe('new');
    await expect(onceFree(failing('ENOSPC'), 'win32')).rejects.toThrow('ENOSPC');
  });

  test('on Windows gives up after ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const move = vi.fn(() => {
      vi.setSystemTime(Date.now() + 6000);
      return failing('EACCES')();
    });
    await expect(onceFree(move, 'win32')).rejects.toMatchObject({ code: 'EBUSY' });
    expect(move).toHaveBeenCalledTimes(2);
    vi.useRealTimers();
  });

  test('survives a power failure only if its folder can be synced', async () => {
    expect(await syncFolder(folder.path(''))).toBe(true);
    expect(await syncFolder(folder.path('nowhere'))).toBe(false);
    // On Windows the folder is opened for writing, which no other system allows.
    if (process.platform !== 'win32') expect(await syncFolder(folder.path(''), 'win32')).toBe(false);
  });
});

describe('the limit of open files', () => {
  const onPosix = test.skipIf(process.platform === 'win32');
  onPosix('is read from the system on Linux, and by a shell on others', () => {
    expect(maxOpenFiles('linux')).toBeGreaterThan(0);
    // Both are the limit of this process.
    expect(maxOpenFiles('darwin')).toBe(maxOpenFiles('linux'));
  });

  test('does not exist on Windows', () => expect(maxOpenFiles('win32')).toBeUndefined());
});

test('npm is started through a real program on every system', () => {
  const cli = '/usr/lib/node_modules/npm/bin/npm-cli.js';
  expect(npm(['pack'], cli, 'win32')).toEqual([process.execPath, [cli, 'pack']]);
  expect(npm(['pack'], '/yarn.js', 'win32')).toEqual(['cmd.exe', ['/d', '/c', 'npm', 'pack']]);
  expect(npm(['pack'], '', 'linux')).toEqual(['npm', ['pack']]);
});
