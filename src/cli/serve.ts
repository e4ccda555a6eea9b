/**
 * `food-lookup serve`: data set, HTTP and signals put together.
 */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { DataSet } from '../catalog.ts';
import { LiveCatalog, type SwapEvents } from '../catalogs/live.ts';
import { PostgresCatalog } from '../catalogs/postgres.ts';
import { shown, systemCode, UserError } from '../errors.ts';
import { createApp } from '../http/app.ts';
import { type Flags, readSettings, type Settings } from '../settings.ts';
import { openFoodData } from './open-catalog.ts';

/** ms for which a start waits for a database that may be starting as well. */
const DATABASE_PATIENCE = 10_000;

/** Serves until a signal ends the process. @throws UserError for what the user can mend */
export async function serve(flags: Flags): Promise<void> {
  const settings = readSettings(flags, process.env);
  const catalog = await openFoodData(settings.foodData, DATABASE_PATIENCE);
  const app = await createApp(catalog, settings);
  await listen(app, settings);
  if (catalog instanceof LiveCatalog) swapLive(catalog, app.log);
  if (catalog instanceof PostgresCatalog) watchDatabase(catalog, app.log);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      void app.close().then(() => catalog.close());
    });
  }
  process.stdout.write(greeting(app, settings, catalog.dataSet));
}

/** Serves a new index as soon as it is in the place of the old one, or at SIGHUP. */
function swapLive(catalog: LiveCatalog, log: FastifyBaseLogger): void {
  const events: SwapEvents = {
    swapped: ({ name, date, foods }) => log.info({ name, date, foods }, 'a new data set is served'),
    refused: (error) => log.error(error, `${error.message} The old data set goes on answering.`),
  };
  catalog.watch(events);
  process.on('SIGHUP', () => void catalog.reload(events));
}

/** Tells of other servers and data sets. What repeats itself while the database is away is told once. */
function watchDatabase(catalog: PostgresCatalog, log: FastifyBaseLogger): void {
  let told = '';
  catalog.watch({
    away: (reason) => {
      if (reason !== told) log.error(`the database does not answer: ${reason}`);
      told = reason;
    },
    connected: (host) => {
      told = '';
      log.info({ host }, `the database at ${host} is worked with`);
    },
    replaced: () => {
      const { name, date, foods } = catalog.dataSet;
      log.info({ name, date, foods }, 'a new data set is served');
    },
  });
  process.on('SIGHUP', () => void catalog.reload());
}

/** Without a host Node.js takes every interface: IPv6 and IPv4 at once, or IPv4 where the machine has nothing else. */
async function listen(app: FastifyInstance, { host, port }: Settings): Promise<void> {
  await app.ready();
  app.server.listen({ port, host });
  try {
    await once(app.server, 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
}

function listenError(error: unknown, host: string | undefined, port: number): unknown {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new UserError(
        `PORT: ${port} is taken by another process. Stop it, or choose another port: PORT=${port === 65535 ? 0 : port + 1}.`,
      );
    case 'EACCES':
      return new UserError(
        `PORT: ${port} may not be used by this user. Choose a port from 1024 on, such as PORT=3001.`,
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

function greeting(app: FastifyInstance, settings: Settings, { name, foods, leftOut }: DataSet): string {
  const { port } = app.server.address() as AddressInfo;
  const { host, allowedOrigin } = settings;
  const shownHost = host === undefined ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const readers =
    allowedOrigin === undefined
      ? 'no page on another origin may read. To change it: ALLOWED_ORIGIN=https://app.example (or * for all)'
      : allowedOrigin === '*'
        ? 'pages on every origin may read. To change it: ALLOWED_ORIGIN=https://app.example'
        : `pages on ${allowedOrigin} may read. To change it: ALLOWED_ORIGIN=https://app.example (or * for all)`;
  const rows = [
    `food-lookup listens on http://${shownHost}:${port}/${host === undefined ? ' (every interface)' : ''}`,
    `  data set   ${name}: ${foods.toLocaleString('en')} foods${leftOut > 0 ? `, ${leftOut.toLocaleString('en')} rows without a description left out` : ''}`,
    `  try        http://${shownHost}:${port}/api/food?q=egg`,
    `  origins    ${readers}`,
  ];
  return `${rows.join('\n')}\n`;
}
