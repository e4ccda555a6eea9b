/** Redirects: by status, across servers, and to addresses where a page may not go. */
import { AUTHORIZATION, type Case, HEADERS, METHODS, ORIGIN, redirect, reply, status, X } from './case.ts';

export const REDIRECT_CASES: readonly Case[] = [
  ...[301, 302, 303, 307, 308].flatMap((code) =>
    (['GET', 'POST'] as const).map(
      (method): Case => ({
        name: `redirect ${code} of ${method} on the same server`,
        method,
        ...(method === 'POST' ? { headers: { 'content-type': 'text/plain' } } : {}),
        answer: ({ path }, { page, here }) =>
          path === '/first' ? redirect(`${here}/next`, code, [ORIGIN, page]) : reply([ORIGIN, page]),
      }),
    ),
  ),
  {
    name: 'redirect without the header on it',
    answer: ({ path }, { page, here }) =>
      path === '/first' ? redirect(`${here}/next`) : reply([ORIGIN, page]),
  },
  {
    name: 'redirect to another server that allows the page',
    answer: ({ path }, { page, other }) =>
      path === '/first' ? redirect(`${other}/next`, 302, [ORIGIN, page]) : reply([ORIGIN, page]),
  },
  {
    name: 'redirect to another server that allows null',
    answer: ({ path }, { page, other }) =>
      path === '/first' ? redirect(`${other}/next`, 302, [ORIGIN, page]) : reply([ORIGIN, 'null']),
  },
  {
    name: 'redirect to another server that allows all',
    answer: ({ path }, { other }) =>
      path === '/first' ? redirect(`${other}/next`, 302, [ORIGIN, '*']) : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect home, which allows the page',
    answer: ({ path }, { page, home }) =>
      path === '/first' ? redirect(`${home}/next`, 302, [ORIGIN, page]) : reply([ORIGIN, page]),
  },
  {
    name: 'redirect home, which allows null',
    answer: ({ path }, { page, home }) =>
      path === '/first' ? redirect(`${home}/next`, 302, [ORIGIN, page]) : reply([ORIGIN, 'null']),
  },
  {
    name: 'redirect with a preflight at each',
    headers: X,
    answer: ({ path, method }, { here }) =>
      method === 'OPTIONS'
        ? reply([ORIGIN, '*'], [HEADERS, '*'])
        : path === '/first'
          ? redirect(`${here}/next`, 307, [ORIGIN, '*'])
          : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect of a method that needs a preflight to a server that allows all',
    method: 'PUT',
    answer: ({ path, method }, { other }) =>
      method === 'OPTIONS'
        ? reply([ORIGIN, '*'], [METHODS, '*'])
        : path === '/first'
          ? redirect(`${other}/next`, 307, [ORIGIN, '*'])
          : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect 303 of PUT',
    method: 'PUT',
    answer: ({ path, method }, { here }) =>
      method === 'OPTIONS'
        ? path === '/first'
          ? reply([ORIGIN, '*'], [METHODS, '*'])
          : status(405)
        : path === '/first'
          ? redirect(`${here}/next`, 303, [ORIGIN, '*'])
          : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to another server drops Authorization',
    headers: AUTHORIZATION,
    answer: ({ path, method }, { other }) =>
      method === 'OPTIONS'
        ? path === '/first'
          ? reply([ORIGIN, '*'], [HEADERS, 'authorization'])
          : status(403)
        : path === '/first'
          ? redirect(`${other}/next`, 307, [ORIGIN, '*'])
          : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to an address with a password',
    answer: ({ path }, { here }) =>
      path === '/first'
        ? redirect(`${here.replace('http://', 'http://me:pw@')}/next`, 302, [ORIGIN, '*'])
        : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to an invalid address',
    answer: ({ path }) =>
      path === '/first' ? redirect('http://[', 302, [ORIGIN, '*']) : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to a scheme other than http and https',
    answer: ({ path }) =>
      path === '/first' ? redirect('ftp://127.0.0.1/x', 302, [ORIGIN, '*']) : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to a port of another protocol',
    answer: () => redirect('http://127.0.0.1:6000/x', 302, [ORIGIN, '*']),
  },
  { name: 'redirect without a location', answer: () => status(302, [ORIGIN, '*']) },
  { name: 'endless redirect', answer: (_, { here }) => redirect(`${here}/first`, 302, [ORIGIN, '*']) },
  ...[19, 20, 21].map(
    (count): Case => ({
      name: `${count} redirects`,
      answer: ({ path }, { here }) => {
        const place = path === '/first' ? 0 : Number(path.slice(1));
        return place === count ? reply([ORIGIN, '*']) : redirect(`${here}/${place + 1}`, 302, [ORIGIN, '*']);
      },
    }),
  ),
];
