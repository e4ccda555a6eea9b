/**
 * The connections of downloads, through the proxy in the usual variables (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
 */
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { failureOf } from './faults.ts';

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
