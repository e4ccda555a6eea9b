/**
 * Notes on a fetch: what works, but may surprise.
 */
import type { FetchTrace, PageRequest } from './browser-fetch.ts';
import { headerValue, isExposed, isRedirect, locationOf, lowerElementsOf } from './fetch-rules.ts';
import { isInsecure, isLoopback, isNear, type LocalAccess, WHERE } from './reachable.ts';

export function notesOn(
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
