/**
 * Parses the settings that limit clients.
 */
import { compile } from '@fastify/proxy-addr';
import { UnusableText } from '../system/errors.ts';

/** The number of requests that each client may send in a number of seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Whether the address belongs to a proxy whose `X-Forwarded-For` is trusted; hop 0 is the peer of the connection. */
export type TrustProxy = (address: string, hop: number) => boolean;

const MAX_WINDOW = 86_400;
const MAX_HOPS = 16;

/** Names of networks that the library knows. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** @throws UnusableText */
export function parseRateLimit(text: string): RateLimit {
  const [, requests, seconds] = /^(\d{1,9})\/(\d{1,5})$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  if (limit.requests > 0 && limit.seconds > 0 && limit.seconds <= MAX_WINDOW) return limit;
  throw new UnusableText(
    'expected REQUESTS/SECONDS, two whole numbers of at least 1, with at most 86400 seconds, such as 100/60 for 100 requests a minute',
  );
}

/** @throws UnusableText */
export function parseTrustProxy(text: string): TrustProxy {
  const hops = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  if (hops > 0 && hops <= MAX_HOPS) return (_address, hop) => hop < hops;
  const proxies = text.split(',').map((part) => part.trim());
  // The library takes a bare number for an address.
  if (proxies.every((proxy) => !/^\w+$/.test(proxy) || NETWORKS.includes(proxy))) {
    try {
      return compile(proxies);
    } catch {
      // One is neither an address nor a subnet.
    }
  }
  const everybody = /^(true|yes|on|\*|all|0\.0\.0\.0\/0|::\/0)$/i.test(text)
    ? 'a trusted client can claim any address as its own, so not every address can be trusted; '
    : '';
  throw new UnusableText(
    `${everybody}expected the addresses or subnets of the proxies, comma-separated, such as 127.0.0.1 or 10.0.0.0/8, the names loopback, linklocal or uniquelocal, or the number of proxies, 1 to ${MAX_HOPS}`,
  );
}
