/**
 * The rules of the fetch standard (https://fetch.spec.whatwg.org/) by which a browser lets a page on another origin
 * ask, and read. Pure: what is sent and answered comes in, what the browser objects to comes out.
 */

/** Names and values, a name as often as it was sent. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

export interface Answer {
  readonly status: number;
  readonly headers: HeaderFields;
}

/** What a browser objects to in an answer. */
export type Objection =
  | { readonly code: 'no-allow-origin' }
  | { readonly code: 'several-allow-origins'; readonly value: string }
  | { readonly code: 'other-allow-origin'; readonly value: string }
  | { readonly code: 'wildcard-with-credentials' }
  | { readonly code: 'no-allow-credentials'; readonly value: string | undefined }
  | { readonly code: 'preflight-redirect'; readonly status: number }
  | { readonly code: 'preflight-status'; readonly status: number }
  | { readonly code: 'malformed-list'; readonly header: string; readonly value: string }
  | { readonly code: 'method-not-allowed'; readonly method: string; readonly value: string | undefined }
  | {
      readonly code: 'header-not-allowed';
      readonly header: string;
      readonly value: string | undefined;
    };

/** A header as the standard gets it: all its values, joined; undefined where there is none. */
export function headerValue(headers: HeaderFields, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value.trim()).join(', ');
}

/** A header that an answer has with two values where only one makes sense: Chromium drops the whole answer. */
export function contradictoryHeader({ headers }: Answer): { name: string; values: string[] } | undefined {
  for (const name of ['Location', 'Content-Disposition']) {
    const fields = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
    const values = [...new Set(fields.map(([, value]) => value.trim()))];
    if (values.length > 1) return { name, values };
  }
  return undefined;
}

/** Where a redirect leads; undefined where the answer is none. Chromium takes an empty `Location` for none at all. */
export function locationOf({ status, headers }: Answer): string | undefined {
  const field = headers.find(([name]) => name.toLowerCase() === 'location');
  const value = isRedirect(status) ? field?.[1].trim() : undefined;
  return value === '' ? undefined : value;
}

/** Whether the answer to a request of an origin may be read ("CORS check"). */
export function objectionToOrigin(
  { headers }: Answer,
  origin: string,
  credentials: boolean,
): Objection | undefined {
  const value = headerValue(headers, 'access-control-allow-origin');
  if (value === undefined) return { code: 'no-allow-origin' };
  if (value === '*') return credentials ? { code: 'wildcard-with-credentials' } : undefined;
  if (value !== origin) {
    return /[ ,]/.test(value)
      ? { code: 'several-allow-origins', value }
      : { code: 'other-allow-origin', value };
  }
  const allowed = headerValue(headers, 'access-control-allow-credentials');
  return credentials && allowed !== 'true' ? { code: 'no-allow-credentials', value: allowed } : undefined;
}

/** Whether the answer to a preflight lets the request follow. @param names of the headers that need to be allowed */
export function objectionToPreflight(
  answer: Answer,
  origin: string,
  { method, names, credentials }: { method: string; names: readonly string[]; credentials: boolean },
): Objection | undefined {
  const objection = objectionToOrigin(answer, origin, credentials);
  if (objection !== undefined) return objection;
  const { status } = answer;
  if (isRedirect(status)) return { code: 'preflight-redirect', status };
  if (status < 200 || status > 299) return { code: 'preflight-status', status };

  const lists: string[][] = [];
  for (const header of ['access-control-allow-methods', 'access-control-allow-headers']) {
    const value = headerValue(answer.headers, header);
    const list = (value ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (!list.every(isToken)) return { code: 'malformed-list', header, value: value ?? '' };
    lists.push(list);
  }
  const [methods = [], headers = []] = lists;
  const wildcardCounts = !credentials;
  if (
    !isSafelistedMethod(method) &&
    !methods.includes(method) &&
    !(wildcardCounts && methods.includes('*'))
  ) {
    const value = headerValue(answer.headers, 'access-control-allow-methods');
    return { code: 'method-not-allowed', method, value };
  }
  const allowed = headers.map((each) => each.toLowerCase());
  for (const name of names) {
    if (allowed.includes(name) || (wildcardCounts && allowed.includes('*'))) continue;
    const value = headerValue(answer.headers, 'access-control-allow-headers');
    return { code: 'header-not-allowed', header: name, value };
  }
  return undefined;
}

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

export const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(text);

/** Methods that need no preflight. */
export const isSafelistedMethod = (method: string): boolean => ['GET', 'HEAD', 'POST'].includes(method);

/** Methods that no page may use. */
export const isForbiddenMethod = (method: string): boolean =>
  ['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase());

/** A method as a browser sends it: these in upper case, all others as they are written. */
export function sentMethod(method: string): string {
  const upper = method.toUpperCase();
  return ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'].includes(upper) ? upper : method;
}

/** Headers that a page cannot set: a browser leaves them out without a word. */
export function isForbiddenHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return FORBIDDEN_HEADERS.includes(lower) || lower.startsWith('proxy-') || lower.startsWith('sec-');
}

const FORBIDDEN_HEADERS = [
  ...['accept-charset', 'accept-encoding', 'access-control-request-headers', 'access-control-request-method'],
  ...['access-control-request-private-network', 'connection', 'content-length', 'cookie', 'cookie2', 'date'],
  ...['dnt', 'expect', 'host', 'keep-alive', 'origin', 'referer', 'set-cookie', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'via'],
];

/** Bytes that a header needs no preflight for may hold at most, alone and together. */
const MAX_SAFE_VALUE = 128;
const MAX_SAFE_VALUES = 1024;

/** The names, in lower case and in order, of the headers for which a preflight asks. */
export function namesToAllow(headers: HeaderFields): readonly string[] {
  const unsafe: string[] = [];
  const safe: string[] = [];
  let length = 0;
  for (const [name, value] of headers) {
    if (!isSafelisted(name.toLowerCase(), value)) unsafe.push(name.toLowerCase());
    else {
      safe.push(name.toLowerCase());
      length += value.length;
    }
  }
  if (length > MAX_SAFE_VALUES) unsafe.push(...safe);
  return [...new Set(unsafe)].toSorted();
}

const UNSAFE_BYTES = /[^\t\x20-\x7e\x80-\xff]|["():<>?@[\\\]{}\x7f]/;

function isSafelisted(name: string, value: string): boolean {
  if (value.length > MAX_SAFE_VALUE) return false;
  switch (name) {
    case 'accept':
      return !UNSAFE_BYTES.test(value);
    case 'accept-language':
    case 'content-language':
      return /^[0-9A-Za-z *,\-.;=]*$/.test(value);
    case 'content-type': {
      const [essence = ''] = value.split(';');
      return (
        !UNSAFE_BYTES.test(value) &&
        ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'].includes(
          essence.trim().toLowerCase(),
        )
      );
    }
    case 'range': {
      const [, first, last = ''] = /^bytes=(\d+)-(\d*)$/.exec(value) ?? [];
      return first !== undefined && (last === '' || Number(first) <= Number(last));
    }
    default:
      return false;
  }
}

/** Headers of an answer that every page on another origin may read. */
const SAFELISTED_ANSWER_HEADERS = [
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified'],
  'pragma',
];

/** Whether a page on another origin may read a header of an answer that it may read. */
export function isExposed(name: string, { headers }: Answer, credentials: boolean): boolean {
  const lower = name.toLowerCase();
  if (lower === 'set-cookie' || lower === 'set-cookie2') return false;
  const exposed = (headerValue(headers, 'access-control-expose-headers') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase());
  return (
    SAFELISTED_ANSWER_HEADERS.includes(lower) ||
    exposed.includes(lower) ||
    (!credentials && exposed.includes('*'))
  );
}

/** What a page in mode `no-cors` gets: an answer that it cannot look into, or a failure. */
export function noCorsOutcome(answer: Answer, origin: string, url: URL): 'opaque' | 'failure' | 'by site' {
  const policy = headerValue(answer.headers, 'cross-origin-resource-policy');
  if (policy === 'same-origin') return origin === url.origin ? 'opaque' : 'failure';
  if (policy !== 'same-site') return 'opaque';
  if (!URL.canParse(origin)) return 'failure';
  const page = new URL(origin);
  if (url.protocol === 'https:' && page.protocol !== 'https:') return 'failure';
  return relationOf(page.hostname, url.hostname);
}

/**
 * Whether two hosts are of one site, as far as that can be told without the list of public suffixes. For Chromium two
 * addresses are not, even where they are equal.
 */
function relationOf(one: string, other: string): 'opaque' | 'failure' | 'by site' {
  const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host);
  if (isAddress(one) || isAddress(other)) return 'failure';
  if (one === other) return 'opaque';
  const endOf = (host: string): string => host.split('.').slice(-2).join('.');
  return endOf(one) === endOf(other) ? 'by site' : 'failure';
}

/** Whether the header Authorization was let pass by `*` alone, which the standard forbids and Chromium allows. */
export function letsAuthorizationPassByWildcard(preflight: Answer, names: readonly string[]): boolean {
  const allowed = (headerValue(preflight.headers, 'access-control-allow-headers') ?? '').toLowerCase();
  return (
    names.includes('authorization') &&
    allowed.includes('*') &&
    !/(^|[\s,])authorization($|[\s,])/.test(allowed)
  );
}
