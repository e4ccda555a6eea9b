/** Ways in which services answer requests from other origins: right ones, and what people write. */
import type { IncomingMessage } from 'node:http';

export interface Case {
  readonly name: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: boolean;
  /** Of the first server; the path decides what is answered. */
  readonly path?: string;
  answer(request: Asked, at: Places): CaseAnswer;
}

export interface Asked {
  readonly method: string;
  /** What stands behind the prefix of the case. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

/** Addresses of the servers with the prefix of the case, and the page's origin. */
export interface Places {
  readonly page: string;
  readonly here: string;
  readonly other: string;
  readonly third: string;
  /** The same path on the page's own server. */
  readonly home: string;
}

export interface CaseAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
}

type Fields = CaseAnswer['headers'];
const ORIGIN = 'Access-Control-Allow-Origin';
const CREDENTIALS = 'Access-Control-Allow-Credentials';
const METHODS = 'Access-Control-Allow-Methods';
const HEADERS = 'Access-Control-Allow-Headers';

const reply = (...headers: Fields): CaseAnswer => ({ status: 200, headers });
const status = (code: number, ...headers: Fields): CaseAnswer => ({ status: code, headers });
const redirect = (to: string, code = 302, ...headers: Fields): CaseAnswer => ({
  status: code,
  headers: [['Location', to], ...headers],
});

/** A preflight that is answered so, and a request that is allowed. */
const preflighted =
  (...headers: Fields): Case['answer'] =>
  ({ method }, { page }) =>
    method === 'OPTIONS' ? reply([ORIGIN, page], ...headers) : reply([ORIGIN, page], [CREDENTIALS, 'true']);

/** Values of the one header that decides. */
const ORIGINS: readonly [string, (page: string) => Fields][] = [
  ['none', () => []],
  ['exact', (page) => [[ORIGIN, page]]],
  ['*', () => [[ORIGIN, '*']]],
  ['a slash at the end', (page) => [[ORIGIN, `${page}/`]]],
  ['a path', (page) => [[ORIGIN, `${page}/app`]]],
  ['upper case', (page) => [[ORIGIN, page.toUpperCase()]]],
  ['the other scheme', (page) => [[ORIGIN, page.replace('http:', 'https:')]]],
  ['no port', (page) => [[ORIGIN, page.replace(/:\d+$/, '')]]],
  ['no scheme', (page) => [[ORIGIN, page.replace('http://', '')]]],
  ['another origin', () => [[ORIGIN, 'https://app.example']]],
  ['null', () => [[ORIGIN, 'null']]],
  ['empty', () => [[ORIGIN, '']]],
  ['a list', (page) => [[ORIGIN, `${page}, https://app.example`]]],
  ['a list with spaces', (page) => [[ORIGIN, `https://app.example ${page}`]]],
  ['the same twice in one', (page) => [[ORIGIN, `${page}, ${page}`]]],
  [
    'the header twice',
    (page) => [
      [ORIGIN, page],
      [ORIGIN, page],
    ],
  ],
  [
    'the header twice, first right',
    (page) => [
      [ORIGIN, page],
      [ORIGIN, 'https://app.example'],
    ],
  ],
  [
    '* twice',
    () => [
      [ORIGIN, '*'],
      [ORIGIN, '*'],
    ],
  ],
  [
    '* and the origin',
    (page) => [
      [ORIGIN, '*'],
      [ORIGIN, page],
    ],
  ],
  ['a pattern', () => [[ORIGIN, 'http://*']]],
  ['in quotes', (page) => [[ORIGIN, `"${page}"`]]],
  ['spaces around', (page) => [[ORIGIN, `  ${page}  `]]],
  ['the name in lower case', (page) => [['access-control-allow-origin', page]]],
];

const CREDENTIAL_VALUES: readonly Fields[] = [
  [],
  [[CREDENTIALS, 'true']],
  [[CREDENTIALS, 'True']],
  [[CREDENTIALS, '1']],
  [[CREDENTIALS, 'false']],
  [
    [CREDENTIALS, 'true'],
    [CREDENTIALS, 'true'],
  ],
];

const X = { 'x-diary': '1' };
const AUTHORIZATION = { authorization: 'Bearer 1' };
const long = 'a'.repeat(129);

export const CASES: readonly Case[] = [
  ...ORIGINS.map(
    ([name, fields]): Case => ({
      name: `allow origin: ${name}`,
      answer: (_, { page }) => reply(...fields(page)),
    }),
  ),
  ...ORIGINS.map(
    ([name, fields]): Case => ({
      name: `preflight, allow origin: ${name}`,
      headers: X,
      answer: ({ method }, { page }) =>
        method === 'OPTIONS' ? reply(...fields(page), [HEADERS, 'x-diary']) : reply([ORIGIN, page]),
    }),
  ),
  ...['exact', '*', 'none'].flatMap((name) =>
    CREDENTIAL_VALUES.map(
      (credentials): Case => ({
        name: `with credentials, allow origin ${name}, ${JSON.stringify(credentials)}`,
        credentials: true,
        answer: (_, { page }) => {
          const [, fields = () => []] = ORIGINS.find(([each]) => each === name) ?? [];
          return reply(...fields(page), ...credentials);
        },
      }),
    ),
  ),
  { name: 'an error that may be read', answer: (_, { page }) => status(503, [ORIGIN, page]) },
  { name: 'an error that may not', answer: () => status(503) },
  { name: 'not found without the header', answer: () => status(404) },
  { name: 'no content', answer: (_, { page }) => status(204, [ORIGIN, page]) },

  // Methods
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

  // Headers
  ...[
    undefined,
    'x-diary',
    'X-DIARY',
    'x-other',
    '*',
    'x-other, x-diary',
    'x-other; x-diary',
    '"x-diary"',
  ].map(
    (allowed): Case => ({
      name: `header x-diary, allowed: ${allowed}`,
      headers: X,
      answer: preflighted(...(allowed === undefined ? [] : [[HEADERS, allowed] as const])),
    }),
  ),
  {
    name: 'header x-diary, * with credentials',
    headers: X,
    credentials: true,
    answer: preflighted([HEADERS, '*'], [CREDENTIALS, 'true']),
  },
  { name: 'header authorization, *', headers: AUTHORIZATION, answer: preflighted([HEADERS, '*']) },
  {
    name: 'header authorization, named',
    headers: AUTHORIZATION,
    answer: preflighted([HEADERS, 'Authorization']),
  },
  {
    name: 'two headers, one allowed',
    headers: { ...X, 'x-b': '2' },
    answer: preflighted([HEADERS, 'x-diary']),
  },
  {
    name: 'two headers, both allowed',
    headers: { 'x-b': '2', ...X },
    answer: preflighted([HEADERS, 'x-diary,x-b']),
  },
  ...[
    { accept: 'application/json' },
    { accept: 'a(b)' },
    { accept: long },
    { 'accept-language': 'de-CH, en;q=0.8' },
    { 'accept-language': 'de_CH' },
    { 'content-language': 'de' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'Text/Plain; charset=utf-8' },
    { 'content-type': 'application/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'text/plain; a="b"' },
    { range: 'bytes=0-99' },
    { range: 'bytes=5-' },
    { range: 'bytes=-5' },
    { range: 'bytes=9-5' },
    { range: 'bytes=0-1,4-5' },
    { 'cache-control': 'no-cache' },
    { pragma: 'no-cache' },
    { 'if-none-match': '"1"' },
    { 'x-requested-with': 'XMLHttpRequest' },
  ].map(
    (headers): Case => ({
      name: `is a preflight needed for ${JSON.stringify(headers).slice(0, 60)}`,
      headers: headers as Record<string, string>,
      answer: ({ method }, { page }) => (method === 'OPTIONS' ? status(404) : reply([ORIGIN, page])),
    }),
  ),

  // Preflight
  ...[200, 204, 299, 301, 307, 400, 401, 403, 404, 405, 500].map(
    (code): Case => ({
      name: `preflight answered ${code}`,
      headers: X,
      answer: ({ method }, { page, here }) =>
        method === 'OPTIONS'
          ? status(code, [ORIGIN, page], [HEADERS, 'x-diary'], ['Location', `${here}/next`])
          : reply([ORIGIN, page]),
    }),
  ),
  {
    name: 'preflight right, answer without the header',
    headers: X,
    answer: ({ method }, { page }) =>
      method === 'OPTIONS' ? reply([ORIGIN, page], [HEADERS, '*']) : reply(),
  },

  // Redirects
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
    name: 'redirect to no address',
    answer: ({ path }) =>
      path === '/first' ? redirect('http://[', 302, [ORIGIN, '*']) : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to a scheme that is none of the web',
    answer: ({ path }) =>
      path === '/first' ? redirect('ftp://127.0.0.1/x', 302, [ORIGIN, '*']) : reply([ORIGIN, '*']),
  },
  {
    name: 'redirect to a port of another protocol',
    answer: () => redirect('http://127.0.0.1:6000/x', 302, [ORIGIN, '*']),
  },
  { name: 'redirect without a place', answer: () => status(302, [ORIGIN, '*']) },
  { name: 'redirect without end', answer: (_, { here }) => redirect(`${here}/first`, 302, [ORIGIN, '*']) },
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
