/** Redirects: by status, across servers, and to addresses where a page may not go. */
import {
  AUTHORIZATION,
  type Case,
  type CaseAnswer,
  type Fields,
  HEADERS,
  METHODS,
  ORIGIN,
  type Places,
  redirect,
  reply,
  status,
  X,
} from './case.ts';

type At<Result> = (at: Places) => Result;

const none: At<Fields> = () => [];
const all: At<Fields> = () => [[ORIGIN, '*']];
const forPage: At<Fields> = ({ page }) => [[ORIGIN, page]];
const forNull: At<Fields> = () => [[ORIGIN, 'null']];

const here: At<string> = (at) => `${at.here}/next`;
const other: At<string> = (at) => `${at.other}/next`;
const home: At<string> = (at) => `${at.home}/next`;

interface Options extends Pick<Case, 'method' | 'headers'> {
  readonly code?: number;
  /** Headers of the redirect, and of the answer that it leads to. */
  readonly first?: At<Fields>;
  readonly next?: At<Fields>;
  preflight?(path: string): CaseAnswer;
}

const redirected = (
  name: string,
  to: At<string>,
  { code = 302, first = all, next = all, preflight, ...request }: Options = {},
): Case => ({
  name,
  ...request,
  answer: ({ path, method }, at) => {
    if (method === 'OPTIONS' && preflight !== undefined) return preflight(path);
    return path === '/first' ? redirect(to(at), code, ...first(at)) : reply(...next(at));
  },
});

export const REDIRECT_CASES: readonly Case[] = [
  ...[301, 302, 303, 307, 308].flatMap((code) =>
    (['GET', 'POST'] as const).map((method) =>
      redirected(`redirect ${code} of ${method} on the same server`, here, {
        code,
        method,
        ...(method === 'POST' ? { headers: { 'content-type': 'text/plain' } } : {}),
        first: forPage,
        next: forPage,
      }),
    ),
  ),
  redirected('redirect without the header on it', here, { first: none, next: forPage }),
  redirected('redirect to another server that allows the page', other, { first: forPage, next: forPage }),
  redirected('redirect to another server that allows null', other, { first: forPage, next: forNull }),
  redirected('redirect to another server that allows all', other),
  redirected('redirect home, which allows the page', home, { first: forPage, next: forPage }),
  redirected('redirect home, which allows null', home, { first: forPage, next: forNull }),
  redirected('redirect with a preflight at each', here, {
    code: 307,
    headers: X,
    preflight: () => reply([ORIGIN, '*'], [HEADERS, '*']),
  }),
  redirected('redirect of a method that needs a preflight to a server that allows all', other, {
    code: 307,
    method: 'PUT',
    preflight: () => reply([ORIGIN, '*'], [METHODS, '*']),
  }),
  redirected('redirect 303 of PUT', here, {
    code: 303,
    method: 'PUT',
    preflight: (path) => (path === '/first' ? reply([ORIGIN, '*'], [METHODS, '*']) : status(405)),
  }),
  redirected('redirect to another server drops Authorization', other, {
    code: 307,
    headers: AUTHORIZATION,
    preflight: (path) => (path === '/first' ? reply([ORIGIN, '*'], [HEADERS, 'authorization']) : status(403)),
  }),
  redirected('redirect to an address with a password', (at) => here(at).replace('http://', 'http://me:pw@')),
  redirected('redirect to an invalid address', () => 'http://['),
  redirected('redirect to a scheme other than http and https', () => 'ftp://127.0.0.1/x'),
  redirected('redirect to a port of another protocol', () => 'http://127.0.0.1:6000/x'),
  redirected('endless redirect', (at) => `${at.here}/first`),
  { name: 'redirect without a location', answer: () => status(302, [ORIGIN, '*']) },
  ...[19, 20, 21].map(
    (count): Case => ({
      name: `${count} redirects`,
      answer: ({ path }, at) => {
        const place = path === '/first' ? 0 : Number(path.slice(1));
        return place === count
          ? reply([ORIGIN, '*'])
          : redirect(`${at.here}/${place + 1}`, 302, [ORIGIN, '*']);
      },
    }),
  ),
];
