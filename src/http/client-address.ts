/**
 * Identifies the client of a request, also behind proxies: by the last address in `X-Forwarded-For` that is not a trusted proxy's.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { TrustProxy } from '../settings/settings.ts';

/** Groups of 16 bits of an IPv6 address that identify a client: a /64, which a provider assigns as a whole. */
const CLIENT_PARTS = 4;

const MAPPED = '::ffff:';

/** Entries of `X-Forwarded-For` that are read, from the right: as many proxies as `TRUST_PROXY` can count. */
const MAX_ENTRIES = 16;

/** An address as proxies write it: with quotes, with brackets and a port, with a zone. */
const WRITTEN = /^"?(?:\[([^\]%]+)(?:%[^\]]*)?\](?::\w+)?|([^"[\]%]+)(?:%[^"[\]]*)?)"?$/;

/** A key for each client: its IPv4 address, or the network of its IPv6 address. */
export function clientOf(request: IncomingMessage, trust: TrustProxy | undefined): string {
  const own = request.socket.remoteAddress ?? '';
  const address = trust === undefined ? own : forwardedAddress(request, own, trust);
  // The addresses of most requests need no parser.
  const plain = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address;
  if (!plain.includes(':')) return plain;
  // A zone (`fe80::1%eth0`) is no part of the network.
  const parsed = ipaddr.process(address.replace(/%.*/, ''));
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, CLIENT_PARTS).join(':') : parsed.toString();
}

/**
 * Walks back from the connection through trusted proxies. If one of them passes on something that is not an address
 * (`unknown`), its own address counts, since nothing else vouches for the entries before it. The entry furthest back that is
 * read counts as the client even if it is a trusted proxy.
 */
function forwardedAddress({ headers }: IncomingMessage, own: string, trust: TrustProxy): string {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return own;
  let address = own;
  let hop = 0;
  let end = forwarded.length;
  for (let read = 0; read < MAX_ENTRIES && end > 0 && trust(address, hop); read++) {
    const comma = forwarded.lastIndexOf(',', end - 1);
    const entry = forwarded.slice(comma + 1, end).trim();
    end = comma;
    if (entry === '') continue;
    const named = addressIn(entry);
    if (named === undefined) break;
    address = named;
    hop++;
  }
  return address;
}

/** The address of an entry, without the port that some proxies write: `192.0.2.1:40001`, `[2001:db8::1]:40001`. */
function addressIn(entry: string): string | undefined {
  if (isIP(entry) !== 0) return entry;
  const [, bracketed = '', bare = ''] = WRITTEN.exec(entry) ?? [];
  return [bracketed, bare, bare.replace(/:\d+$/, '')].find((address) => isIP(address) !== 0);
}
