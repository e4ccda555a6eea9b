/**
 * Reads the settings that bound what clients may take.
 */
import { compile } from '@fastify/proxy-addr';

/** So many requests of each client in so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** Whether an address is that of a proxy whose `X-Forwarded-For` is believed; hop 0 is who connects. */
export type TrustProxy = (address: string, hop: number) => boolean;

/** A value that cannot be used; the message says what is expected. */
export class NotALimit extends Error {}

const MAX_WINDOW = 86_400;
const MAX_HOPS = 16;

/** Names of networks that the library knows. */
const NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** @throws NotALimit */
export function parseRateLimit(text: string): RateLimit {
  const [, requests, seconds] = /^(\d{1,9})\/(\d{1,5})$/.exec(text) ?? [];
  const limit = { requests: Number(requests), seconds: Number(seconds) };
  if (limit.requests > 0 && limit.seconds > 0 && limit.seconds <= MAX_WINDOW) return limit;
  throw new NotALimit(
    'expected REQUESTS/SECONDS, two whole numbers from 1 on, the seconds at most 86400, such as 100/60 for 100 requests a minute',
  );
}

/** @throws NotALimit */
export function parseTrustProxy(text: string): TrustProxy {
  if (/^\d{1,2}$/.test(text) && Number(text) > 0 && Number(text) <= MAX_HOPS) {
    const hops = Number(text);
    return (_address, hop) => hop < hops;
  }
  try {
    const proxies = text.split(',').map((part) => part.trim());
    // To the library a bare number is an address.
    if (proxies.some((proxy) => /^\w+$/.test(proxy) && !NETWORKS.includes(proxy))) throw new NotALimit();
    return compile(proxies);
  } catch {
    const everybody = /^(true|yes|on|\*|all|0\.0\.0\.0\/0|::\/0)$/i.test(text)
      ? 'whoever is trusted can name any address as its own, so not everybody can be; '
      : '';
    throw new NotALimit(
      `${everybody}expected the addresses or subnets of the proxies, parted by commas, such as 127.0.0.1 or 10.0.0.0/8, the names loopback, linklocal or uniquelocal, or how many proxies there are, 1 to ${MAX_HOPS}`,
    );
  }
}
