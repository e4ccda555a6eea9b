/** Addresses to which a browser sends nothing at all, and those in the user's own network, which Chromium guards. */
import ipaddr from 'ipaddr.js';
import type { Objection } from './fetch-rules.ts';

/** Ports of other protocols (fetch standard, "bad port"); without 4190 and 6679, which Chromium allows. */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080,
]);

/** Why a page may not send anything to an address; undefined if it may. */
export function unreachable(url: URL, pageOrigin: string): Objection | undefined {
  if (!/^https?:$/.test(url.protocol)) return { code: 'scheme', value: url.protocol.slice(0, -1) };
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port)))
    return { code: 'blocked-port', value: url.port };
  return isInsecure(url, pageOrigin) && !isNear(url.hostname) ? { code: 'mixed-content' } : undefined;
}

export const isInsecure = (url: URL, pageOrigin: string): boolean =>
  pageOrigin.startsWith('https:') && url.protocol === 'http:';

/** Whether a host is this machine, which Chromium and Firefox trust even without https. */
export const isLoopback = (host: string): boolean =>
  isLocalhost(host) || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** Whether the host itself is on this machine or in a local network: Chromium asks the user instead of blocking. */
export const isNear = (host: string): boolean => /^(.+\.)?local\.?$/.test(host) || isWithin(spaceOf(host));

/** The classes of addresses in Chromium; `loopback` is the machine itself, `local` a network at home or in a company. */
type AddressSpace = 'loopback' | 'local' | 'public';

export interface LocalAccess {
  readonly host: string;
  readonly space: Exclude<AddressSpace, 'public'>;
  /** `unknown`: the address of the page is not known; unless it is public, Chromium guards nothing. */
  readonly outcome: 'asks the user' | 'blocked' | 'unknown';
}

export const WHERE: Readonly<Record<LocalAccess['space'], string>> = {
  loopback: "the user's own machine",
  local: 'in a local network',
};

export type AddressOf = (name: string) => Promise<string | undefined>;

const SPACES = {
  loopback: ['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128'].map(ipaddr.parseCIDR),
  local: [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    ...['fc00::/7', 'fe80::/10', 'fec0::/10', '2001:db8::/32', '3fff::/20'],
  ].map(ipaddr.parseCIDR),
};

/** The space of a host without looking it up; undefined for a name other than localhost. */
function spaceOf(host: string): AddressSpace | undefined {
  if (isLocalhost(host)) return 'loopback';
  const address = host.replace(/^\[|\]$/g, '');
  if (!ipaddr.isValid(address)) return undefined;
  // An IPv4-mapped IPv6 address is in the space of its IPv4 address.
  return ipaddr.subnetMatch(ipaddr.process(address), SPACES, 'public') as AddressSpace;
}

const isLocalhost = (host: string): boolean => /^(.+\.)?localhost\.?$/.test(host);

/** How Chromium treats a request into a network if the page may be outside it; undefined if it allows the request. */
export async function localAccess(
  url: URL,
  pageOrigin: string,
  addressOf: AddressOf,
): Promise<LocalAccess | undefined> {
  // A file, an app or an extension is on the machine itself.
  if (!/^https?:/.test(pageOrigin)) return undefined;
  const page = new URL(pageOrigin);
  if (isWithin(spaceOf(page.hostname))) return undefined;
  const lookedUp = async ({ hostname }: URL) =>
    spaceOf(hostname) ?? spaceOf((await addressOf(hostname)) ?? '');
  const space = await lookedUp(url);
  if (!isWithin(space)) return undefined;
  const from = await lookedUp(page);
  if (isWithin(from)) return undefined;
  const guard = page.protocol === 'https:' ? 'asks the user' : 'blocked';
  return { host: url.hostname, space, outcome: from === 'public' ? guard : 'unknown' };
}

const isWithin = (space: AddressSpace | undefined): space is LocalAccess['space'] =>
  space === 'loopback' || space === 'local';
