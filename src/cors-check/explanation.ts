/**
 * Explains the trace of a fetch in plain words: what the browser does, why, and what to change.
 */
import { shown } from '../system/errors.ts';
import type { Fault, FetchTrace, PageRequest } from './browser-fetch.ts';
import { notesOn } from './notes.ts';
import { WHERE } from './reachable.ts';

export interface Explanation {
  /** One sentence: whether the page may read the answer. */
  readonly verdict: string;
  /** Undefined: there is nothing to fix. */
  readonly why: string | undefined;
  readonly remedies: readonly string[];
  /** What works, but may surprise. */
  readonly notes: readonly string[];
}

export function explain(page: PageRequest, trace: FetchTrace): Explanation {
  const { fault } = trace;
  const notes = notesOn(page, trace);
  if (fault === undefined) return { verdict: readable(trace), why: undefined, remedies: [], notes };
  const browserDoes =
    fault.kind === 'preflight' ? 'The browser does not send the request' : 'The browser rejects the response';
  return {
    verdict: `No: the page may not read the answer. ${browserDoes}, and the page sees "Failed to fetch" without a reason.`,
    ...explainFault(fault, page),
    notes,
  };
}

function readable({ steps, sameOrigin, localAccess }: FetchTrace): string {
  const status = steps.at(-1)?.answer?.status ?? 0;
  const kind = status >= 400 ? `, which is the error ${status}` : '';
  return sameOrigin
    ? `Yes: the page is on the same origin, and may read every answer${kind}.`
    : `Yes: the browser lets the page read the answer${kind}${
        localAccess?.outcome === 'asks the user' ? ', once the user has allowed it' : ''
      }.`;
}

type FaultExplanation = Pick<Explanation, 'why' | 'remedies'>;

const explainFault = (fault: Fault, page: PageRequest): FaultExplanation =>
  (EXPLANATIONS[fault.code] as (fault: Fault, page: PageRequest) => FaultExplanation)(fault, page);

const EXPLANATIONS: {
  readonly [Code in Fault['code']]: (
    fault: Extract<Fault, { code: Code }>,
    page: PageRequest,
  ) => FaultExplanation;
} = {
  'no-connection': ({ url, reason }) => ({
    why: `${url.origin} does not answer: ${reason}.`,
    remedies: ['Fix the connection first; only then does CORS matter.'],
  }),
  scheme: ({ scheme }) => ({
    why: `A page can only request http and https addresses, not ${scheme}.`,
    remedies: [FINAL_ADDRESS],
  }),
  'blocked-port': ({ port }) => ({
    why: `Port ${port} belongs to another protocol, and browsers block requests to it.`,
    remedies: ['Run the service on another port, such as PORT=3001.'],
  }),
  'mixed-content': ({ url }) => ({
    why: `The page uses https and ${url.origin} does not: browsers block this as mixed content, without sending anything.`,
    remedies: [
      'Serve it over https: put a proxy with a certificate in front of it (food-lookup: docs/deployment.md).',
      `If ${url.hostname} is in the user's own network: let the page call fetch with targetAddressSpace: 'local'. Chrome then asks the user instead of blocking; Firefox and Safari block it.`,
    ],
  }),
  'local-network': ({ url, space }) => ({
    why: `The page comes over http from a public address, and ${url.hostname} is ${WHERE[space]}: Chrome lets no http page reach it, and does not send the request.`,
    remedies: [
      'Serve the page over https; Chrome then asks the user for permission.',
      'Or give the service a public address, so that it can be reached from elsewhere.',
    ],
  }),
  'contradictory-header': (fault) => ({
    why: `${theAnswer(fault)} has the header ${fault.name} with different values (${fault.values.map(shown).join(' and ')}); Chrome rejects such a response.`,
    remedies: [
      `Let the service send ${fault.name} once. Often a proxy in front of the service adds a second one.`,
    ],
  }),
  'redirect-nowhere': (fault) => ({
    why: `${theAnswer(fault)} redirects to ${shown(fault.location)}, which is not a valid address.`,
    remedies: [FINAL_ADDRESS],
  }),
  'redirect-with-password': (fault) => ({
    why: `${theAnswer(fault)} redirects to an address with a user name or password in it, which a page may not follow.`,
    remedies: ['Let the page request the final address, without a user name and password in it.'],
  }),
  'too-many-redirects': () => ({
    why: 'There are more than 20 redirects in a row.',
    remedies: [FINAL_ADDRESS],
  }),
  'no-allow-origin': (fault, page) => ({
    why: `${theAnswer(fault)} has no header Access-Control-Allow-Origin, so a page on ${page.origin} may not read it.`,
    remedies: allowOrigin(fault, page),
  }),
  'several-allow-origins': (fault, page) => ({
    why: `${theAnswer(fault)} has more than one value in Access-Control-Allow-Origin (${shown(fault.value)}); exactly one is valid. Often the service sets it and a proxy in front sets it again.`,
    remedies: allowOrigin(fault, page),
  }),
  'other-allow-origin': (fault, page) => ({
    why: `${theAnswer(fault)} allows ${shown(fault.value)}, and the browser sends ${shown(fault.sentOrigin)}: ${differenceOf(fault.value, fault.sentOrigin, page.origin)}.`,
    remedies: allowOrigin(fault, page),
  }),
  'wildcard-with-credentials': (fault) => ({
    why: `${theAnswer(fault)} allows every origin by *, which does not apply to requests with credentials.`,
    remedies: allowCredentials(fault),
  }),
  'no-allow-credentials': (fault) => ({
    why: `The page sends credentials, and ${lowerFirst(theAnswer(fault))} ${
      fault.value === undefined
        ? 'has no header Access-Control-Allow-Credentials'
        : `has Access-Control-Allow-Credentials: ${fault.value}, where only "true", in lower case, is valid`
    }.`,
    remedies: allowCredentials(fault),
  }),
  'preflight-redirect': (fault) => ({
    why: `${theAnswer(fault)} is a redirect (${fault.status}), and browsers follow no redirect of a preflight.`,
    remedies: [`Let the page request the final address instead of ${fault.url.href}.`],
  }),
  'preflight-status': (fault) => ({
    why: `${theAnswer(fault)} has the status ${fault.status}; only 200 to 299 are valid.`,
    remedies: [
      'Let the service answer OPTIONS with status 200 or 204, before it asks for a login or looks for a route.',
    ],
  }),
  'malformed-list': (fault) => ({
    why: `${theAnswer(fault)} has ${shown(`${fault.header}: ${fault.value}`)}, which is not a comma-separated list of names.`,
    remedies: [`Let the service send comma-separated names in ${fault.header}.`],
  }),
  'method-not-allowed': (fault, { credentials }) => ({
    why: `${theAnswer(fault)} does not allow the method ${fault.method}: ${list('Access-Control-Allow-Methods', fault.value, credentials)}`,
    remedies: [
      ...(isFoodSearch(fault.url) ? ['food-lookup answers GET and HEAD only.'] : []),
      `Let the service send Access-Control-Allow-Methods with ${fault.method} (in exactly this case).`,
    ],
  }),
  'header-not-allowed': (fault, { credentials }) => ({
    why: `${theAnswer(fault)} does not allow the header ${fault.header}: ${list('Access-Control-Allow-Headers', fault.value, credentials)}`,
    remedies: [
      `Let the service send Access-Control-Allow-Headers with ${fault.header}, or omit this header in the page.`,
    ],
  }),
};

const FINAL_ADDRESS = 'Let the page request the final address.';

const theAnswer = ({ kind, url }: Fault): string =>
  `${kind === 'preflight' ? 'The answer to the preflight' : 'The answer'} of ${url.origin}`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function list(name: string, value: string | undefined, credentials: boolean): string {
  if (value === undefined) return `there is no ${name}.`;
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
  if (one.origin === other.origin) return 'an origin is scheme, host and port, without a default port';
  if (one.host === other.host) return 'the schemes differ';
  if (one.protocol === other.protocol && one.hostname === other.hostname) return 'the ports differ';
  return 'these are different origins';
}

function allowOrigin(
  { sentOrigin, url: asked }: Fault,
  { origin, credentials, url }: PageRequest,
): readonly string[] {
  if (sentOrigin === 'null') {
    return origin === 'null'
      ? [
          'Serve the page over http (python3 -m http.server in its folder), so that it has an origin. To allow "null" would allow every file and sandboxed frame.',
        ]
      : ['Let the page request the final address, so that no redirect intervenes.'];
  }
  const path = isFoodSearch(asked)
    ? ''
    : url.pathname.endsWith('/portions')
      ? ' CORS_ROUTES=search,portions'
      : ` and request ${url.origin}/api/food?q=TEXT, as pages elsewhere may read no other path but the portions`;
  const more = credentials
    ? ', Access-Control-Allow-Credentials: true and Vary: Origin'
    : ' and Vary: Origin';
  return [
    `food-lookup: start it with ALLOWED_ORIGIN=${sentOrigin}${path}`,
    `Any other service: send exactly Access-Control-Allow-Origin: ${sentOrigin}${more}.`,
  ];
}

const allowCredentials = ({ sentOrigin }: Fault): readonly string[] => [
  "Let the page send no credentials, if the service needs none (food-lookup needs none): fetch without credentials: 'include'.",
  `Otherwise let the service send Access-Control-Allow-Origin: ${sentOrigin}, Access-Control-Allow-Credentials: true and Vary: Origin.`,
];
