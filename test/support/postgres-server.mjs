/** Starts one PostgreSQL server for the tests of a project, and removes it after them. */
import '../../scripts/typescript.mjs';
import { existsSync } from 'node:fs';

/** @param {import('vitest/node').TestProject} project */
export async function setup(project) {
  const { POSTGRES_BINARIES } = await import('./postgres-binaries.ts');
  if (!existsSync(POSTGRES_BINARIES)) return;
  const { Postgres } = await import('./postgres.ts');
  // Its databases live for minutes only, which is too short for a vacuum to pay.
  const server = await Postgres.start({ max_connections: '200', autovacuum: 'off' });
  project.provide('postgresPort', server.port);
  return () => server.remove();
}
