/**
 * The rules of the fetch standard (https://fetch.spec.whatwg.org/) by which a browser lets a page on another origin send
 * requests and read answers. Pure: requests and answers in, the objections of the browser out.
 */

/** Names and values; repeated headers are repeated here. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

export interface Answer {
  readonly status: number;
  readonly headers: HeaderFields;
}

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

/** All values of a header, joined as in the standard; undefined if it is absent. */
export function headerValue(headers: HeaderFields, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return values.length === 0 ? undefined : values.map(([, value]) => value.trim()).join(', ');
}

/** The elements of a header, in lower case. */
export const elementsOf = (headers: HeaderFields, name: string): string[] =>
  (headerValue(headers, name) ?? '').split(',').map((each) => each.trim().toLowerCase());

/** A single-valued header that an answer has with different values: Chromium rejects the whole answer. */
export function contradictoryHeader({ headers }: Answer): { name: string; values: string[] } | undefined {
  for (const name of ['Location', 'Content-Disposition']) {
    const fields = headers.filter(([each]) => each.toLowerCase() === name.toLowerCase());
    const values = [...new Set(fields.map(([, value]) => value.trim()))];
    if (values.length > 1) return { name, values };
  }
  return undefined;
}

/** The target of a redirect; undefined for any other answer. Chromium ignores an empty `Location`. */
export function locationOf({ status, headers }: Answer): string | undefined {
  const field = headers.find(([name]) => name.toLowerCase() === 'location');
  const value = isRedirect(status) ? field?.[1].trim() : undefined;
  return value === '' ? undefined : value;
}

/** Why a page on `origin` may not read the answer ("CORS check"); undefined if it may. */
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

/** Why the request may not follow this preflight; undefined if it may. @param names of the headers to be allowed */
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
  const wildcardApplies = !credentials;
  if (
    !isSafelistedMethod(method) &&
    !methods.includes(method) &&
    !(wildcardApplies && methods.includes('*'))
  ) {
    const value = headerValue(answer.headers, 'access-control-allow-methods');
    return { code: 'method-not-allowed', method, value };
  }
  const allowed = headers.map((each) => each.toLowerCase());
  for (const name of names) {
    if (allowed.includes(name) || (wildcardApplies && allowed.includes('*'))) continue;
    const value = headerValue(answer.headers, 'access-control-allow-headers');
    return { code: 'header-not-allowed', header: name, value };
  }
  return undefined;
}

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

export const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(text);

export const isSafelistedMethod = (method: string): boolean => ['GET', 'HEAD', 'POST'].includes(method);

export const isForbiddenMethod = (method: string): boolean =>
  ['CONNECT', 'TRACE', 'TRACK'].includes(method.toUpperCase());

/** The method as a browser sends it: standard ones in upper case, others unchanged. */
export function sentMethod(method: string): string {
  const upper = method.toUpperCase();
  return ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'PUT'].includes(upper) ? upper : method;
}

/** Headers that a page cannot set: the browser drops them silently. */
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

/** Maximum bytes of a header that needs no preflight, and of all such headers together. */
const MAX_SAFE_VALUE = 128;
const MAX_SAFE_VALUES = 1024;

/** The names, in lower case and sorted, of the headers that a preflight must allow. */
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

const SAFELISTED_ANSWER_HEADERS = [
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified'],
  'pragma',
];

/** Whether a page on another origin that may read the answer may also read one of its headers. */
export function isExposed(name: string, { headers }: Answer, credentials: boolean): boolean {
  const lower = name.toLowerCase();
  if (lower === 'set-cookie' || lower === 'set-cookie2') return false;
  const exposed = elementsOf(headers, 'access-control-expose-headers');
  return (
    SAFELISTED_ANSWER_HEADERS.includes(lower) ||
    exposed.includes(lower) ||
    (!credentials && exposed.includes('*'))
  );
}

/** The result in mode `no-cors`: an opaque answer or a failure; `by site` depends on the list of public suffixes. */
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
 * Whether two hosts belong to one site, as far as that can be known without the list of public suffixes. In Chromium two
 * addresses never do, even equal ones.
 */
function relationOf(one: string, other: string): 'opaque' | 'failure' | 'by site' {
  const isAddress = (host: string): boolean => /^[\d.]+$|^\[/.test(host);
  if (isAddress(one) || isAddress(other)) return 'failure';
  if (one === other) return 'opaque';
  const endOf = (host: string): string => host.split('.').slice(-2).join('.');
  return endOf(one) === endOf(other) ? 'by site' : 'failure';
}

/** Whether only `*` allowed the header Authorization, which Chromium accepts and the standard does not. */
export function allowsAuthorizationByWildcard(preflight: Answer, names: readonly string[]): boolean {
  const allowed = (headerValue(preflight.headers, 'access-control-allow-headers') ?? '').toLowerCase();
  return (
    names.includes('authorization') &&
    allowed.includes('*') &&
    !/(^|[\s,])authorization($|[\s,])/.test(allowed)
  );
}
