/**
 * What a browser does when a page calls `fetch`: preflight, request, redirects (fetch standard, "main fetch" to
 * "HTTP-redirect fetch"). It asks through a function, so that the course of things is tested without a network.
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
import { type AddressOf, type LocalAccess, localAccess } from './local-network.ts';
import { type Unreachable, unreachable } from './reachable.ts';

/** What the page asks. */
export interface PageRequest {
  readonly url: URL;
  /** Of the page, as the browser writes it; `null` for a file or a sandboxed frame. */
  readonly origin: string;
  readonly method: string;
  /** Those that the page sets. */
  readonly headers: HeaderFields;
  /** Whether the page asks with `credentials: 'include'`. */
  readonly credentials: boolean;
}

/** One request as it goes on the wire, without what every request has. */
export interface Sent {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderFields;
}

/** Asks once, follows nothing. @throws ConnectionFailure where no answer comes */
export type Send = (request: Sent) => Promise<Answer>;

/** What there is outside: services, and the addresses that names stand for. */
export interface Network {
  readonly send: Send;
  readonly addressOf: AddressOf;
}

/** No answer came; the message is one clause that says why. */
export class ConnectionFailure extends Error {}

export interface Step extends Sent {
  readonly kind: 'preflight' | 'request';
  /** Undefined: no answer came. */
  readonly answer: Answer | undefined;
}

type Trouble =
  | Objection
  | Unreachable
  | { readonly code: 'no-connection'; readonly reason: string }
  | { readonly code: 'local-network'; readonly space: LocalAccess['space'] }
  | { readonly code: 'contradictory-header'; readonly name: string; readonly values: readonly string[] }
  | { readonly code: 'redirect-nowhere'; readonly location: string }
  | { readonly code: 'redirect-with-password' }
  | { readonly code: 'too-many-redirects' };

/** Why the page gets nothing to read. */
export type Fault = Trouble & {
  readonly kind: 'preflight' | 'request';
  readonly url: URL;
  /** What the browser said of the page to this address; not that of the page after some redirects. */
  readonly sentOrigin: string;
};

export interface Course {
  readonly steps: readonly Step[];
  /** Undefined: the page may read the last answer. */
  readonly fault: Fault | undefined;
  /** Whether the answer comes from the page's own origin, so that no rule of CORS applies. */
  readonly sameOrigin: boolean;
  /** The first request into a network that is guarded. */
  readonly localAccess: LocalAccess | undefined;
}

const MAX_REDIRECTS = 20;

/** Headers that tell of a body; they go where a redirect turns the request into a GET. */
const BODY_HEADERS = ['content-encoding', 'content-language', 'content-location', 'content-type'];

export async function browserFetch(page: PageRequest, { send, addressOf }: Network): Promise<Course> {
  const steps: Step[] = [];
  let { url, method, headers } = page;
  let origin = page.origin;
  let crossOrigin = false;
  let guarded: LocalAccess | undefined;

  /** Asks, and keeps what was asked and answered. */
  const ask = async (kind: Step['kind'], sent: Sent): Promise<Answer | Trouble> => {
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
  };
  const ended = (trouble?: Trouble, kind: Step['kind'] = 'request'): Course => ({
    steps,
    sameOrigin: !crossOrigin,
    localAccess: guarded,
    fault: trouble === undefined ? undefined : { ...trouble, kind, url, sentOrigin: origin },
  });

  for (let redirects = 0; ; redirects++) {
    const closed = unreachable(url, page.origin);
    if (closed !== undefined) return ended(closed);
    const access = await localAccess(url, page.origin, addressOf);
    guarded ??= access;
    if (access?.outcome === 'blocked') return ended({ code: 'local-network', space: access.space });
    crossOrigin ||= url.origin !== page.origin;

    const names = crossOrigin ? namesToAllow(headers) : [];
    if (crossOrigin && (!isSafelistedMethod(method) || names.length > 0)) {
      const sent = preflightOf(url, origin, method, names);
      const answer = await ask('preflight', sent);
      if ('code' in answer) return ended(answer, 'preflight');
      const { credentials } = page;
      const objection = objectionToPreflight(answer, origin, { method, names, credentials });
      if (objection !== undefined) return ended(objection, 'preflight');
    }

    const tellsOrigin = crossOrigin || (method !== 'GET' && method !== 'HEAD');
    const sent = { method, url, headers: tellsOrigin ? [...headers, ['Origin', origin] as const] : headers };
    const answer = await ask('request', sent);
    if ('code' in answer) return ended(answer);
    if (crossOrigin) {
      const objection = objectionToOrigin(answer, origin, page.credentials);
      if (objection !== undefined) return ended(objection);
    }

    const location = locationOf(answer);
    if (location === undefined) return ended();
    if (!URL.canParse(location, url.href)) return ended({ code: 'redirect-nowhere', location });
    const next = new URL(location, url);
    if (redirects === MAX_REDIRECTS) return ended({ code: 'too-many-redirects' });
    const hasPassword = next.username !== '' || next.password !== '';
    if (hasPassword && (crossOrigin || next.origin !== page.origin)) {
      return ended({ code: 'redirect-with-password' });
    }
    const becomesGet =
      (method === 'POST' && (answer.status === 301 || answer.status === 302)) ||
      (answer.status === 303 && method !== 'GET' && method !== 'HEAD');
    if (becomesGet) {
      method = 'GET';
      headers = headers.filter(([name]) => !BODY_HEADERS.includes(name.toLowerCase()));
    }
    if (next.origin !== url.origin) {
      headers = headers.filter(([name]) => name.toLowerCase() !== 'authorization');
      // The page asked the one before, which sent it on to a third: neither is told of the other.
      if (url.origin !== page.origin) origin = 'null';
    }
    url = next;
  }
}

function preflightOf(url: URL, origin: string, method: string, names: readonly string[]): Sent {
  const headers: [string, string][] = [
    ['Origin', origin],
    ['Access-Control-Request-Method', method],
  ];
  if (names.length > 0) headers.push(['Access-Control-Request-Headers', names.join(',')]);
  return { method: 'OPTIONS', url, headers };
}
