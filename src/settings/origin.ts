/**
 * Reads the origin that may read the answers, in the form in which a browser writes it into `Origin`.
 */
import { shown } from '../errors.ts';

/** One origin (`scheme://host[:port]`), or `*` for every origin. */
export type AllowedOrigin = string;

/** A value that is not an origin; the message says why, and what would be right. */
export class NotAnOrigin extends Error {}

const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\\s]+)(.*)$/i;

/**
 * The origin as browsers write it: scheme and host in lower case, the host in punycode, no default port.
 * @throws NotAnOrigin
 */
export function parseAllowedOrigin(value: string): AllowedOrigin {
  if (value === '*') return value;
  if (/[\s,]/.test(value)) throw new NotAnOrigin('exactly one origin is expected, without spaces or commas');
  if (value.includes('*'))
    throw new NotAnOrigin('* stands alone, for every origin; it is not part of a name');
  if (value === 'null') {
    throw new NotAnOrigin(
      'pages that send "null" (files, sandboxed frames) cannot be told apart; serve them over http',
    );
  }
  const [, scheme = '', authority = '', rest = ''] = SHAPE.exec(value) ?? [];
  if (scheme === '') throw new NotAnOrigin(`the scheme is missing${completed(value)}`);
  if (!/^https?$/i.test(scheme)) throw new NotAnOrigin(`the scheme is http or https, not ${shown(scheme)}`);
  if (authority.includes('@')) throw new NotAnOrigin('an origin holds no user name or password');
  const bare = `${scheme}://${authority}`;
  const { origin } = URL.canParse(bare) ? new URL(bare) : { origin: 'null' };
  if (origin === 'null') throw new NotAnOrigin('the host or the port is not valid');
  if (rest === '/') throw new NotAnOrigin(`remove the trailing slash: ${origin}`);
  if (rest !== '') throw new NotAnOrigin(`remove the path: ${origin}`);
  return origin;
}

/** What is probably meant by an origin without scheme, or with too few slashes; without what else an origin does not hold. */
function completed(value: string): string {
  const [, typed, authority = ''] = /^(https?:)?\/*(?:.*@)?([^/?#]*)/i.exec(value) ?? [];
  if (authority === '') return '';
  const scheme = typed ?? (/^(localhost|127\.[\d.]+|\[::1\])(:|$)/i.test(authority) ? 'http:' : 'https:');
  return `; probably ${shown(`${scheme}//${authority}`)} is meant`;
}
