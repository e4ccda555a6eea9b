/** Values for origins and credentials: correct ones and common mistakes. */
import { type Case, CREDENTIALS, type Fields, HEADERS, ORIGIN, reply, status, X } from './case.ts';

/** Values of Access-Control-Allow-Origin. */
const ORIGINS: readonly [string, (page: string) => readonly string[]][] = [
  ['none', () => []],
  ['exact', (page) => [page]],
  ['*', () => ['*']],
  ['a trailing slash', (page) => [`${page}/`]],
  ['a path', (page) => [`${page}/app`]],
  ['upper case', (page) => [page.toUpperCase()]],
  ['the other scheme', (page) => [page.replace('http:', 'https:')]],
  ['no port', (page) => [page.replace(/:\d+$/, '')]],
  ['no scheme', (page) => [page.replace('http://', '')]],
  ['another origin', () => ['https://app.example']],
  ['null', () => ['null']],
  ['empty', () => ['']],
  ['a list', (page) => [`${page}, https://app.example`]],
  ['a list with spaces', (page) => [`https://app.example ${page}`]],
  ['the same twice in one', (page) => [`${page}, ${page}`]],
  ['the header twice', (page) => [page, page]],
  ['the header twice, first right', (page) => [page, 'https://app.example']],
  ['* twice', () => ['*', '*']],
  ['* and the origin', (page) => ['*', page]],
  ['a pattern', () => ['http://*']],
  ['in quotes', (page) => [`"${page}"`]],
  ['spaces around', (page) => [`  ${page}  `]],
];

const allowing = (values: readonly string[]): Fields => values.map((value) => [ORIGIN, value] as const);

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
    ([name, valuesFor]): Case => ({
      name: `allow origin: ${name}`,
      answer: (_, { page }) => reply(...allowing(valuesFor(page))),
    }),
  ),
  ...ORIGINS.map(
    ([name, valuesFor]): Case => ({
      name: `preflight, allow origin: ${name}`,
      headers: X,
      answer: ({ method }, { page }) =>
        method === 'OPTIONS'
          ? reply(...allowing(valuesFor(page)), [HEADERS, 'x-diary'])
          : reply([ORIGIN, page]),
    }),
  ),
  ...['exact', '*', 'none'].flatMap((name) =>
    CREDENTIAL_VALUES.map(
      (credentials): Case => ({
        name: `with credentials, allow origin ${name}, ${JSON.stringify(credentials)}`,
        credentials: true,
        answer: (_, { page }) => {
          const [, valuesFor = () => []] = ORIGINS.find(([each]) => each === name) ?? [];
          return reply(...allowing(valuesFor(page)), ...credentials);
        },
      }),
    ),
  ),
  ...[{}, { headers: X }].map(
    (request): Case => ({
      name: `allow origin: the name in lower case, ${JSON.stringify(request)}`,
      ...request,
      answer: (_, { page }) => reply([ORIGIN.toLowerCase(), page], [HEADERS, 'x-diary']),
    }),
  ),
  { name: 'an error that may be read', answer: (_, { page }) => status(503, [ORIGIN, page]) },
  { name: 'an error that may not be read', answer: () => status(503) },
  { name: 'not found without the header', answer: () => status(404) },
  { name: 'no content', answer: (_, { page }) => status(204, [ORIGIN, page]) },
];
