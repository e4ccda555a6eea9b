/**
 * The requests of downloads, through the proxy in the usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). Redirects are
 * followed here, as undici would follow one from https to http, too.
 */
import { type Dispatcher, EnvHttpProxyAgent, Pool, request } from 'undici';
import { shown } from '../../system/errors.ts';
import { failureOf, refusal } from './faults.ts';

const MAX_REDIRECTS = 10;

/** @param connectTimeout ms */
export function createAgent(connectTimeout: number): Dispatcher {
  return new EnvHttpProxyAgent({
    connectTimeout,
    // Requests without TLS use no tunnel: many proxies allow CONNECT to port 443 only.
    proxyTunnel: false,
    clientFactory: tunnelClient,
  });
}

/** The connections to a proxy. A proxy that closes a tunnel is a failure: undici would retry forever without a pause. */
function tunnelClient(origin: URL, options: object): Dispatcher {
  const pool = new Pool(origin, options);
  const connect = pool.connect.bind(pool) as (
    asked: Dispatcher.ConnectOptions,
  ) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    connect: (asked: Dispatcher.ConnectOptions) =>
      connect(asked).catch((error: unknown) => {
        throw failureOf(error) ?? error;
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
