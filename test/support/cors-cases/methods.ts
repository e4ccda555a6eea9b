/** Methods and their preflights. */
import { type Case, CREDENTIALS, HEADERS, METHODS, preflighted, X } from './case.ts';

export const METHOD_CASES: readonly Case[] = [
  ...[
    'GET',
    'get',
    'HEAD',
    'POST',
    'post',
    'PUT',
    'put',
    'DELETE',
    'PATCH',
    'patch',
    'OPTIONS',
    'EGG',
    'egg',
  ].flatMap((method) =>
    [undefined, 'GET, HEAD', 'PUT, DELETE, PATCH', 'put, patch, egg', '*', method].map(
      (allowed): Case => ({
        name: `method ${method}, allowed: ${allowed}`,
        method,
        answer: preflighted(...(allowed === undefined ? [] : [[METHODS, allowed] as const])),
      }),
    ),
  ),
  {
    name: 'method PUT, * with credentials',
    method: 'PUT',
    credentials: true,
    answer: preflighted([METHODS, '*'], [CREDENTIALS, 'true']),
  },
  {
    name: 'method PUT, named with credentials',
    method: 'PUT',
    credentials: true,
    answer: preflighted([METHODS, 'PUT'], [CREDENTIALS, 'true']),
  },
  { name: 'method PUT, semicolons', method: 'PUT', answer: preflighted([METHODS, 'GET; PUT']) },
  { name: 'method PUT, spaces', method: 'PUT', answer: preflighted([METHODS, 'GET PUT']) },
  { name: 'method PUT, empty parts', method: 'PUT', answer: preflighted([METHODS, ', ,PUT,']) },
  { name: 'method PUT, two headers', method: 'PUT', answer: preflighted([METHODS, 'GET'], [METHODS, 'PUT']) },
  {
    name: 'method GET with a header, malformed methods',
    headers: X,
    answer: preflighted([METHODS, 'GET; PUT'], [HEADERS, 'x-diary']),
  },
];
