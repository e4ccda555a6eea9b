/**
 * Does what a browser does when a page calls `fetch`: preflight, request, redirects (fetch standard, "main fetch" to
 * "HTTP-redirect fetch"). It sends through a function, so that tests need no network.
 */
import {
  type Answer,
  contradictoryHeader,
  type HeaderFields,
  isSafelistedMethod,
  locationOf,
  namesToAllow,
  type Objection,
  objectionToOrigin,
  objectionToPreflight,
} from './fetch-rules.ts';
import { type AddressOf, type LocalAccess, localAccess, type Unreachable, unreachable } from './reachable.ts';

export interface PageRequest {
  readonly url: URL;
  /** Origin of the page, as the browser writes it; `null` for a file or a sandboxed frame. */
  readonly origin: string;
  readonly method: string;
  readonly headers: HeaderFields;
  /** Whether the page calls with `credentials: 'include'`. */
  readonly credentials: boolean;
}

/** One request on the wire, without the headers that every request has. */
export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderFields;
}

/** Sends one request and follows no redirect. @throws ConnectionFailure if no answer arrives */
export type Send = (request: WireRequest) => Promise<Answer>;

export interface Network {
  readonly send: Send;
  readonly addressOf: AddressOf;
}

/** No answer arrived; the message is a clause that says why. */
export class ConnectionFailure extends Error {}

export interface Step extends WireRequest {
  readonly kind: 'preflight' | 'request';
  /** Undefined: no answer arrived. */
  readonly answer: Answer | undefined;
}

type Cause =
  | Objection
  | Unreachable
  | { readonly code: 'no-connection'; readonly reason: string }
  | { readonly code: 'local-network'; readonly space: LocalAccess['space'] }
  | { readonly code: 'contradictory-header'; readonly name: string; readonly values: readonly string[] }
  | { readonly code: 'redirect-nowhere'; readonly location: string }
  | { readonly code: 'redirect-with-password' }
  | { readonly code: 'too-many-redirects' };

export type Fault = Cause & {
  readonly kind: 'preflight' | 'request';
  readonly url: URL;
  /** The header `Origin` for this address; some redirects turn it into `null`. */
  readonly sentOrigin: string;
};

export interface FetchTrace {
  readonly steps: readonly Step[];
  /** Undefined: the page may read the last answer. */
  readonly fault: Fault | undefined;
  /** Whether the answer comes from the page's own origin, so that no rule of CORS applies. */
  readonly sameOrigin: boolean;
  /** The first request into a network that the browser guards. */
  readonly localAccess: LocalAccess | undefined;
}

const MAX_REDIRECTS = 20;

/** Headers that describe a body; the browser drops them if a redirect turns the request into a GET. */
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type'];

/** The request of the page as the redirects so far have changed it. */
interface Hop extends WireRequest {
  readonly origin: string;
  /** Whether this address or an earlier one is not on the origin of the page. */
  readonly crossOrigin: boolean;
  readonly redirects: number;
}

export async function browserFetch(page: PageRequest, { send, addressOf }: Network): Promise<FetchTrace> {
  const log: StepLog = { send, steps: [] };
  let access: LocalAccess | undefined;
  let hop: Hop = { ...page, crossOrigin: page.url.origin !== page.origin, redirects: 0 };
  const traceOf = (cause?: Cause, kind: Step['kind'] = 'request'): FetchTrace => ({
    steps: log.steps,
    sameOrigin: log.steps.every(({ url }) => url.origin === page.origin),
    localAccess: access,
    fault: cause === undefined ? undefined : { ...cause, kind, url: hop.url, sentOrigin: hop.origin },
  });

  for (;;) {
    const closed = unreachable(hop.url, page.origin);
    if (closed !== undefined) return traceOf(closed);
    const local = await localAccess(hop.url, page.origin, addressOf);
    access ??= local;
    if (local?.outcome === 'blocked') return traceOf({ code: 'local-network', space: local.space });

    const objection = await preflight(hop, page, log);
    if (objection !== undefined) return traceOf(objection, 'preflight');
    const answer = await request(hop, page, log);
    if ('code' in answer) return traceOf(answer);

    const location = locationOf(answer);
    if (location === undefined) return traceOf();
    const next = redirected(hop, answer.status, location, page);
    if ('code' in next) return traceOf(next);
    hop = next;
  }
}

interface StepLog {
  readonly send: Send;
  readonly steps: Step[];
}

async function ask(kind: Step['kind'], sent: WireRequest, { send, steps }: StepLog): Promise<Answer | Cause> {
  try {
    const answer = await send(sent);
    steps.push({ ...sent, kind, answer });
    const contradiction = contradictoryHeader(answer);
    return contradiction === undefined ? answer : { code: 'contradictory-header', ...contradiction };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    steps.push({ ...sent, kind, answer: undefined });
    return { code: 'no-connection', reason: error.message };
  }
}

/** Sends a preflight if the request needs one; undefined if the request may follow. */
async function preflight(hop: Hop, { credentials }: PageRequest, log: StepLog): Promise<Cause | undefined> {
  const { url, method, headers, origin, crossOrigin } = hop;
  const names = namesToAllow(headers);
  if (!crossOrigin || (isSafelistedMethod(method) && names.length === 0)) return undefined;
  const asked: [string, string][] = [
    ['Origin', origin],
    ['Access-Control-Request-Method', method],
  ];
  if (names.length > 0) asked.push(['Access-Control-Request-Headers', names.join(',')]);
  const answer = await ask('preflight', { method: 'OPTIONS', url, headers: asked }, log);
  return 'code' in answer ? answer : objectionToPreflight(answer, origin, { method, names, credentials });
}

/** The answer to the request itself, if the browser does not object to it. */
async function request(hop: Hop, { credentials }: PageRequest, log: StepLog): Promise<Answer | Cause> {
  const { url, method, headers, origin, crossOrigin } = hop;
  const sendsOrigin = crossOrigin || (method !== 'GET' && method !== 'HEAD');
  const sent = { method, url, headers: sendsOrigin ? [...headers, ['Origin', origin] as const] : headers };
  const answer = await ask('request', sent, log);
  if ('code' in answer || !crossOrigin) return answer;
  return objectionToOrigin(answer, origin, credentials) ?? answer;
}

function redirected(hop: Hop, status: number, location: string, page: PageRequest): Hop | Cause {
  if (!URL.canParse(location, hop.url.href)) return { code: 'redirect-nowhere', location };
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
  return { url, method, headers, origin, crossOrigin, redirects: hop.redirects + 1 };
}
