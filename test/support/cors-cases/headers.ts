/** Headers that a page sets, and preflights. */
import {
  AUTHORIZATION,
  type Case,
  CREDENTIALS,
  HEADERS,
  ORIGIN,
  preflightCase,
  reply,
  status,
  X,
} from './case.ts';

const long = 'a'.repeat(129);

export const HEADER_CASES: readonly Case[] = [
  preflightCase('header x-diary, allowed: undefined', { headers: X }),
  ...['x-diary', 'X-DIARY', 'x-other', '*', 'x-other, x-diary', 'x-other; x-diary', '"x-diary"'].map(
    (allowed) => preflightCase(`header x-diary, allowed: ${allowed}`, { headers: X }, [HEADERS, allowed]),
  ),
  preflightCase(
    'header x-diary, * with credentials',
    { headers: X, credentials: true },
    [HEADERS, '*'],
    [CREDENTIALS, 'true'],
  ),
  preflightCase('header authorization, *', { headers: AUTHORIZATION }, [HEADERS, '*']),
  preflightCase('header authorization, named', { headers: AUTHORIZATION }, [HEADERS, 'Authorization']),
  preflightCase('two headers, one allowed', { headers: { ...X, 'x-b': '2' } }, [HEADERS, 'x-diary']),
  preflightCase('two headers, both allowed', { headers: { 'x-b': '2', ...X } }, [HEADERS, 'x-diary,x-b']),
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
      name: `whether a preflight is needed for ${JSON.stringify(headers).slice(0, 60)}`,
      headers: headers as Record<string, string>,
      answer: ({ method }, { page }) => (method === 'OPTIONS' ? status(404) : reply([ORIGIN, page])),
    }),
  ),

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
    name: 'right preflight, answer without the header',
    headers: X,
    answer: ({ method }, { page }) =>
      method === 'OPTIONS' ? reply([ORIGIN, page], [HEADERS, '*']) : reply(),
  },
];
