/** `food-lookup serve`: connects settings, data set, HTTP and signals. Starts in order, stops in reverse. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type CatalogEvents, counted, type FoodCatalog, settingShown, UserError } from '#core';
import {
  contextOf,
  createApp,
  createOperationsApp,
  MAX_CONNECTIONS,
  type ProcessContext,
} from '../../http/app.ts';
import { keepTickObject } from '../../http/node-http.ts';
import { isOneStream, maxOpenFiles, version } from '../../operations/process.ts';
import { type Flags, readSettings, type Settings } from '../../settings/settings.ts';
import { openCatalog, openFoodData, readOtherNames } from '../open-catalog.ts';
import { print } from '../print.ts';
import { handleSignals, reportFaults } from './lifecycle.ts';
import { listen, requireFreePort } from './listen.ts';
import { requireThreads, Threads } from './threads.ts';

const NOT_READ_AGAIN =
  'Ignored SIGHUP: only index files and databases reload, once they are served. To load other data, restart the service.';

const RAISE = 'Raise it (ulimit -n, or LimitNOFILE of systemd)';

/** ms for which a start waits for a database that may still be starting. */
const DATABASE_PATIENCE = 10_000;

/** Serves until a signal ends the process. @throws UserError that says what to change */
export async function serve(flags: Flags): Promise<void> {
  const settings = withinOpenFiles(readSettings(flags, process.env));
  requireTwoPorts(settings);
  const { threads } = settings;
  const isThreaded = threads > 1;
  if (isThreaded) requireThreads(settings);
  const context = await contextOf(settings);
  reportFaults((error, origin) => {
    const kind = origin === 'unhandledRejection' ? 'rejection' : 'error';
    context.log.fatal(error, `the process ends: unhandled ${kind}`);
  });
  // Nobody may read the greeting to its end; the service needs no reader.
  process.stdout.removeAllListeners('error').on('error', () => {});
  keepTickObject();
  const opened: { close(): unknown }[] = [];
  const stop = async (): Promise<void> => {
    context.operations.isStopping = true;
    for (const part of opened.toReversed()) await part.close();
  };
  let reload = (): unknown => context.log.warn(NOT_READ_AGAIN);
  handleSignals(context.log, { delay: settings.shutdownDelay, stop, reload: () => reload() });
  try {
    const { operationsPort } = settings;
    let operationsApp: FastifyInstance | undefined;
    if (operationsPort !== undefined) {
      // Opened first and closed last, since it reports the state of the rest.
      operationsApp = await createOperationsApp(context);
      opened.push(operationsApp);
      await listen(operationsApp.server, { ...settings, port: operationsPort }, 'operationsPort');
    }
    if (isThreaded) await requireFreePort(settings);
    const shared = isThreaded ? await openCatalog(settings.foodData, true) : undefined;
    const catalog: FoodCatalog = shared ?? (await openFoodData(settings.foodData, DATABASE_PATIENCE));
    opened.push(catalog);
    const own = { ...settings, answerCache: Math.floor(settings.answerCache / threads) };
    const app = await createApp(catalog, own, context, await readOtherNames(settings.otherNames));
    const others = shared && new Threads(context.operations);
    opened.push({ close: () => Promise.all([app.close(), others?.close()]) });
    await listen(app.server, { ...settings, reusePort: isThreaded });
    if (shared !== undefined) {
      const { port } = app.server.address() as AddressInfo;
      const { maxConnections, answerCache } = own;
      const changed = { port, maxConnections, answerCache };
      await others?.start(threads, { flags, changed, loaded: shared.loaded, limits: context.limits });
    }
    if (catalog.watch !== undefined) {
      catalog.watch(eventsFor(context, () => shared && others?.replace(shared.loaded)));
      reload = () => catalog.reload?.();
    }
    const lines = greeting(settings, catalog, app, operationsApp);
    const { name, date, foods } = catalog.dataSet;
    context.log.info({ version, name, date, foods }, 'started');
    // A stream of JSON has no other text.
    if (isOneStream()) for (const line of lines) context.log.info(line.trim().replace(/ {2,}/, ' '));
    else print(lines);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Open files for which connections leave room, where the limit has as many: those of the process, and connections over the limit. */
const OTHER_FILES = 1000;

type LimitedSettings = ReturnType<typeof withinOpenFiles>;

/** Limits the connections: more than the limit of open files would cause a loop of failed accepts. */
function withinOpenFiles(settings: Settings) {
  const openFiles = maxOpenFiles() ?? Number.POSITIVE_INFINITY;
  const possible = Math.max(openFiles - OTHER_FILES, Math.ceil(openFiles / 2));
  const { maxConnections = Math.min(MAX_CONNECTIONS, possible) } = settings;
  if (maxConnections > possible)
    throw new UserError(
      `MAX_CONNECTIONS: ${maxConnections} cannot be used: the limit of open files allows ${possible}. ${RAISE}, or allow fewer connections.`,
    );
  const isLimited = settings.maxConnections === undefined && possible < MAX_CONNECTIONS;
  const limit = `at most ${possible}, since the limit of open files is ${openFiles}. ${RAISE} for more`;
  return { ...settings, maxConnections, connectionLimit: isLimited ? limit : undefined };
}

/** @throws UserError, since the system would only say that the port is taken */
function requireTwoPorts({ port, operationsPort }: Settings): void {
  if (port === 0 || port !== operationsPort) return;
  throw new UserError(
    `OPERATIONS_PORT: ${port} is also PORT. Choose another port, or leave OPERATIONS_PORT empty to have health and metrics on PORT.`,
  );
}

/** Logs and counts what happens to the data set. Logs an outage once for each reason. */
function eventsFor({ operations: { metrics }, log }: ProcessContext, pass: () => void): CatalogEvents {
  let logged = '';
  return {
    replaced: ({ name, date, foods }) => {
      pass();
      metrics.swaps.served++;
      log.info({ name, date, foods }, 'a new data set is served');
    },
    refused: (error) => {
      metrics.swaps.refused++;
      log.error(error, `${error.message} The old data set stays in service.`);
    },
    connected: (host) => {
      logged = '';
      log.info({ host }, `connected to the database at ${host}`);
    },
    away: (reason) => {
      if (reason !== logged) log.error(`the database cannot be used: ${reason}`);
      logged = reason;
    },
  };
}

function greeting(
  { host, allowedOrigin, connectionLimit }: LimitedSettings,
  catalog: FoodCatalog,
  app: FastifyInstance,
  operationsApp: FastifyInstance | undefined,
): string[] {
  const { name, foods, leftOut, remarks = [] } = catalog.dataSet;
  const shownHost = host === undefined ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const address = ({ server }: FastifyInstance) =>
    `http://${shownHost}:${(server.address() as AddressInfo).port}`;
  const change = `To change it: ${settingShown('ALLOWED_ORIGIN', 'https://app.example')}`;
  const readers =
    allowedOrigin === undefined
      ? `pages on other origins cannot read the answers. ${change} (or * for all)`
      : allowedOrigin === '*'
        ? `pages on every origin may read the answers. ${change}`
        : `pages on ${allowedOrigin} may read the answers. ${change} (or * for all)`;
  return [
    `food-lookup listens on ${address(app)}/${host === undefined ? ' (every interface)' : ''}`,
    `  data set   ${name}: ${counted(foods, 'food')}${leftOut > 0 ? `, ${counted(leftOut, 'row')} without a description left out` : ''}`,
    ...remarks.map((remark) => `             ${remark}`),
    `  try        ${address(app)}/api/food?q=${encodeURIComponent(textToTry(catalog))}`,
    `  API        ${address(app)}/docs`,
    ...(operationsApp === undefined ? [] : [`  health     ${address(operationsApp)}/health/ready`]),
    ...(connectionLimit === undefined ? [] : [`  limit      connections: ${connectionLimit}`]),
    `  origins    ${readers}`,
  ];
}

const USUAL = 'egg';

/** A text that finds something, also in a data set without eggs, which would look broken. */
function textToTry(catalog: FoodCatalog): string {
  const [first] = catalog.records?.() ?? [];
  if (first === undefined || String(catalog.search(USUAL)) !== '[]') return USUAL;
  return /[\p{L}\p{N}]+/u.exec(first.description)?.[0].toLowerCase() ?? USUAL;
}
