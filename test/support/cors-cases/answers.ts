/** Unusual HTTP: targets of redirects, interim answers, and large headers. */
import { type Case, type Fields, HEADERS, ORIGIN, reply, status, X } from './case.ts';

/** Values of `Location`; `A` and `B` are two addresses of the same server. */
const LOCATIONS: readonly (readonly string[])[] = [
  [''],
  ['', ''],
  ['', 'A'],
  ['A', ''],
  ['A', 'A'],
  ['A', 'B'],
  ['', 'A', 'B'],
  ['A, x'],
  [','],
  ['A '],
  ['#fragment'],
  ['?next'],
];

const KILOBYTE = 'a'.repeat(1000);
const filled = (kilobytes: number): Fields =>
  Array.from({ length: kilobytes }, (_, i) => [`X-${i}`, KILOBYTE] as const);

export const ANSWER_CASES: readonly Case[] = [
  ...[200, 302].flatMap((code) =>
    LOCATIONS.map(
      (values): Case => ({
        name: `${code} with Location ${JSON.stringify(values)}`,
        answer: ({ path }, { here }) =>
          path === '/first'
            ? status(
                code,
                [ORIGIN, '*'],
                ...values.map(
                  (value) =>
                    ['Location', value.replace('A', `${here}/next`).replace('B', `${here}/other`)] as const,
                ),
              )
            : reply([ORIGIN, '*']),
      }),
    ),
  ),
  ...[
    ['inline', 'inline'],
    ['inline', 'attachment'],
  ].map(
    (values): Case => ({
      name: `Content-Disposition ${values.join(' and ')}`,
      answer: () => reply([ORIGIN, '*'], ...values.map((value) => ['Content-Disposition', value] as const)),
    }),
  ),
  {
    name: 'preflight with two locations',
    headers: X,
    answer: () => reply([ORIGIN, '*'], [HEADERS, '*'], ['Location', '/a'], ['Location', '/b']),
  },
  ...[15, 17, 60, 200, 250, 270, 400].map(
    (size): Case => ({
      name: `${size} KB of headers`,
      answer: () => reply([ORIGIN, '*'], ...filled(size)),
    }),
  ),
  ...(
    [['100'], ['102'], ['103'], ['100', '100'], ['103', '100'], ['100', '103', '102', '103']] as const
  ).flatMap((interim): Case[] => [
    {
      name: `after ${interim.join(' and ')}`,
      answer: () => ({ ...reply([ORIGIN, '*']), interim }),
    },
    {
      name: `after ${interim.join(' and ')}, also in the preflight`,
      headers: X,
      answer: () => ({ ...reply([ORIGIN, '*'], [HEADERS, '*']), interim }),
    },
    { name: `after ${interim.join(' and ')}, without the header`, answer: () => ({ ...reply(), interim }) },
  ]),
];
