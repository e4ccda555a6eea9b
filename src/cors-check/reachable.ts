/**
 * Addresses to which a browser sends nothing at all.
 */
import { isLocalhost, spaceOfHost } from './local-network.ts';

/**
 * Ports of other protocols, which pages may not reach (fetch standard, "bad port"); without 4190 and 6679, which
 * Chromium allows.
 */
export const BLOCKED_PORTS: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103],
  ...[
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514,
  ],
  ...[515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723],
  ...[2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080],
]);

export type Unreachable =
  | { readonly code: 'scheme'; readonly scheme: string }
  | { readonly code: 'blocked-port'; readonly port: number }
  | { readonly code: 'mixed-content' };

/** Why a page may not send anything to an address; undefined if it may. */
export function unreachable(url: URL, pageOrigin: string): Unreachable | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { code: 'scheme', scheme: url.protocol.slice(0, -1) };
  }
  if (url.port !== '' && BLOCKED_PORTS.has(Number(url.port))) {
    return { code: 'blocked-port', port: Number(url.port) };
  }
  return isInsecure(url, pageOrigin) && !isNear(url.hostname) ? { code: 'mixed-content' } : undefined;
}

/** Whether an https page sends a request to an http address. */
export const isInsecure = (url: URL, pageOrigin: string): boolean =>
  pageOrigin.startsWith('https:') && url.protocol === 'http:';

/** Whether a host is this machine, which Chromium and Firefox trust even without https. */
export const isLoopback = (host: string): boolean =>
  isLocalhost(host) || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/**
 * Whether the host itself, without a lookup, is on this machine or in a local network. Chromium asks the user instead of
 * blocking.
 */
export const isNear = (host: string): boolean =>
  /^(.+\.)?local\.?$/.test(host) || (spaceOfHost(host) ?? 'public') !== 'public';
