/**
 * The rules of the fetch standard (https://fetch.spec.whatwg.org/) by which a browser lets a page on another origin send
 * requests and read answers. Pure: requests and answers in, the objections of the browser out.
 */
import { shown } from '#core';

/** Names and values; repeated headers are repeated here. */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

export interface WireAnswer {
  readonly status: number;
  readonly headers: HeaderFields;
}

type OfAddress = 'no-connection' | 'scheme' | 'blocked-port' | 'mixed-content' | 'local-network';
type OfRedirect = 'redirect-nowhere' | 'redirect-with-password' | 'too-many-redirects';
type OfOrigin = 'no-allow-origin' | 'several-allow-origins' | 'other-allow-origin';
type OfCredentials = 'wildcard-with-credentials' | 'no-allow-credentials';
type OfPreflight = 'preflight-redirect' | 'preflight-status' | 'method-not-allowed' | 'header-not-allowed';
type OfSyntax = 'contradictory-header' | 'malformed-list';

/** Why a browser sends nothing or lets the page read nothing. */
export interface Objection {
  readonly code: OfAddress | OfRedirect | OfOrigin | OfCredentials | OfPreflight | OfSyntax;
  /** The header or the method that it is about. */
  readonly name?: string;
  /** What the answer or the address has there. */
  readonly value?: string;
}

const lower = (text: string): string => text.toLowerCase();

const valuesOf = (headers: HeaderFields, name: string): string[] =>
  headers.filter(([each]) => lower(each) === lower(name)).map(([, value]) => value.trim());

/** All values of a header, joined as in the standard; undefined if it is absent. */
export function headerValue(headers: HeaderFields, name: string): string | undefined {
  const values = valuesOf(headers, name);
  return values.length === 0 ? undefined : values.join(', ');
}

/** The elements of a header that is a list. */
const elementsOf = (headers: HeaderFields, name: string): string[] =>
  (headerValue(headers, name) ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

export const lowerElementsOf = (headers: HeaderFields, name: string): string[] =>
  elementsOf(headers, name).map(lower);

/** A single-valued header that an answer has with different values: Chromium rejects the whole answer. */
export function objectionToFields({ headers }: WireAnswer): Objection | undefined {
  for (const name of ['Location', 'Content-Disposition']) {
    const values = [...new Set(valuesOf(headers, name))];
    if (values.length > 1)
      return { code: 'contradictory-header', name, value: values.map(shown).join(' and ') };
  }
  return undefined;
}

/** The target of a redirect; undefined for any other answer. Chromium ignores an empty `Location`. */
export function locationOf({ status, headers }: WireAnswer): string | undefined {
  const [value] = isRedirect(status) ? valuesOf(headers, 'location') : [];
  return value === '' ? undefined : value;
}

/** Why a page on `origin` may not read the answer ("CORS check"); undefined if it may. */
export function objectionToOrigin(
  { headers }: WireAnswer,
  origin: string,
  credentials: boolean,
): Objection | undefined {
  const value = headerValue(headers, 'access-control-allow-origin');
  if (value === undefined) return { code: 'no-allow-origin' };
  if (value === '*') return credentials ? { code: 'wildcard-with-credentials' } : undefined;
  if (value !== origin)
    return { code: /[ ,]/.test(value) ? 'several-allow-origins' : 'other-allow-origin', value };
  const allowed = headerValue(headers, 'access-control-allow-credentials');
  return credentials && allowed !== 'true'
    ? { code: 'no-allow-credentials', value: allowed ?? '' }
    : undefined;
}

const ALLOW_METHODS = 'access-control-allow-methods';
const ALLOW_HEADERS = 'access-control-allow-headers';

/** Why the request may not follow this preflight; undefined if it may. @param names of the headers to be allowed */
export function objectionToPreflight(
  answer: WireAnswer,
  origin: string,
  { method, names, credentials }: { method: string; names: readonly string[]; credentials: boolean },
): Objection | undefined {
  const objection = objectionToOrigin(answer, origin, credentials);
  if (objection !== undefined) return objection;
  const { status, headers } = answer;
  if (isRedirect(status)) return { code: 'preflight-redirect', value: `${status}` };
  if (status < 200 || status > 299) return { code: 'preflight-status', value: `${status}` };

  const value = (name: string) => headerValue(headers, name) ?? '';
  const malformed = [ALLOW_METHODS, ALLOW_HEADERS].find((name) => !elementsOf(headers, name).every(isToken));
  if (malformed !== undefined) return { code: 'malformed-list', name: malformed, value: value(malformed) };
  const isIn = (list: readonly string[], name: string) =>
    list.includes(name) || (!credentials && list.includes('*'));
  if (!isSafelistedMethod(method) && !isIn(elementsOf(headers, ALLOW_METHODS), method))
    return { code: 'method-not-allowed', name: method, value: value(ALLOW_METHODS) };
  const name = names.find((each) => !isIn(lowerElementsOf(headers, ALLOW_HEADERS), each));
  return name === undefined ? undefined : { code: 'header-not-allowed', name, value: value(ALLOW_HEADERS) };
}

export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

export const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(text);

export const isSafelistedMethod = (method: string): boolean => ['GET', 'HEAD', 'POST'].includes(method);

export const isForbiddenMethod = (method: string): boolean => /^(CONNECT|TRACE|TRACK)$/i.test(method);

/** The method as a browser sends it: standard ones in upper case, others unchanged. */
export const sentMethod = (method: string): string =>
  /^(DELETE|GET|HEAD|OPTIONS|POST|PUT)$/i.test(method) ? method.toUpperCase() : method;

/** Headers that a page cannot set: the browser drops them silently. */
export const isForbiddenHeader = (name: string): boolean =>
  FORBIDDEN_HEADERS.includes(lower(name)) || /^(proxy|sec)-/i.test(name);

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
  const unsafe = headers.filter(([name, value]) => !isSafelisted(lower(name), value));
  const safe = headers.filter((field) => !unsafe.includes(field));
  const length = safe.reduce((sum, [, value]) => sum + value.length, 0);
  const asked = length > MAX_SAFE_VALUES ? headers : unsafe;
  return [...new Set(asked.map(([name]) => lower(name)))].toSorted();
}

const UNSAFE_BYTES = /[^\t\x20-\x7e\x80-\xff]|["():<>?@[\\\]{}\x7f]/;

const SAFE_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

function isSafelisted(name: string, value: string): boolean {
  if (value.length > MAX_SAFE_VALUE) return false;
  switch (name) {
    case 'accept':
      return !UNSAFE_BYTES.test(value);
    case 'accept-language':
    case 'content-language':
      return /^[0-9A-Za-z *,\-.;=]*$/.test(value);
    case 'content-type':
      return !UNSAFE_BYTES.test(value) && SAFE_TYPES.includes(lower(value.replace(/;.*/, '').trim()));
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
export function isExposed(name: string, headers: HeaderFields, credentials: boolean): boolean {
  if (/^set-cookie2?$/i.test(name)) return false;
  const exposed = [
    ...SAFELISTED_ANSWER_HEADERS,
    ...lowerElementsOf(headers, 'access-control-expose-headers'),
  ];
  return exposed.includes(lower(name)) || (!credentials && exposed.includes('*'));
}
