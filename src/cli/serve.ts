/**
 * `food-lookup serve`: connects settings, data set, HTTP and signals. Starts in order, stops in reverse.
 */
import type { FastifyInstance } from 'fastify';
import type { DataSet } from '../catalog.ts';
import { LiveCatalog, type SwapEvents } from '../catalogs/index/live.ts';
import { PostgresCatalog } from '../catalogs/postgres/postgres-catalog.ts';
import { UserError } from '../errors.ts';
import { createApp, createOperationsApp, MAX_CONNECTIONS, type Shared } from '../http/app.ts';
import { createLog } from '../operations/log.ts';
import { Operations } from '../operations/operations.ts';
import { type Flags, readSettings, type Settings } from '../settings/settings.ts';
import { greeting } from './greeting.ts';
import { endAtFaults, handleSignals } from './lifecycle.ts';
import { listen } from './listen.ts';
import { openFoodData } from './open-catalog.ts';
import { maxConnectionsOfSystem } from './open-files.ts';
import { print } from './print.ts';
import { keepTickObject } from './tick-object.ts';

const NOT_READ_AGAIN =
  'SIGHUP: the data set is read again only from an index file (food-lookup import) or a database, and only once it is served. For another, restart the service.';

/** ms for which a start waits for a database that may still be starting. */
const DATABASE_PATIENCE = 10_000;

/** Serves until a signal ends the process. @throws UserError that says what to change */
export async function serve(flags: Flags): Promise<void> {
  const settings = withinOpenFiles(readSettings(flags, process.env));
  const shared: Shared = { operations: new Operations(), log: await createLog(settings.logLevel) };
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
      // Opened first and closed last, since it reports the state of the rest.
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

/** Limits the connections: more than the limit of open files would cause a loop of failed accepts. */
function withinOpenFiles(settings: Settings): Settings {
  const possible = maxConnectionsOfSystem() ?? Number.POSITIVE_INFINITY;
  const { maxConnections = Math.min(MAX_CONNECTIONS, possible) } = settings;
  if (maxConnections <= possible) return { ...settings, maxConnections };
  throw new UserError(
    `MAX_CONNECTIONS: ${maxConnections} cannot be used: the limit of open files allows ${possible}. Raise it (ulimit -n, or LimitNOFILE of systemd), or allow fewer connections.`,
  );
}

/** Serves a new index as soon as it replaces the old one. Returns a function that checks at once. */
function swapLive(catalog: LiveCatalog, shared: Shared): () => unknown {
  const { operations, log } = shared;
  const events: SwapEvents = {
    swapped: (dataSet) => reportSwap(dataSet, shared),
    refused: (error) => {
      operations.metrics.swaps.refused++;
      log.error(error, `${error.message} The old data set goes on answering.`);
    },
  };
  catalog.watch(events);
  return () => catalog.reload(events);
}

/**
 * Logs changes of server and data set; while the database is unavailable, each reason once. Returns a function that checks
 * at once.
 */
function watchDatabase(catalog: PostgresCatalog, shared: Shared): () => unknown {
  const { log } = shared;
  let reported = '';
  catalog.watch({
    away: (reason) => {
      if (reason !== reported) log.error(`the database cannot be used: ${reason}`);
      reported = reason;
    },
    trouble: (reason) => log.error(`the database answers, but something is wrong with it: ${reason}`),
    connected: (host) => {
      reported = '';
      log.info({ host }, `connected to the database at ${host}`);
    },
    replaced: () => reportSwap(catalog.dataSet, shared),
  });
  return () => catalog.reload();
}

function reportSwap({ name, date, foods }: DataSet, { operations, log }: Shared): void {
  operations.metrics.swaps.served++;
  log.info({ name, date, foods }, 'a new data set is served');
}
