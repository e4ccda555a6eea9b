/** Methods and their preflights. */
import { type Case, CREDENTIALS, HEADERS, METHODS, preflightCase, X } from './case.ts';

const METHOD_NAMES = 'GET get HEAD POST post PUT put DELETE PATCH patch OPTIONS EGG egg'.split(' ');

export const METHOD_CASES: readonly Case[] = [
  ...METHOD_NAMES.flatMap((method) => [
    preflightCase(`method ${method}, allowed: undefined`, { method }),
    ...['GET, HEAD', 'PUT, DELETE, PATCH', 'put, patch, egg', '*', method].map((allowed) =>
      preflightCase(`method ${method}, allowed: ${allowed}`, { method }, [METHODS, allowed]),
    ),
  ]),
  ...['*', 'PUT'].map((allowed) =>
    preflightCase(
      `method PUT, ${allowed} with credentials`,
      { method: 'PUT', credentials: true },
      [METHODS, allowed],
      [CREDENTIALS, 'true'],
    ),
  ),
  preflightCase('method PUT, semicolons', { method: 'PUT' }, [METHODS, 'GET; PUT']),
  preflightCase('method PUT, spaces', { method: 'PUT' }, [METHODS, 'GET PUT']),
  preflightCase('method PUT, empty parts', { method: 'PUT' }, [METHODS, ', ,PUT,']),
  preflightCase('method PUT, two headers', { method: 'PUT' }, [METHODS, 'GET'], [METHODS, 'PUT']),
  preflightCase(
    'method GET with a header, malformed methods',
    { headers: X },
    [METHODS, 'GET; PUT'],
    [HEADERS, 'x-diary'],
  ),
];
