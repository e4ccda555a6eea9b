/**
 * The course of a fetch in plain words: what the browser does, why, and what to change.
 */
import { shown } from '../errors.ts';
import type { FetchTrace, Fault, PageRequest } from './browser-fetch.ts';
import { WHERE } from './local-network.ts';
import { notesOn } from './notes.ts';

export interface Explanation {
  /** One sentence: what the page gets. */
  readonly verdict: string;
  /** Undefined: there is nothing to mend. */
  readonly why: string | undefined;
  /** What to change, the most likely first. */
  readonly remedies: readonly string[];
  /** What is right, but may surprise. */
  readonly notes: readonly string[];
}

export function explain(page: PageRequest, trace: FetchTrace): Explanation {
  const { fault } = trace;
  if (fault === undefined) {
    return { verdict: readable(trace), why: undefined, remedies: [], notes: notesOn(page, trace) };
  }
  const asked = fault.kind === 'preflight' ? 'The browser does not send the request' : 'The browser fails it';
  return {
    verdict: `No: the page may not read the answer. ${asked}, and the page sees "Failed to fetch" without a reason.`,
    why: whyOf(fault, page),
    remedies: remediesFor(fault, page),
    notes: notesOn(page, trace),
  };
}

function readable({ steps, sameOrigin, localAccess }: FetchTrace): string {
  const status = steps.at(-1)?.answer?.status ?? 0;
  const kind = status >= 400 ? `, which is the error ${status}` : '';
  return sameOrigin
    ? `Yes: the page is on the same origin, and may read every answer${kind}.`
    : `Yes: the browser lets the page read the answer${kind}${
        localAccess?.outcome === 'asks the reader' ? ', once the reader has allowed it' : ''
      }.`;
}

const isFoodSearch = (url: URL): boolean => url.pathname === '/api/food';

function whyOf(fault: Fault, { origin, credentials }: PageRequest): string {
  const what = fault.kind === 'preflight' ? 'The answer to the preflight' : 'The answer';
  const at = `of ${fault.url.origin}`;
  switch (fault.code) {
    case 'no-connection':
      return `${fault.url.origin} gives no answer: ${fault.reason}.`;
    case 'scheme':
      return `A page can ask http and https alone, not ${fault.scheme}.`;
    case 'blocked-port':
      return `Port ${fault.port} belongs to another protocol, and browsers let no page ask it.`;
    case 'mixed-content':
      return `The page comes by https and ${fault.url.origin} does not: browsers block this as mixed content, before they ask.`;
    case 'local-network':
      return `The page comes by http from a public address, and ${fault.url.hostname} is ${WHERE[fault.space]}: Chrome lets no page by http reach into that, and does not send the request.`;
    case 'contradictory-header':
      return `${what} ${at} has the header ${fault.name} with different values (${fault.values.map(shown).join(' and ')}); Chrome then drops the answer.`;
    case 'redirect-nowhere':
      return `The answer ${at} leads on to ${shown(fault.location)}, which is no address.`;
    case 'redirect-with-password':
      return `The answer ${at} leads on to an address with a user name or password in it, which a page may not follow.`;
    case 'too-many-redirects':
      return 'One redirect leads to the next, more than 20 times.';
    case 'no-allow-origin':
      return `${what} ${at} has no header Access-Control-Allow-Origin, so that no page on another origin may read it.`;
    case 'several-allow-origins':
      return `${what} ${at} names more than one value in Access-Control-Allow-Origin (${shown(fault.value)}); exactly one is valid. Often the service sets it and a proxy before it sets it again.`;
    case 'other-allow-origin':
      return `${what} ${at} allows ${shown(fault.value)}, and the browser says ${shown(fault.sentOrigin)}: ${differenceOf(fault.value, fault.sentOrigin, origin)}.`;
    case 'wildcard-with-credentials':
      return `${what} ${at} allows every origin by *, which does not hold for requests with credentials.`;
    case 'no-allow-credentials':
      return `The page asks with credentials, and ${lowerFirst(what)} ${at} ${
        fault.value === undefined
          ? 'has no header Access-Control-Allow-Credentials'
          : `has Access-Control-Allow-Credentials: ${fault.value}, where exactly "true", in lower case, counts`
      }.`;
    case 'preflight-redirect':
      return `${what} ${at} is a redirect (${fault.status}), and a preflight follows none.`;
    case 'preflight-status':
      return `${what} ${at} has the status ${fault.status}; it counts from 200 to 299 alone.`;
    case 'malformed-list':
      return `${what} ${at} has ${shown(`${fault.header}: ${fault.value}`)}, which is no list of names with commas between.`;
    case 'method-not-allowed':
      return `${what} ${at} does not allow the method ${fault.method}: ${given('Access-Control-Allow-Methods', fault.value)}.${
        credentials && fault.value?.includes('*') ? ' With credentials, * is a name like any other.' : ''
      }`;
    case 'header-not-allowed':
      return `${what} ${at} does not allow the header ${fault.header}: ${given('Access-Control-Allow-Headers', fault.value)}.${
        credentials && fault.value?.includes('*') ? ' With credentials, * is a name like any other.' : ''
      }`;
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const given = (name: string, value: string | undefined): string =>
  value === undefined ? `there is no ${name}` : `${name} is ${shown(value)}`;

/** In what two origins differ. */
function differenceOf(allowed: string, sent: string, pageOrigin: string): string {
  if (sent === 'null' && pageOrigin !== 'null') {
    return 'after a redirect from one foreign origin to another, the browser no longer tells where the page is from';
  }
  if (sent === 'null') return 'that is what a file or a sandboxed frame says';
  if (allowed === 'null') return '"null" stands for files and sandboxed frames';
  if (allowed.includes('*')) {
    return 'there are no wildcards within an origin; * stands alone, for every origin. Let the service compare the header Origin with its list, and send that one origin back';
  }
  if (allowed === `${sent}/`) return 'the slash at the end is too much';
  if (allowed.toLowerCase() === sent) return 'it has to be in lower case';
  if (!URL.canParse(allowed)) return 'what is allowed is no origin, such as https://app.example';
  const [one, other] = [new URL(allowed), new URL(sent)];
  if (one.origin === other.origin) return 'more than scheme, host and port, or a default port, is too much';
  if (one.host === other.host) return 'the schemes differ';
  if (one.protocol === other.protocol && one.hostname === other.hostname) return 'the ports differ';
  return 'these are two origins';
}

function remediesFor(fault: Fault, { origin, credentials, url }: PageRequest): readonly string[] {
  const allowed = fault.sentOrigin;
  switch (fault.code) {
    case 'no-connection':
      return ['Mend the connection first; CORS comes after it.'];
    case 'scheme':
    case 'redirect-nowhere':
    case 'too-many-redirects':
      return ['Let the page ask the final address.'];
    case 'redirect-with-password':
      return ['Let the page ask the final address, without a user name and password in it.'];
    case 'blocked-port':
      return ['Let the service listen on another port, such as PORT=3001.'];
    case 'mixed-content':
      return [
        'Serve it by https: put a proxy with a certificate before it (food-lookup: docs/deployment.md).',
        `If ${fault.url.hostname} is in the reader's own network: let the page call fetch with targetAddressSpace: 'local'. Chrome then asks the reader instead of blocking; Firefox and Safari block it.`,
      ];
    case 'local-network':
      return [
        'Serve the page by https; Chrome then asks the reader for permission.',
        'Or give the service a public address, where the pages of others reach it.',
      ];
    case 'contradictory-header':
      return [
        `Let the service send ${fault.name} once. Often the service sets it and a proxy before it adds another.`,
      ];
    case 'preflight-redirect':
      return [`Let the page ask the final address instead of ${fault.url.href}.`];
    case 'preflight-status':
      return [
        'Let the service answer OPTIONS with status 200 or 204, before it asks for a login or looks for a route.',
      ];
    case 'wildcard-with-credentials':
    case 'no-allow-credentials':
      return [
        "Let the page ask without credentials, if the service needs none (food-lookup needs none): fetch without credentials: 'include'.",
        `Otherwise let the service send Access-Control-Allow-Origin: ${allowed}, Access-Control-Allow-Credentials: true and Vary: Origin.`,
      ];
    case 'malformed-list':
      return [`Let the service send names with commas between in ${fault.header}.`];
    case 'method-not-allowed':
      return [
        ...(isFoodSearch(fault.url) ? ['food-lookup answers GET and HEAD alone.'] : []),
        `Let the service send Access-Control-Allow-Methods with ${fault.method} (upper case counts).`,
      ];
    case 'header-not-allowed':
      return [
        `Let the service send Access-Control-Allow-Headers with ${fault.header}, or let the page do without this header.`,
      ];
    case 'no-allow-origin':
    case 'several-allow-origins':
    case 'other-allow-origin': {
      if (allowed === 'null' && origin !== 'null') {
        return ['Let the page ask the final address, so that no redirect comes between.'];
      }
      if (allowed === 'null') {
        return [
          'Serve the page over http, so that it has an origin. To allow "null" would allow every file and sandboxed frame.',
        ];
      }
      const vary = credentials
        ? ', Access-Control-Allow-Credentials: true and Vary: Origin'
        : ' and Vary: Origin';
      return [
        `food-lookup: start it with ALLOWED_ORIGIN=${allowed}${
          isFoodSearch(fault.url)
            ? ''
            : ` and ask ${url.origin}/api/food?q=TEXT, the one path that pages elsewhere may read`
        }`,
        `Any other service: send exactly Access-Control-Allow-Origin: ${allowed}${vary}.`,
      ];
    }
  }
}
