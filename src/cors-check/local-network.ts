/**
 * Requests from a public page into the user's own network, which Chromium guards ("Local Network Access"). The address of
 * a host decides, not its name.
 */
import { BlockList, isIP } from 'node:net';

/** The classes of addresses in Chromium; `loopback` is the machine itself, `local` a network at home or in a company. */
export type AddressSpace = 'loopback' | 'local' | 'public';

export interface LocalAccess {
  readonly host: string;
  readonly space: Exclude<AddressSpace, 'public'>;
  /** `unknown`: the address of the page is not known; unless it is public, Chromium guards nothing. */
  readonly outcome: 'asks the user' | 'blocked' | 'unknown';
}

/** The address spaces in words. */
export const WHERE: Readonly<Record<LocalAccess['space'], string>> = {
  loopback: "the user's own machine",
  local: 'in a local network',
};

/** Looks up the address of a host name; undefined if it is not known. */
export type AddressOf = (name: string) => Promise<string | undefined>;

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

const LOOPBACK = blockList(['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128']);
const LOCAL = blockList([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', '2001:db8::/32', '3fff::/20'],
]);

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

/** An IPv4-mapped IPv6 address is in the space of its IPv4 address. */
function spaceOfAddress(address: string): AddressSpace {
  const family = familyOf(address);
  if (LOOPBACK.check(address, family)) return 'loopback';
  return LOCAL.check(address, family) ? 'local' : 'public';
}

/** The space of a host without looking it up; undefined for a name other than localhost. */
export function spaceOfHost(host: string): AddressSpace | undefined {
  if (isLocalhost(host)) return 'loopback';
  const address = host.replace(/^\[|\]$/g, '');
  return isIP(address) === 0 ? undefined : spaceOfAddress(address);
}

export const isLocalhost = (host: string): boolean => /^(.+\.)?localhost\.?$/.test(host);

/** How Chromium treats a request into a network if the page may be outside it; undefined if it allows the request. */
export async function localAccess(
  url: URL,
  pageOrigin: string,
  addressOf: AddressOf,
): Promise<LocalAccess | undefined> {
  // A file is on the machine itself.
  if (!URL.canParse(pageOrigin)) return undefined;
  const page = new URL(pageOrigin);
  if (isWithin(spaceOfHost(page.hostname))) return undefined;
  const space = await spaceOf(url.hostname, addressOf);
  if (!isWithin(space)) return undefined;
  const from = await spaceOf(page.hostname, addressOf);
  if (isWithin(from)) return undefined;
  const guard = page.protocol === 'https:' ? 'asks the user' : 'blocked';
  return { host: url.hostname, space, outcome: from === 'public' ? guard : 'unknown' };
}

const isWithin = (space: AddressSpace | undefined): space is LocalAccess['space'] =>
  space !== undefined && space !== 'public';

async function spaceOf(host: string, addressOf: AddressOf): Promise<AddressSpace | undefined> {
  const known = spaceOfHost(host);
  if (known !== undefined) return known;
  const address = await addressOf(host);
  return address === undefined ? undefined : spaceOfAddress(address);
}
