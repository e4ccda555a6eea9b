/**
 * What is right in the course of a fetch, but may surprise.
 */
import type { FetchTrace, PageRequest } from './browser-fetch.ts';
import {
  headerValue,
  isExposed,
  isRedirect,
  letsAuthorizationPassByWildcard,
  locationOf,
  namesToAllow,
  noCorsOutcome,
} from './fetch-rules.ts';
import { type LocalAccess, WHERE } from './local-network.ts';
import { isInsecure, isNear } from './reachable.ts';

export function notesOn(
  { origin, url, credentials, headers }: PageRequest,
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
      'The page comes by https and the service does not. Chrome lets that pass within one network; Firefox and Safari block it as mixed content.',
    );
  }
  const asked = namesToAllow(headers);
  const preflights = steps.filter(({ kind }) => kind === 'preflight').map((step) => step.answer);
  if (preflights.some((each) => each !== undefined && letsAuthorizationPassByWildcard(each, asked))) {
    notes.push(
      'Access-Control-Allow-Headers: * does not stand for Authorization in the standard; Chrome lets it pass, and other browsers need not. Let the service name it.',
    );
  }
  if (answer === undefined || last === undefined || sameOrigin) return notes;

  if (isRedirect(answer.status) && locationOf(answer) === undefined) {
    notes.push(
      `The answer is a redirect (${answer.status}) without a place to go to. Chrome takes it as the answer; other browsers may fail it.`,
    );
  }
  const allowed = headerValue(answer.headers, 'access-control-allow-origin');
  const vary = (headerValue(answer.headers, 'vary') ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase());
  if (allowed !== undefined && allowed !== '*' && !vary.includes('origin') && !vary.includes('*')) {
    notes.push(
      'The answer names one origin and does not say Vary: Origin. A cache may then give it to pages of another origin, or the answer to them to this page. Let the service send Vary: Origin with every answer.',
    );
  }
  if (noCorsOutcome(answer, origin, last.url) !== 'opaque') {
    const policy = headerValue(answer.headers, 'cross-origin-resource-policy');
    const where = policy === 'same-site' ? ' on another site' : ' on another origin';
    notes.push(
      `Cross-Origin-Resource-Policy: ${policy} keeps pages${where} from using it in mode no-cors, and in images and scripts. It does not matter to fetch in mode cors.`,
    );
  }
  if (fault === undefined) {
    const hidden = answer.headers
      .map(([name]) => name)
      .filter((name) => !isExposed(name, answer, credentials));
    const unread = [...new Set(hidden.map((name) => name.toLowerCase()))].filter((name) =>
      OF_USE.includes(name),
    );
    if (unread.length > 0) {
      notes.push(
        `The page cannot read these headers of the answer: ${unread.join(', ')}. To show them: Access-Control-Expose-Headers.`,
      );
    }
  }
  return notes;
}

function noteOnAccess({ host, space, outcome }: LocalAccess, origin: string): string {
  const isUnknown = outcome === 'unknown';
  const where = `${host} is ${WHERE[space]}${isUnknown ? `, and the address of ${origin} is not known` : ''}.`;
  const guard = origin.startsWith('https:')
    ? 'Chrome asks the reader for permission to reach it, and blocks the request where that is refused'
    : 'Chrome blocks the request: only pages by https may ask for permission';
  return `${where} ${isUnknown ? 'If the page comes from a public address, ' : ''}${guard}.`;
}

/** Headers that pages ask for and miss. */
const OF_USE = [
  'etag',
  'retry-after',
  'location',
  'link',
  'content-disposition',
  'x-request-id',
  'ratelimit',
];
