/**
 * npm run torture              every part
 * npm run torture -- soak      one part
 *
 * Prints the results of each part, and exits with 1 if a bound does not hold.
 */
import { brokenIndex } from './broken-index.ts';
import { connections } from './connections.ts';
import { cost } from './cost.ts';
import { crawler } from './crawler.ts';
import { largeIndex, products } from './data.ts';
import { idle } from './idle.ts';
import { malformed } from './malformed.ts';
import { newcomers, newcomersOfPostgres } from './newcomers.ts';
import { overload } from './overload.ts';
import { postgresFaults } from './postgres.ts';
import { slowClients, unreadAnswers } from './slow-clients.ts';
import { soak } from './soak.ts';
import { stopping } from './stopping.ts';
import { type Figure, printed } from './verdict.ts';

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  connections,
  overload: async () => overload(await largeIndex(2_000_000)),
  newcomers: async () => newcomers(await largeIndex(2_000_000)),
  'newcomers-postgres': () => newcomersOfPostgres(products()),
  slow: async () => [...(await slowClients()), ...(await unreadAnswers())],
  malformed,
  soak,
  sigterm: stopping,
  bitflip: brokenIndex,
  idle,
  cost,
  crawler,
  postgres: postgresFaults,
};

const asked = process.argv.slice(2);
for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const part = PARTS[name];
  if (part === undefined)
    throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
  const figures = await part();
  process.stdout.write(`${printed(name, figures)}\n`);
  if (figures.some(({ holds }) => holds === false)) process.exitCode = 1;
}
