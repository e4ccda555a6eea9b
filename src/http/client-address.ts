/**
 * Who asks, also behind proxies: the last address of `X-Forwarded-For` that no trusted proxy has.
 */
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import type { TrustProxy } from '../limits.ts';

/** Parts of 16 bits of an IPv6 address that one client has to itself: a /64. */
const CLIENT_PARTS = 4;

/** A key for each client: its IPv4 address, or the network of its IPv6 address. */
export function clientOf(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const address = trust === undefined ? (request.socket.remoteAddress ?? '') : proxyAddress(request, trust);
  if (!ipaddr.isValid(address)) return address.slice(0, 64);
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts.slice(0, CLIENT_PARTS).join(':');
}
