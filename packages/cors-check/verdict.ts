/** Explains the trace of a fetch in plain words: what the browser does, why, and what to change. */
import { shown } from '#core';
import type { FetchTrace, PageRequest, Rejection } from './browser-fetch.ts';
import { headerValue, isExposed, isRedirect, locationOf, lowerElementsOf } from './fetch-rules.ts';
import { isInsecure, isLoopback, isNear, type LocalAccess, WHERE } from './reachable.ts';

export interface Verdict {
  /** One sentence: whether the page may read the answer. */
  readonly verdict: string;
  /** Undefined: there is nothing to fix. */
  readonly why: string | undefined;
  readonly remedies: readonly string[];
  readonly notes: readonly string[];
}

export function explain(page: PageRequest, trace: FetchTrace): Verdict {
  const { fault } = trace;
  const notes = notesOn(page, trace);
  if (fault === undefined) return { verdict: readable(trace), why: undefined, remedies: [], notes };
  const [subject, browserDoes] =
    fault.kind === 'preflight'
      ? ['The answer to the preflight', 'The browser does not send the request']
      : ['The answer', 'The browser rejects the response'];
  const answer = `${subject} of ${fault.url.origin}`;
  const { name = '', value = '' } = fault;
  const [why, ...remedies] = EXPLANATIONS[fault.code]({ ...fault, answer, name, value }, page);
  const verdict = `No: the page may not read the answer. ${browserDoes}, and the page sees "Failed to fetch" without a reason.`;
  return { verdict, why, remedies, notes };
}

function readable({ steps, sameOrigin, localAccess }: FetchTrace): string {
  const status = steps.at(-1)?.answer?.status ?? 0;
  const kind = status >= 400 ? `, which is the error ${status}` : '';
  const asked = localAccess?.outcome === 'asks the user' ? ', once the user has allowed it' : '';
  return sameOrigin
    ? `Yes: the page is on the same origin, and may read every answer${kind}.`
    : `Yes: the browser lets the page read the answer${kind}${asked}.`;
}

/** A fault with the subject of a sentence about the answer; an absent header has an empty value. */
type ExplainedRejection = Required<Rejection> & { readonly answer: string };

/** Says why, and what to do. */
type Explain = (fault: ExplainedRejection, page: PageRequest) => [string, ...string[]];

const EXPLANATIONS: Readonly<Record<Rejection['code'], Explain>> = {
  'no-connection': ({ url, value }) => [
    `${url.origin} does not answer: ${value}.`,
    'Fix the connection first; only then does CORS matter.',
  ],
  scheme: ({ value }) => [`A page can only request http and https addresses, not ${value}.`, FINAL_ADDRESS],
  'blocked-port': ({ value }) => [
    `Port ${value} belongs to another protocol, and browsers block requests to it.`,
    'Run the service on another port, such as PORT=3001.',
  ],
  'mixed-content': ({ url }) => [
    `The page uses https and ${url.origin} does not: browsers block this as mixed content, without sending anything.`,
    'Serve it over https: put a proxy with a certificate in front of it (food-lookup: docs/deployment.md).',
    `If ${url.hostname} is in the user's own network: let the page call fetch with targetAddressSpace: 'local'. Chrome then asks the user instead of blocking; Firefox and Safari block it.`,
  ],
  'local-network': ({ url, value }) => [
    `The page comes over http from a public address, and ${url.hostname} is ${value}: Chrome lets no http page reach it, and does not send the request.`,
    'Serve the page over https; Chrome then asks the user for permission.',
    'Or give the service a public address, so that it can be reached from elsewhere.',
  ],
  'contradictory-header': ({ answer, name, value }) => [
    `${answer} has the header ${name} with different values (${value}); Chrome rejects such a response.`,
    `Let the service send ${name} once. Often a proxy in front of the service adds a second one.`,
  ],
  'redirect-nowhere': ({ answer, value }) => [
    `${answer} redirects to ${shown(value)}, which is not a valid address.`,
    FINAL_ADDRESS,
  ],
  'redirect-with-password': ({ answer }) => [
    `${answer} redirects to an address with a user name or password in it, which a page may not follow.`,
    'Let the page request the final address, without a user name and password in it.',
  ],
  'too-many-redirects': () => ['There are more than 20 redirects in a row.', FINAL_ADDRESS],
  'no-allow-origin': (fault, page) => [
    `${fault.answer} has no header Access-Control-Allow-Origin, so a page on ${page.origin} may not read it.`,
    ...allowOrigin(fault, page),
  ],
  'several-allow-origins': (fault, page) => [
    `${fault.answer} has more than one value in Access-Control-Allow-Origin (${shown(fault.value)}); exactly one is valid. Often the service sets it and a proxy in front sets it again.`,
    ...allowOrigin(fault, page),
  ],
  'other-allow-origin': (fault, page) => [
    `${fault.answer} allows ${shown(fault.value)}, and the browser sends ${shown(fault.sentOrigin)}: ${differenceOf(fault.value, fault.sentOrigin, page.origin)}.`,
    ...allowOrigin(fault, page),
  ],
  'wildcard-with-credentials': (fault) => [
    `${fault.answer} allows every origin by *, which does not apply to requests with credentials.`,
    ...allowCredentials(fault),
  ],
  'no-allow-credentials': (fault) => [
    `${fault.answer} ${
      fault.value === ''
        ? 'has no header Access-Control-Allow-Credentials'
        : `has Access-Control-Allow-Credentials: ${fault.value}, where only "true", in lower case, is valid`
    }, and the page sends credentials.`,
    ...allowCredentials(fault),
  ],
  'preflight-redirect': ({ answer, value, url }) => [
    `${answer} is a redirect (${value}), and browsers follow no redirect of a preflight.`,
    `Let the page request the final address instead of ${url.href}.`,
  ],
  'preflight-status': ({ answer, value }) => [
    `${answer} has the status ${value}; only 200 to 299 are valid.`,
    'Let the service answer OPTIONS with status 200 or 204, before it asks for a login or looks for a route.',
  ],
  'malformed-list': ({ answer, name, value }) => [
    `${answer} has ${shown(`${name}: ${value}`)}, which is not a comma-separated list of names.`,
    `Let the service send comma-separated names in ${name}.`,
  ],
  'method-not-allowed': ({ answer, url, name, value }, { credentials }) => [
    `${answer} does not allow the method ${name}: ${list('Access-Control-Allow-Methods', value, credentials)}`,
    ...(isFoodSearch(url) ? ['food-lookup answers GET and HEAD only.'] : []),
    `Let the service send Access-Control-Allow-Methods with ${name} (in exactly this case).`,
  ],
  'header-not-allowed': ({ answer, name, value }, { credentials }) => [
    `${answer} does not allow the header ${name}: ${list('Access-Control-Allow-Headers', value, credentials)}`,
    `Let the service send Access-Control-Allow-Headers with ${name}, or omit this header in the page.`,
  ],
};

const FINAL_ADDRESS = 'Let the page request the final address.';

function list(name: string, value: string, credentials: boolean): string {
  if (value === '') return `it has no ${name}, or an empty one.`;
  const wildcard = credentials && value.includes('*') ? ' With credentials, * is a name like any other.' : '';
  return `${name} is ${shown(value)}.${wildcard}`;
}

const isFoodSearch = (url: URL): boolean => url.pathname === '/api/food';

function differenceOf(allowed: string, sent: string, pageOrigin: string): string {
  if (sent === 'null' && pageOrigin !== 'null') {
    return 'after a redirect from one foreign origin to another, the browser no longer reveals the origin of the page';
  }
  if (sent === 'null') return 'that is the origin of a file or a sandboxed frame';
  if (allowed === 'null') return '"null" stands for files and sandboxed frames';
  if (allowed.includes('*')) {
    return 'there are no wildcards within an origin; * stands alone, for every origin. Let the service compare the header Origin with its list, and send that one origin back';
  }
  if (allowed === `${sent}/`) return 'the trailing slash does not belong there';
  if (allowed.toLowerCase() === sent) return 'it must be in lower case';
  if (!URL.canParse(allowed)) return 'the allowed value is not an origin, such as https://app.example';
  const [one, other] = [new URL(allowed), new URL(sent)];
  if (one.protocol === other.protocol && one.host === other.host)
    return 'an origin is scheme, host and port, without a default port';
  if (one.host === other.host) return 'the schemes differ';
  if (one.protocol === other.protocol && one.hostname === other.hostname) return 'the ports differ';
  return 'these are different origins';
}

function allowOrigin(
  { sentOrigin, url: asked }: Rejection,
  { origin, credentials, url }: PageRequest,
): string[] {
  if (sentOrigin === 'null') {
    return [
      origin === 'null'
        ? 'Serve the page over http (python3 -m http.server in its folder), so that it has an origin. To allow "null" would allow every file and sandboxed frame.'
        : 'Let the page request the final address, so that no redirect intervenes.',
    ];
  }
  const lookup = /\/(portions|names|nutrients|amounts)$/.exec(url.pathname)?.[1];
  const path = isFoodSearch(asked)
    ? ''
    : lookup !== undefined
      ? ` CORS_ROUTES=search,${lookup}`
      : ` and request ${url.origin}/api/food?q=TEXT, as pages elsewhere may read no other path but look-ups such as /portions`;
  const more = credentials
    ? ', Access-Control-Allow-Credentials: true and Vary: Origin'
    : ' and Vary: Origin';
  return [
    `food-lookup: start it with ALLOWED_ORIGIN=${sentOrigin}${path}`,
    `Any other service: send exactly Access-Control-Allow-Origin: ${sentOrigin}${more}.`,
  ];
}

const allowCredentials = ({ sentOrigin }: Rejection): string[] => [
  "Let the page send no credentials, if the service needs none (food-lookup needs none): fetch without credentials: 'include'.",
  `Otherwise let the service send Access-Control-Allow-Origin: ${sentOrigin}, Access-Control-Allow-Credentials: true and Vary: Origin.`,
];

/** What works, but may surprise. */
function notesOn(
  { origin, url, credentials }: PageRequest,
  { steps, fault, sameOrigin, localAccess }: FetchTrace,
): string[] {
  const notes: string[] = [];
  const last = steps.findLast(({ kind }) => kind === 'request');
  const answer = last?.answer;
  if (localAccess !== undefined && fault?.code !== 'local-network') {
    notes.push(noteOnAccess(localAccess, origin));
  }
  if (isInsecure(url, origin) && isNear(url.hostname)) {
    notes.push(
      `The page uses https and the service does not. ${
        isLoopback(url.hostname)
          ? "On the user's own machine, Chrome and Firefox do not count that as mixed content; Safari does, and blocks it."
          : 'Chrome allows that within one network; Firefox and Safari block it as mixed content.'
      }`,
    );
  }
  if (answer === undefined || last === undefined || sameOrigin) return notes;

  if (isRedirect(answer.status) && locationOf(answer) === undefined) {
    const isEmpty = headerValue(answer.headers, 'location') !== undefined;
    notes.push(
      `The answer is a redirect (${answer.status}) without a target. Chrome treats it as the answer; Firefox and Safari ${
        isEmpty ? 'reject it, because the header Location is there, but empty' : 'do so, too'
      }.`,
    );
  }
  const allowed = headerValue(answer.headers, 'access-control-allow-origin');
  const vary = lowerElementsOf(answer.headers, 'vary');
  if (allowed !== undefined && allowed !== '*' && !vary.includes('origin') && !vary.includes('*')) {
    notes.push(
      'The answer names one origin and lacks Vary: Origin. A cache may then serve it to pages of another origin, or their answer to this page. Let the service send Vary: Origin with every answer.',
    );
  }
  if (fault?.code === 'no-allow-origin' && vary.includes('origin')) {
    notes.push(
      `The answer has Vary: Origin, so the service may allow another origin than ${origin}. If it does, compare scheme, host and port: http and https, localhost and 127.0.0.1, and two ports are different origins.`,
    );
  }
  const isHidden = (name: string) =>
    headerValue(answer.headers, name) !== undefined && !isExposed(name, answer.headers, credentials);
  const unread = fault === undefined ? COMMONLY_READ.filter(isHidden) : [];
  if (unread.length > 0) {
    notes.push(
      `The page cannot read these headers of the answer: ${unread.join(', ')}. To expose them: Access-Control-Expose-Headers.`,
    );
  }
  return notes;
}

function noteOnAccess({ host, space, outcome }: LocalAccess, origin: string): string {
  const isUnknown = outcome === 'unknown';
  const where = `${host} is ${WHERE[space]}${isUnknown ? `, and the address of ${origin} is not known` : ''}.`;
  const guard = origin.startsWith('https:')
    ? 'Chrome and Firefox ask the user for permission to reach it, and block the request if the user refuses'
    : 'Chrome blocks the request: only https pages may ask for permission. Firefox asks the user for it';
  return `${where} ${isUnknown ? 'If the page comes from a public address, ' : ''}${guard}.`;
}

const COMMONLY_READ = [
  'etag',
  'retry-after',
  'location',
  'link',
  'content-disposition',
  'x-request-id',
  'ratelimit',
];
