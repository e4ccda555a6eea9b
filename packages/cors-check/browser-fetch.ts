/**
 * Does what a browser does when a page calls `fetch`: preflight, request, redirects (fetch standard, "main fetch" to
 * "HTTP-redirect fetch"). It sends through a function, so that tests need no network.
 */
import {
  type HeaderFields,
  isSafelistedMethod,
  locationOf,
  namesToAllow,
  type Objection,
  objectionToFields,
  objectionToOrigin,
  objectionToPreflight,
  type WireAnswer,
} from './fetch-rules.ts';
import { type AddressOf, type LocalAccess, localAccess, unreachable, WHERE } from './reachable.ts';

export interface PageRequest {
  readonly url: URL;
  /** Origin of the page, as the browser writes it; `null` for a file or a sandboxed frame. */
  readonly origin: string;
  readonly method: string;
  readonly headers: HeaderFields;
  /** Whether the page calls with `credentials: 'include'`. */
  readonly credentials: boolean;
}

/** Without the headers that every request has. */
export type WireRequest = Pick<PageRequest, 'method' | 'url' | 'headers'>;

export interface Network {
  /** Sends one request and follows no redirect. If no answer arrives, the value of the objection is a clause that says why. */
  readonly send: (request: WireRequest) => Promise<WireAnswer | Objection>;
  readonly addressOf: AddressOf;
}

type Kind = 'preflight' | 'request';

export interface Step extends WireRequest {
  readonly kind: Kind;
  /** Undefined: no answer arrived. */
  readonly answer: WireAnswer | undefined;
}

export interface Rejection extends Objection {
  readonly kind: Kind;
  readonly url: URL;
  /** The header `Origin` for this address; some redirects turn it into `null`. */
  readonly sentOrigin: string;
}

export interface FetchTrace {
  readonly steps: readonly Step[];
  /** Undefined: the page may read the last answer. */
  readonly fault: Rejection | undefined;
  /** Whether the answer comes from the page's own origin, so that no rule of CORS applies. */
  readonly sameOrigin: boolean;
  /** The first request into a network that the browser guards. */
  readonly localAccess: LocalAccess | undefined;
}

const MAX_REDIRECTS = 20;

/** Headers that describe a body; the browser drops them if a redirect turns the request into a GET. */
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type'];

/** The request of the page as the redirects so far have changed it. */
interface Hop extends PageRequest {
  /** Whether this address or an earlier one is not on the origin of the page. */
  readonly crossOrigin: boolean;
  readonly redirects: number;
}

export async function browserFetch(page: PageRequest, network: Network): Promise<FetchTrace> {
  const steps: Step[] = [];
  let access: LocalAccess | undefined;
  let hop: Hop = { ...page, crossOrigin: page.url.origin !== page.origin, redirects: 0 };
  const traceOf = (objection?: Objection, kind: Kind = 'request'): FetchTrace => ({
    steps,
    sameOrigin: steps.every(({ url }) => url.origin === page.origin),
    localAccess: access,
    fault: objection && { ...objection, kind, url: hop.url, sentOrigin: hop.origin },
  });
  const ask = async (kind: Kind, sent: WireRequest): Promise<WireAnswer | Objection> => {
    const answer = await network.send(sent);
    const failed = 'code' in answer;
    steps.push({ ...sent, kind, answer: failed ? undefined : answer });
    return failed ? answer : (objectionToFields(answer) ?? answer);
  };

  for (;;) {
    const closed = unreachable(hop.url, page.origin);
    if (closed !== undefined) return traceOf(closed);
    const local = await localAccess(hop.url, page.origin, network.addressOf);
    access ??= local;
    if (local?.outcome === 'blocked') return traceOf({ code: 'local-network', value: WHERE[local.space] });

    const objection = await preflight(hop, ask);
    if (objection !== undefined) return traceOf(objection, 'preflight');
    const answer = await request(hop, ask);
    if ('code' in answer) return traceOf(answer);

    const location = locationOf(answer);
    if (location === undefined) return traceOf();
    const next = redirected(hop, answer.status, location, page);
    if ('code' in next) return traceOf(next);
    hop = next;
  }
}

type Ask = (kind: Kind, sent: WireRequest) => Promise<WireAnswer | Objection>;

/** Sends a preflight if the request needs one; undefined if the request may follow. */
async function preflight(hop: Hop, ask: Ask): Promise<Objection | undefined> {
  const { url, method, origin } = hop;
  const names = namesToAllow(hop.headers);
  if (!hop.crossOrigin || (isSafelistedMethod(method) && names.length === 0)) return undefined;
  const headers: [string, string][] = [
    ['Origin', origin],
    ['Access-Control-Request-Method', method],
  ];
  if (names.length > 0) headers.push(['Access-Control-Request-Headers', names.join(',')]);
  const answer = await ask('preflight', { method: 'OPTIONS', url, headers });
  return 'code' in answer ? answer : objectionToPreflight(answer, origin, { ...hop, names });
}

async function request(hop: Hop, ask: Ask): Promise<WireAnswer | Objection> {
  const { url, method, headers, origin, crossOrigin } = hop;
  const sendsOrigin = crossOrigin || (method !== 'GET' && method !== 'HEAD');
  const sent = { method, url, headers: sendsOrigin ? [...headers, ['Origin', origin] as const] : headers };
  const answer = await ask('request', sent);
  if ('code' in answer || !crossOrigin) return answer;
  return objectionToOrigin(answer, origin, hop.credentials) ?? answer;
}

function redirected(hop: Hop, status: number, location: string, page: PageRequest): Hop | Objection {
  if (!URL.canParse(location, hop.url.href)) return { code: 'redirect-nowhere', value: location };
  if (hop.redirects === MAX_REDIRECTS) return { code: 'too-many-redirects' };
  const url = new URL(location, hop.url);
  const crossOrigin = hop.crossOrigin || url.origin !== page.origin;
  if (crossOrigin && (url.username !== '' || url.password !== '')) return { code: 'redirect-with-password' };
  let { method, headers, origin } = hop;
  const becomesGet =
    (method === 'POST' && (status === 301 || status === 302)) ||
    (status === 303 && method !== 'GET' && method !== 'HEAD');
  if (becomesGet) {
    method = 'GET';
    headers = headers.filter(([name]) => !BODY_HEADERS.includes(name.toLowerCase()));
  }
  if (url.origin !== hop.url.origin) {
    headers = headers.filter(([name]) => name.toLowerCase() !== 'authorization');
    // A redirect from one foreign origin to another: the browser reveals the origin of the page to neither.
    if (hop.url.origin !== page.origin) origin = 'null';
  }
  return { ...hop, url, method, headers, origin, crossOrigin, redirects: hop.redirects + 1 };
}
