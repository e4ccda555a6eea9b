/** Reads a request to the search: its text, and the client itself. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { SEARCH } from '../operations/outcomes.ts';
import type { TrustProxy } from '../settings/settings.ts';
import { MAX_ELEMENTS } from './coding.ts';

/** Whether a request target is that of the search as browsers write it. */
export function isFoodTarget(target: string): boolean {
  const { path } = SEARCH;
  return target.startsWith(path) && (target.length === path.length || target[path.length] === '?');
}

/** The parameters of a request, decoded as browsers encode them. */
function parametersOf(target: string): URLSearchParams {
  const mark = target.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
}

/** The first value of a parameter. */
export const parameterOf = (target: string, parameter: string): string | undefined =>
  parametersOf(target).get(parameter) ?? undefined;

/** The lines of all values of a parameter. */
export const linesOf = (target: string, parameter: string): readonly string[] =>
  parametersOf(target)
    .getAll(parameter)
    .flatMap((value) => value.split(/[\r\n]+/))
    .filter((line) => line !== '');

/** Groups of 16 bits of an IPv6 address that identify a client: a /64, which a provider assigns as a whole. */
const CLIENT_PARTS = 4;

const MAPPED = '::ffff:';

/** An address as proxies write it: with quotes, with brackets and a port, with a zone. */
const WRITTEN = /^"?(?:\[([^\]%]+)(?:%[^\]]*)?\](?::\w+)?|([^"[\]%]+)(?:%[^"[\]]*)?)"?$/;

/** A key for each client, behind trusted proxies, too: its IPv4 address, or the network of its IPv6 address. */
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
 * (`unknown`), its own address counts, since nothing else vouches for the entries before it.
 */
function forwardedAddress({ headers }: IncomingMessage, own: string, trust: TrustProxy): string {
  const forwarded = headers['x-forwarded-for'];
  if (typeof forwarded !== 'string') return own;
  let address = own;
  let hop = 0;
  let end = forwarded.length;
  for (let read = 0; read < MAX_ELEMENTS && end > 0 && trust(address, hop); read++) {
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
