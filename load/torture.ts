/**
 * npm run torture              every part
 * npm run torture -- soak      one part
 *
 * Prints the results of each part, and exits with 1 if a bound does not hold.
 */

import { indexOf, products } from './tools/data-sets.ts';
import { clusterUnderFaults } from './torture/cluster.ts';
import { connections } from './torture/connections.ts';
import { idle } from './torture/idle.ts';
import { malformed } from './torture/malformed.ts';
import { newcomers, newcomersOfPostgres } from './torture/newcomers.ts';
import { overload } from './torture/overload.ts';
import { slowClients, unreadAnswers } from './torture/slow-clients.ts';
import { soak } from './torture/soak.ts';
import { stopping } from './torture/stopping.ts';
import { type Figure, printed } from './torture/verdict.ts';

const largeIndex = async (): Promise<string> => (await indexOf(2_000_000)).index;

const PARTS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  connections,
  overload: async () => overload(await largeIndex()),
  newcomers: async () => newcomers(await largeIndex()),
  'newcomers-postgres': () => newcomersOfPostgres(products()),
  slow: async () => [...(await slowClients()), ...(await unreadAnswers())],
  malformed,
  soak,
  sigterm: stopping,
  idle,
  cluster: clusterUnderFaults,
};

const asked = process.argv.slice(3);
for (const name of asked.length > 0 ? asked : Object.keys(PARTS)) {
  const part = PARTS[name];
  if (part === undefined)
    throw new Error(`There is no part ${name}; there are ${Object.keys(PARTS).join(', ')}.`);
  const figures = await part();
  process.stdout.write(`${printed(name, figures)}\n`);
  if (figures.some(({ holds }) => holds === false)) process.exitCode = 1;
}
