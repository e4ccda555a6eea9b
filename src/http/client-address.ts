/**
 * Who asks, also behind proxies: the last address of `X-Forwarded-For` that no trusted proxy has.
 */
import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import ipaddr from 'ipaddr.js';
import type { TrustProxy } from '../limits.ts';

/** Parts of 16 bits of an IPv6 address that one client has to itself: a /64. */
const CLIENT_PARTS = 4;

/** How an IPv4 address reads on a socket that takes both kinds. */
const MAPPED = '::ffff:';

/** Characters of what a proxy passes on as an address and is none. */
const MAX_LENGTH = 64;

/** A key for each client: its IPv4 address, or the network of its IPv6 address. */
export function clientOf(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const address = trust === undefined ? (request.socket.remoteAddress ?? '') : proxyAddress(request, trust);
  // The addresses of most requests need no parser.
  const plain = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (!plain.includes(':')) return plain.slice(0, MAX_LENGTH);
  if (!ipaddr.isValid(address)) return address.slice(0, MAX_LENGTH);
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, CLIENT_PARTS).join(':') : parsed.toString();
}
