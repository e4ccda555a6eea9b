/** Parses origins into the form in which a browser writes them into the header `Origin`. */
import { shown, UnusableText } from '#core';

/** One origin (`scheme://host[:port]`), or `*` for every origin. */
export type AllowedOrigin = string;

/** The schemes of origins that pages have: of the web, of apps made of pages, and of browser extensions. */
export const SCHEMES = 'https?|capacitor|ionic|tauri|(?:chrome|moz)-extension';

const SHAPE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#\\\s]+)(.*)$/i;

/** The value of `ALLOWED_ORIGIN`. @throws UnusableText */
export function parseAllowedOrigin(text: string): AllowedOrigin {
  return text === '*'
    ? text
    : parseOrigin(text, 'Expected scheme://host[:port], such as https://app.example, or *');
}

/** The origin of a page: `null` for a file or a sandboxed frame. @throws UnusableText */
export function parsePageOrigin(text: string): string {
  const expected = 'Expected the origin of the page, such as https://app.example, or null for a file';
  if (text === '*') throw new UnusableText(`a page has one origin. ${expected}`);
  return text === 'null' ? text : parseOrigin(text, expected);
}

const KNOWN_SCHEME = new RegExp(`^(?:${SCHEMES})$`, 'i');

/** Scheme and host in lower case, the host in punycode, no default port. @param expected ends the message of the error */
function parseOrigin(text: string, expected: string): string {
  const unusable = (reason: string): UnusableText => new UnusableText(`${reason}. ${expected}`);
  if (/["']/.test(text)) throw unusable('remove the quotes');
  if (/^file:/i.test(text)) {
    throw unusable(
      'a page opened as a file has the origin "null", which stands for every file; serve it over http (python3 -m http.server)',
    );
  }
  if (/[\s,]/.test(text)) throw unusable('exactly one origin is expected, without spaces or commas');
  if (text.includes('*')) throw unusable('* stands alone, for every origin; it is not part of a name');
  if (text === 'null') {
    throw unusable(
      'pages that send "null" (files, sandboxed frames) cannot be told apart; serve them over http',
    );
  }
  const [, scheme = '', authority = '', rest = ''] = SHAPE.exec(text) ?? [];
  if (scheme === '') throw unusable(`the scheme is missing${completed(text)}`);
  if (!KNOWN_SCHEME.test(scheme)) {
    throw unusable(
      `the scheme is http or https, or of an app or extension (capacitor, ionic, tauri, chrome-extension, moz-extension), not ${shown(scheme)}`,
    );
  }
  if (authority.includes('@')) throw unusable('an origin has no user name or password');
  const bare = `${scheme}://${authority}`;
  if (!URL.canParse(bare)) throw unusable('the host or the port is not valid');
  const { protocol, host } = new URL(bare);
  // `URL` knows no origin of apps, and leaves their host as it is.
  const origin = `${protocol}//${host.toLowerCase()}`;
  if (rest === '/') throw unusable(`remove the trailing slash: ${origin}`);
  if (rest !== '') throw unusable(`remove the path: ${origin}`);
  return origin;
}

/** Suggests an origin if the scheme or a slash is missing, without path, user and password; for a port, that of this machine. */
function completed(text: string): string {
  const [, port] = /^:?(\d{1,5})$/.exec(text) ?? [];
  if (port !== undefined) return completed(`localhost:${port}`);
  const [, typed, authority = ''] = /^(?:(https?)(?::|(?=\/)))?\/*(?:.*@)?([^/?#]*)/i.exec(text) ?? [];
  if (authority === '') return '';
  const scheme = typed ?? (/^(localhost|127\.[\d.]+|\[::1\])(:|$)/i.test(authority) ? 'http' : 'https');
  return `; probably ${shown(`${scheme}://${authority}`)} is meant`;
}
