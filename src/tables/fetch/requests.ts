/** The requests of downloads, and why they fail. Redirects are followed here, as undici would follow one to http, too. */
import { type Dispatcher, EnvHttpProxyAgent, errors, Pool, request } from 'undici';
import { shown, systemCode, UserError } from '#core';
import { USDA_PAGE } from '../report/labels.ts';

const MAX_REDIRECTS = 10;

export function createAgent(connectTimeout: number): Dispatcher {
  return new EnvHttpProxyAgent({
    connectTimeout,
    // Requests without TLS use no tunnel: many proxies allow CONNECT to port 443 only.
    proxyTunnel: false,
    clientFactory: tunnelClient,
  });
}

/** A proxy that closes a tunnel is a failure: undici would retry forever without a pause. */
function tunnelClient(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool) as (
    asked: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    connect: (asked: Dispatcher.ConnectOptions) =>
      connect(asked).catch((error: unknown) => {
        throw failedFetch(error) ?? error;
      }),
  });
}

/** The answer after all redirects. @throws UserError if one is not safe to follow */
export async function followed(
  address: string,
  options: Parameters<typeof request>[1],
): Promise<Dispatcher.ResponseData<unknown>> {
  let url = new URL(address);
  for (let i = 0; i <= MAX_REDIRECTS; i++) {
    const answer = await request(url, options);
    const { location } = answer.headers;
    if (![301, 302, 303, 307, 308].includes(answer.statusCode) || typeof location !== 'string') return answer;
    await answer.body.dump();
    if (!URL.canParse(location, url.href))
      throw refusal(address, `it is moved to ${shown(location)}, which is no address`);
    const next = new URL(location, url);
    if (!/^https?:$/.test(next.protocol) || (url.protocol === 'https:' && next.protocol === 'http:'))
      throw refusal(address, `it is moved to ${shown(next.href)}, which is not safe to follow`);
    url = next;
  }
  throw refusal(address, `it is moved more than ${MAX_REDIRECTS} times. Take another address with --url`);
}

export class FailedFetch extends Error {
  again = true;
  /** ms that the server asks for before it. */
  pause: number | undefined;
}

export const refusal = (url: string, reason: string): UserError =>
  new UserError(`Download of ${shown(url)}: ${reason}.`);

export const isPassing = (status: number): boolean => [408, 425, 429, 500, 502, 503, 504].includes(status);

const REFUSED = 'the server refuses it (CODE). Download it in a browser and name the file';
const ABSENT = `there is no such file (CODE). Check the address in a browser, or look for a newer release, for USDA at ${USDA_PAGE}, and name its address with --url`;

const STATUSES: Readonly<Record<number, string>> = {
  401: REFUSED,
  403: REFUSED,
  404: ABSENT,
  407: 'the proxy requires a password (CODE). Put it into the address of the proxy: http://USER:PASSWORD@HOST:PORT',
  410: ABSENT,
  429: 'the server has had too many requests (CODE)',
  503: 'the server is not available (CODE)',
};

export const faultOfStatus = (status: number): string =>
  (STATUSES[status] ?? 'the server answers with status CODE').replace('CODE', String(status));

/** ms that `Retry-After` asks for, in seconds or by a date. */
export function retryAfter(text = ''): number | undefined {
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1000;
  const date = new Date(text).getTime();
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** What errors of these codes mean, and whether another attempt may succeed; CODE stands for the code. */
const FAULTS: readonly (readonly [codes: RegExp, again: boolean, meaning: string])[] = [
  [
    /^EAI_AGAIN$/,
    true,
    'the name of the host cannot be looked up; check the network, or set HTTPS_PROXY behind a proxy',
  ],
  [/^ENOTFOUND$/, false, 'there is no such host; check the address, the network and HTTPS_PROXY'],
  [/^ECONNREFUSED$/, true, 'the server refuses connections'],
  [/^(?:ECONNRESET|UND_ERR_SOCKET)$/, true, 'the connection was lost'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, true, 'the answer is not as long as it says'],
  [/^UND_ERR_(?:CONNECT|HEADERS)_TIMEOUT$/, true, 'the server does not answer'],
  [/^UND_ERR_BODY_TIMEOUT$/, true, 'no more data arrives'],
  [
    /^(?:CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT)/,
    false,
    'the certificate of the server is not trusted (CODE); name the certificate of your network with NODE_EXTRA_CA_CERTS',
  ],
  [/^(?:UND_ERR|HPE_|ERR_SSL|EHOST|ENET|EPIPE|ETIMEDOUT|EPROTO)/, true, 'the connection failed (CODE)'],
];

/** What a failure or an error of the connection means; undefined for an error of another kind. */
export function failedFetch(error: unknown): FailedFetch | undefined {
  if (error instanceof FailedFetch) return error;
  if (error instanceof errors.HTTPParserError)
    return new FailedFetch('the answer is not what its headers say');
  const [, status] = /Proxy response \((\d+)\)/.exec(String(error)) ?? [];
  const refused = [/^/, false, `the proxy refuses the connection (${status})`] as const;
  const code = systemCode(error) ?? '';
  const fault = status === undefined ? FAULTS.find(([codes]) => codes.test(code)) : refused;
  if (fault === undefined) return undefined;
  const [, again, meaning] = fault;
  return Object.assign(new FailedFetch(meaning.replace('CODE', code)), { again });
}

const UNWRITABLE: readonly unknown[] = ['EACCES', 'EBUSY', 'EEXIST', 'ENOTDIR', 'EPERM', 'EROFS'];

/** The error to show if the cache folder cannot be written; any other stays. */
export function unwritable(folder: string, error: unknown): unknown {
  const code = systemCode(error);
  const where = `Cache folder ${shown(folder)}`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new UserError(
      `${where}: the disk is full. Free some space, or name another folder with --cache-folder.`,
    );
  if (UNWRITABLE.includes(code))
    return new UserError(`${where} cannot be written (${code}). Name another folder with --cache-folder.`);
  return error;
}
