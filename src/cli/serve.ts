/**
 * `food-lookup serve`: data set, HTTP and signals put together.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { DataSet } from '../catalog.ts';
import { LiveCatalog, type SwapEvents } from '../catalogs/index/live.ts';
import { PostgresCatalog } from '../catalogs/postgres/postgres-catalog.ts';
import { shown, systemCode, UserError } from '../errors.ts';
import { createApp, createOperationsApp, MAX_CONNECTIONS, type ProcessContext } from '../http/app.ts';
import { createLog } from '../operations/log.ts';
import { Operations } from '../operations/operations.ts';
import { type Flags, readSettings, SETTINGS, type Settings } from '../settings/settings.ts';
import { endAtFaults, handleSignals } from './lifecycle.ts';
import { openFoodData } from './open-catalog.ts';
import { maxConnectionsOfSystem } from './open-files.ts';
import { print } from './print.ts';
import { keepTickObject } from './tick-object.ts';

/** Connections that have arrived and wait to be accepted; the system may allow fewer. */
const BACKLOG = 4096;

const NOT_READ_AGAIN =
  'SIGHUP: the data set is read again only from an index file (food-lookup import) or a database, and only once it is served. For another, start the service anew.';

/** ms for which a start waits for a database that may be starting as well. */
const DATABASE_PATIENCE = 10_000;

/** Serves until a signal ends the process. @throws UserError for what the user can mend */
export async function serve(flags: Flags): Promise<void> {
  const settings = settingsWithin(readSettings(flags, process.env));
  const shared: ProcessContext = { operations: new Operations(), log: await createLog(settings.logLevel) };
  endAtFaults(shared.log);
  keepTickObject();
  const opened: { close(): unknown }[] = [];
  const stop = async (): Promise<void> => {
    shared.operations.isStopping = true;
    for (const part of opened.toReversed()) await part.close();
  };
  let reload = (): unknown => shared.log.warn(NOT_READ_AGAIN);
  handleSignals(shared.log, { stop, reload: () => reload() });
  try {
    const { operationsPort } = settings;
    let operationsApp: FastifyInstance | undefined;
    if (operationsPort !== undefined) {
      // First in, last out: it tells how the rest is.
      operationsApp = await createOperationsApp(shared);
      opened.push(operationsApp);
      await listen(operationsApp, { ...settings, port: operationsPort }, 'operationsPort');
    }
    const catalog = await openFoodData(settings.foodData, DATABASE_PATIENCE);
    opened.push(catalog);
    const app = await createApp(catalog, settings, shared);
    opened.push(app);
    await listen(app, settings, 'port');
    if (catalog instanceof LiveCatalog) reload = swapLive(catalog, shared);
    if (catalog instanceof PostgresCatalog) reload = watchDatabase(catalog, shared);
    print(greeting(settings, catalog.dataSet, app, operationsApp));
  } catch (error) {
    await stop();
    throw error;
  }
}

/** More connections than files can be open would end in a loop of failed accepts. */
function settingsWithin(settings: Settings): Settings {
  const possible = maxConnectionsOfSystem() ?? Number.POSITIVE_INFINITY;
  const { maxConnections = Math.min(MAX_CONNECTIONS, possible) } = settings;
  if (maxConnections <= possible) return { ...settings, maxConnections };
  throw new UserError(
    `MAX_CONNECTIONS: ${maxConnections} cannot be used: the limit of open files allows ${possible}. Raise it (ulimit -n, or LimitNOFILE of systemd), or take fewer.`,
  );
}

/** Serves a new index as soon as it is in the place of the old one; what it returns looks at once. */
function swapLive(catalog: LiveCatalog, shared: ProcessContext): () => unknown {
  const { operations, log } = shared;
  const events: SwapEvents = {
    swapped: (dataSet) => tellOfSwap(dataSet, shared),
    refused: (error) => {
      operations.metrics.swaps.refused++;
      log.error(error, `${error.message} The old data set goes on answering.`);
    },
  };
  catalog.watch(events);
  return () => catalog.reload(events);
}

/**
 * Tells of other servers and data sets. What repeats itself while the database is away is told once. What it returns looks
 * at once.
 */
function watchDatabase(catalog: PostgresCatalog, shared: ProcessContext): () => unknown {
  const { log } = shared;
  let told = '';
  catalog.watch({
    away: (reason) => {
      if (reason !== told) log.error(`the database cannot be used: ${reason}`);
      told = reason;
    },
    trouble: (reason) => log.error(`the database answers, but something is wrong with it: ${reason}`),
    connected: (host) => {
      told = '';
      log.info({ host }, `connected to the database at ${host}`);
    },
    replaced: () => tellOfSwap(catalog.dataSet, shared),
  });
  return () => catalog.reload();
}

function tellOfSwap({ name, date, foods }: DataSet, { operations, log }: ProcessContext): void {
  operations.metrics.swaps.served++;
  log.info({ name, date, foods }, 'a new data set is served');
}

/** Without a host Node.js takes every interface: IPv6 and IPv4 at once, or IPv4 where the machine has nothing else. */
async function listen(
  app: FastifyInstance,
  { host, port }: Settings,
  setting: 'port' | 'operationsPort',
): Promise<void> {
  await app.ready();
  app.server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(app.server, 'listening');
  } catch (error) {
    throw listenError(error, host, port, SETTINGS[setting].variable);
  }
}

function listenError(error: unknown, host: string | undefined, port: number, variable: string): unknown {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new UserError(
        `${variable}: ${port} is taken by another process. Stop it, or choose another port: ${variable}=${port === 65535 ? 0 : port + 1}.`,
      );
    case 'EACCES':
      return new UserError(
        `${variable}: ${port} may not be used by this user. Choose a port from 1024 on, such as ${variable}=3001.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new UserError(
        `HOST: ${shown(host ?? '')} is not an address of this machine. Leave it empty for every interface, or use 127.0.0.1.`,
      );
    default:
      return error;
  }
}

function greeting(
  { host, allowedOrigin }: Settings,
  { name, foods, leftOut }: DataSet,
  app: FastifyInstance,
  operationsApp: FastifyInstance | undefined,
): string[] {
  const shownHost = host === undefined ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const address = ({ server }: FastifyInstance) =>
    `http://${shownHost}:${(server.address() as AddressInfo).port}`;
  const readers =
    allowedOrigin === undefined
      ? 'no page on another origin may read. To change it: ALLOWED_ORIGIN=https://app.example (or * for all)'
      : allowedOrigin === '*'
        ? 'pages on every origin may read. To change it: ALLOWED_ORIGIN=https://app.example'
        : `pages on ${allowedOrigin} may read. To change it: ALLOWED_ORIGIN=https://app.example (or * for all)`;
  return [
    `food-lookup listens on ${address(app)}/${host === undefined ? ' (every interface)' : ''}`,
    `  data set   ${name}: ${foods.toLocaleString('en')} foods${leftOut > 0 ? `, ${leftOut.toLocaleString('en')} rows without a description left out` : ''}`,
    `  try        ${address(app)}/api/food?q=egg`,
    `  API        ${address(app)}/docs`,
    ...(operationsApp === undefined ? [] : [`  health     ${address(operationsApp)}/health/ready`]),
    `  origins    ${readers}`,
  ];
}
