/**
 * Finds what is wrong with a request that Node.js' parser lets pass.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

interface RequestFault {
  readonly status: number;
  readonly message: string;
}

export const LATER_VERSION: RequestFault = {
  status: 505,
  message: 'The service understands HTTP/1.1, and no later version.',
};
const FRAGMENT: RequestFault = {
  status: 400,
  message: 'The address of the request contains a #. It must be percent-encoded: %23.',
};
const badHost = (fault: string): RequestFault => ({ status: 400, message: `The header Host is ${fault}.` });
const TWO_HOSTS = badHost('there more than once');
const NO_HOST = badHost('missing');
const NOT_A_HOST = badHost('neither a name nor an address, with or without a port');

const HOST = 'host';

/** A name, which may be empty, or an IPv4 address (RFC 3986, 3.2.2); and a port. */
const NAME = /^(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*(?::\d*)?$/i;

/** An IPv6 address, as some clients write it with its zone: `[fe80::1%eth0]:3001`. */
const IPV6 = /^\[([\da-f:.]+)(?:%[\w.~-]+)?\](?::\d*)?$/i;

/** The last valid `Host`: most requests have the same. */
let lastHost = '';

/** The fault of a request, after which its connection is closed. */
export function requestFaultOf(request: IncomingMessage): RequestFault | undefined {
  if (request.httpVersionMajor > 1) return LATER_VERSION;
  return hostFaultOf(request) ?? (request.url?.includes('#') ? FRAGMENT : undefined);
}

/** What is wrong with the header `Host` (RFC 9112, 3.2). */
function hostFaultOf({ httpVersion, rawHeaders }: IncomingMessage): RequestFault | undefined {
  let host: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== HOST.length || name.toLowerCase() !== HOST) continue;
    if (host !== undefined) return TWO_HOSTS;
    host = rawHeaders[i + 1] as string;
  }
  if (host === undefined) return httpVersion === '1.1' ? NO_HOST : undefined;
  if (host === lastHost) return undefined;
  if (!NAME.test(host) && !isIPv6(IPV6.exec(host)?.[1] ?? '')) return NOT_A_HOST;
  lastHost = host;
  return undefined;
}
