/** Values for origins and credentials: correct ones and common mistakes. */
import { type Case, CREDENTIALS, type Fields, HEADERS, ORIGIN, reply, status, X } from './case.ts';

/** Values of Access-Control-Allow-Origin. */
const ORIGINS: readonly [string, (page: string) => Fields][] = [
  ['none', () => []],
  ['exact', (page) => [[ORIGIN, page]]],
  ['*', () => [[ORIGIN, '*']]],
  ['a trailing slash', (page) => [[ORIGIN, `${page}/`]]],
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

/** The first cases need no credentials. */
export const ORIGIN_CASES: readonly Case[] = [
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
  { name: 'an error that may not be read', answer: () => status(503) },
  { name: 'not found without the header', answer: () => status(404) },
  { name: 'no content', answer: (_, { page }) => status(204, [ORIGIN, page]) },
];
