/** The real service in the test's process, on a free loopback port, and a client that shows headers unchanged. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import type { DataSet, FoodCatalog, FoodRecord, OtherNames } from '#core';
import type { EverydayFoods } from '#engine';
import { MemoryCatalog, readSettings, type Settings } from '#service';
import { contextOf, createApp } from '../../src/service/http/app.ts';
import { PATIENCE, type Patience } from '../../src/service/http/limits/patience.ts';

const { copyOf } = process.env.CATALOG === 'postgres' ? await import('./postgres-catalog.ts') : {};

export type Service = Awaited<ReturnType<typeof startService>>;

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly bytes: Buffer;
}

/** The origin of a page on another site. */
export const ORIGIN = 'https://app.example';

/** Those of pages in apps and in browser extensions. */
export const APP_ORIGINS = [
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  'moz-extension://0a1b2c3d-4e5f-6789-abcd-ef0123456789',
];

export const DEFAULTS = readSettings({}, {});

export const TEST_LABEL = { name: 'test foods', date: '2026-11-21', source: null, licence: null };

/** A catalog invented by a test, which defines what it needs. */
export type MadeUpCatalog = Partial<FoodCatalog>;

const MADE_UP: DataSet = { ...TEST_LABEL, foods: 1, leftOut: 0, identity: 'one' };

function wholeCatalog(catalog: MadeUpCatalog): FoodCatalog {
  const unexpected = (text: string): never => {
    throw new Error(`unexpected request for ${text}`);
  };
  const defaults: FoodCatalog = {
    dataSet: MADE_UP,
    search: unexpected,
    searchWords: unexpected,
    lookUp: (what, description) => unexpected(`${what} of ${description}`),
    searchBarcode: unexpected,
    close: async () => {},
  };
  for (const [name, value] of Object.entries(defaults))
    if (!(name in catalog)) Object.assign(catalog, { [name]: value });
  return catalog as FoodCatalog;
}

export async function startService(
  catalog: MadeUpCatalog,
  changed: Partial<Settings> = {},
  otherNames?: OtherNames,
  patience: Partial<Patience> = {},
) {
  // Browsers would keep the pages of services whose ports others get.
  const settings: Settings = { ...DEFAULTS, logLevel: 'silent', offline: false, ...changed };
  const context = { ...(await contextOf(settings)), patience: { ...PATIENCE, ...patience } };
  const app = await createApp(wholeCatalog(catalog), settings, context, otherNames);
  await app.listen({ port: changed.port ?? 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** For tests that shorten its timeouts. */
    server: app.server,
    close: (): Promise<void> => app.close(),
  };
}

/** A food with arbitrary figures. */
export function food(description: string, figures: Partial<FoodRecord> = {}): FoodRecord {
  return {
    carbohydrate_g: '1.5',
    protein_g: '2',
    fa_sat_g: '0.1',
    fa_mono_g: '0.2',
    fa_poly_g: '0.3',
    kcal: '100',
    description,
    ...figures,
  };
}

/** Foods with these descriptions; the kcal of each are its place. */
export const numbered = (descriptions: readonly string[]): FoodRecord[] =>
  descriptions.map((description, place) => food(description, { kcal: String(place) }));

/** The foods in the catalog that the tests use: in memory, or in PostgreSQL with CATALOG=postgres. */
export async function catalogOf(
  foods: readonly FoodRecord[],
  everydayFoods?: EverydayFoods,
): Promise<FoodCatalog> {
  const memory = await memoryCatalogOf(foods, everydayFoods);
  return copyOf?.(memory) ?? memory;
}

export const memoryCatalogOf = (
  foods: readonly FoodRecord[],
  everydayFoods?: EverydayFoods,
): Promise<MemoryCatalog> => MemoryCatalog.from(foods, TEST_LABEL, everydayFoods);

export async function ask(
  service: Pick<Service, 'port'>,
  target: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const request = httpRequest({ host: '127.0.0.1', port: service.port, path: target, method, headers });
  request.end();
  const [response] = await once(request, 'response');
  const bytes = await buffer(response);
  return { status: response.statusCode, headers: response.headers, body: bytes.toString(), bytes };
}

/** The bytes of a request. @param headers lines without their ends */
export const rawRequest = (method: string, target: string, headers: readonly string[], body = ''): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', ...headers, '', body].join('\r\n');

export const rawGet = (target: string, ...headers: readonly string[]): string =>
  rawRequest('GET', target, headers);

/** Sends bytes unchanged, and reads until the service closes the connection. */
export async function sendRaw(service: Pick<Service, 'port'>, bytes: string | Uint8Array): Promise<string> {
  const socket = connect(service.port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

/** The status of each answer that `sendRaw` has read. */
export const statusesOf = (received: string): string[] =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status = '']) => status);

export const targetOf = (q: string): string => `/api/food?${new URLSearchParams({ q })}`;
