/** Requests of a page and the answers of a service, for a browser and for `check-cors`: correct ones, common mistakes, and random ones. */
import { seeded } from './random.ts';

export interface Case {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly credentials?: boolean;
  /** To the first request, and to those that it is redirected to; the last one also to all others. */
  readonly answers: readonly Answer[];
  /** To the preflights of these; by default the same. */
  readonly preflights?: readonly Answer[];
}

/**
 * In the values, `PAGE` stands for the host and port of the page; `HERE`, `OTHER`, `THIRD` and `HOME` for the address of the case
 * on the three servers and on that of the page, `FAR` for one by another name, where `/0` is the first request.
 */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly interim?: readonly ('100' | '102' | '103')[];
}

type Fields = Answer['headers'];

const ORIGIN = 'Access-Control-Allow-Origin';
const CREDENTIALS = 'Access-Control-Allow-Credentials';
const METHODS = 'Access-Control-Allow-Methods';
const HEADERS = 'Access-Control-Allow-Headers';
const X = { 'x-diary': '1' };
const AUTHORIZATION = { authorization: 'Bearer 1' };
const PAGE = 'http://PAGE';
const HERE = 'http://HERE/1';
const ELSEWHERE = 'http://OTHER/1';
const HOME = 'http://HOME/1';

const status = (code: number, ...headers: Fields): Answer => ({ status: code, headers });
const reply = (...headers: Fields): Answer => status(200, ...headers);
const fields = (name: string, values: readonly string[]): Fields => values.map((value) => [name, value]);

export const FOR_ALL = reply([ORIGIN, '*']);
const FOR_PAGE = reply([ORIGIN, PAGE]);
const FOR_NULL = reply([ORIGIN, 'null']);

/** A request whose preflight is answered with these headers. */
const preflighted = (request: Omit<Case, 'answers' | 'preflights'>, ...headers: Fields): Case => ({
  ...request,
  preflights: [reply([ORIGIN, PAGE], ...headers)],
  answers: [reply([ORIGIN, PAGE], [CREDENTIALS, 'true'])],
});

/** Values of a header between bars; several of one answer between semicolons. */
const valuesIn = (text: string): string[][] => text.split('|').map((values) => values.split('; '));

const ORIGINS = [
  [],
  ...valuesIn(`${PAGE}|*|${PAGE}/|HTTP://PAGE|https://PAGE|null||http://*|  ${PAGE}  `),
  ...valuesIn(`${PAGE}, https://app.example|https://app.example ${PAGE}|${PAGE}, ${PAGE}`),
  ...valuesIn(`${PAGE}; ${PAGE}|${PAGE}; https://app.example|*; *|*; ${PAGE}`),
].map((values) => fields(ORIGIN, values));

const CREDENTIAL_VALUES = [[], ['true'], ['True'], ['1'], ['false'], ['true', 'true']].map((values) =>
  fields(CREDENTIALS, values),
);

export const ORIGIN_CASES: readonly Case[] = [
  ...ORIGINS.flatMap((origin): Case[] => [
    { answers: [reply(...origin)] },
    { headers: X, preflights: [reply(...origin, [HEADERS, 'x-diary'])], answers: [FOR_PAGE] },
  ]),
  ...[FOR_PAGE, FOR_ALL, reply()].flatMap(({ headers }) =>
    CREDENTIAL_VALUES.map((values) => ({ credentials: true, answers: [reply(...headers, ...values)] })),
  ),
  ...[{}, X].map((headers) => ({
    headers,
    answers: [reply([ORIGIN.toLowerCase(), PAGE], [HEADERS, 'x-diary'])],
  })),
  ...[status(503, [ORIGIN, PAGE]), status(503), status(404), status(204, [ORIGIN, PAGE])].map((answer) => ({
    answers: [answer],
  })),
];

const METHODS_SENT = 'GET get HEAD POST post PUT put DELETE PATCH patch OPTIONS EGG egg'.split(' ');

const METHOD_CASES: readonly Case[] = [
  ...METHODS_SENT.flatMap((method) => [
    preflighted({ method }),
    ...['GET, HEAD', 'PUT, DELETE, PATCH', 'put, patch, egg', '*', method].map((allowed) =>
      preflighted({ method }, [METHODS, allowed]),
    ),
  ]),
  ...['*', 'PUT'].map((allowed) =>
    preflighted({ method: 'PUT', credentials: true }, [METHODS, allowed], [CREDENTIALS, 'true']),
  ),
  ...[['GET; PUT'], ['GET PUT'], [', ,PUT,'], ['GET', 'PUT']].map((values) =>
    preflighted({ method: 'PUT' }, ...fields(METHODS, values)),
  ),
  preflighted({ headers: X }, [METHODS, 'GET; PUT'], [HEADERS, 'x-diary']),
];

/** Headers that may need a preflight. */
const SENT = [
  ...['application/json', 'a(b)', 'a'.repeat(129)].map((accept) => ({ accept })),
  { pragma: 'no-cache' },
  ...[{ 'accept-language': 'de-CH, en;q=0.8' }, { 'accept-language': 'de_CH' }, { 'content-language': 'de' }],
  ...['text/plain', 'Text/Plain; charset=utf-8', 'application/json', 'application/x-www-form-urlencoded']
    .concat('text/plain; a="b"')
    .map((type) => ({ 'content-type': type })),
  ...['0-99', '5-', '-5', '9-5', '0-1,4-5'].map((bytes) => ({ range: `bytes=${bytes}` })),
  ...[{ 'cache-control': 'no-cache' }, { 'if-none-match': '"1"' }, { 'x-requested-with': 'XMLHttpRequest' }],
] as readonly Readonly<Record<string, string>>[];

const HEADER_CASES: readonly Case[] = [
  preflighted({ headers: X }),
  ...['x-diary', 'X-DIARY', 'x-other', '*', 'x-other, x-diary', 'x-other; x-diary', '"x-diary"'].map(
    (allowed) => preflighted({ headers: X }, [HEADERS, allowed]),
  ),
  preflighted({ headers: X, credentials: true }, [HEADERS, '*'], [CREDENTIALS, 'true']),
  preflighted({ headers: AUTHORIZATION }, [HEADERS, '*']),
  preflighted({ headers: AUTHORIZATION }, [HEADERS, 'Authorization']),
  preflighted({ headers: { ...X, 'x-b': '2' } }, [HEADERS, 'x-diary']),
  preflighted({ headers: { 'x-b': '2', ...X } }, [HEADERS, 'x-diary,x-b']),
  ...SENT.map((headers) => ({ headers, preflights: [status(404)], answers: [FOR_PAGE] })),
  ...[200, 204, 299, 301, 307, 400, 401, 403, 404, 405, 500].map((code) => ({
    headers: X,
    preflights: [status(code, [ORIGIN, PAGE], [HEADERS, 'x-diary'], ['Location', HERE])],
    answers: [FOR_PAGE],
  })),
  { headers: X, preflights: [reply([ORIGIN, PAGE], [HEADERS, '*'])], answers: [reply()] },
];

/** A redirect with the headers of the first answer, then the next answer. */
export const redirected = (
  to: string,
  first = FOR_ALL,
  next = FOR_ALL,
  { code = 302, ...request }: Omit<Case, 'answers'> & { readonly code?: number } = {},
): Case => ({ ...request, answers: [status(code, ['Location', to], ...first.headers), next] });

/** A redirect whose preflight is answered for all with this header. @param then to that of the next request */
const preflightedTo = (
  to: string,
  request: Parameters<typeof redirected>[3],
  header: Fields[number],
  ...then: Answer[]
): Case =>
  redirected(to, FOR_ALL, FOR_ALL, { ...request, preflights: [reply([ORIGIN, '*'], header), ...then] });

const REDIRECT_CASES: readonly Case[] = [
  ...[301, 302, 303, 307, 308].flatMap((code) =>
    [{ method: 'GET' }, { method: 'POST', headers: { 'content-type': 'text/plain' } }].map((request) =>
      redirected(HERE, FOR_PAGE, FOR_PAGE, { code, ...request }),
    ),
  ),
  redirected(HERE, reply(), FOR_PAGE),
  redirected(ELSEWHERE, FOR_PAGE, FOR_PAGE),
  redirected(ELSEWHERE, FOR_PAGE, FOR_NULL),
  redirected(ELSEWHERE),
  redirected(HOME, FOR_PAGE, FOR_PAGE),
  redirected(HOME, FOR_PAGE, FOR_NULL),
  preflightedTo(HERE, { code: 307, headers: X }, [HEADERS, '*']),
  preflightedTo(ELSEWHERE, { code: 307, method: 'PUT' }, [METHODS, '*']),
  preflightedTo(HERE, { code: 303, method: 'PUT' }, [METHODS, '*'], status(405)),
  preflightedTo(ELSEWHERE, { code: 307, headers: AUTHORIZATION }, [HEADERS, 'authorization'], status(403)),
  ...['http://me:pw@HERE/1', 'http://[', 'ftp://127.0.0.1/x', 'http://127.0.0.1:6000/x', 'http://HERE/0'].map(
    (to) => redirected(to),
  ),
  { answers: [status(302, [ORIGIN, '*'])] },
  ...[19, 20, 21].map((count) => {
    const targets = Array.from({ length: count }, (_, i) => `http://HERE/${i + 1}`);
    return { answers: [...targets.map((to) => status(302, ['Location', to], [ORIGIN, '*'])), FOR_ALL] };
  }),
];

const LOCATIONS = valuesIn(
  `|; |; ${HERE}|${HERE}; |${HERE}; ${HERE}|${HERE}; http://HERE/2|; ${HERE}; http://HERE/2|${HERE}, x|,|${HERE} |#fragment|?next`,
);

type Interim = NonNullable<Answer['interim']>;
const INTERIM = valuesIn('100|102|103|100; 100|103; 100|100; 103; 102; 103') as Interim[];

/** Unusual HTTP: targets of redirects, interim answers, and large headers. */
const ANSWER_CASES: readonly Case[] = [
  ...[200, 302].flatMap((code) =>
    LOCATIONS.map((values) => ({
      answers: [status(code, [ORIGIN, '*'], ...fields('Location', values)), FOR_ALL],
    })),
  ),
  ...['inline', 'attachment'].map((second) => ({
    answers: [reply([ORIGIN, '*'], ...fields('Content-Disposition', ['inline', second]))],
  })),
  { headers: X, answers: [reply([ORIGIN, '*'], [HEADERS, '*'], ...fields('Location', ['/a', '/b']))] },
  ...[15, 17, 60, 200, 250, 270, 400].map((kilobytes) => {
    const large = Array.from({ length: kilobytes }, (_, i) => [`X-${i}`, 'a'.repeat(1000)] as const);
    return { answers: [reply([ORIGIN, '*'], ...large)] };
  }),
  ...INTERIM.flatMap((interim): Case[] => [
    { answers: [{ ...FOR_ALL, interim }] },
    { headers: X, answers: [{ ...reply([ORIGIN, '*'], [HEADERS, '*']), interim }] },
    { answers: [{ ...reply(), interim }] },
  ]),
];

export const CASES = [ORIGIN_CASES, METHOD_CASES, HEADER_CASES, REDIRECT_CASES, ANSWER_CASES].flat();

const SOMETIMES: readonly NonNullable<Case['headers']>[] = [
  {},
  {},
  X,
  { authorization: 'x' },
  { 'content-type': 'application/json' },
];

/** Requests and answers made from correct and nearly correct parts. */
export function randomCases(count: number, seed: number): Case[] {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const fieldsOf = (): Fields => {
    const parts: [string, string | undefined][] = [
      [ORIGIN, pick([PAGE, PAGE, PAGE, '*', '*', 'null', undefined, `${PAGE}/`])],
      [CREDENTIALS, pick(['true', 'true', undefined, 'TRUE'])],
      [METHODS, pick(['PUT, PATCH', '*', undefined, 'put', 'GET,PUT', 'PUT DELETE'])],
      [
        HEADERS,
        pick(['x-diary, Authorization', '*', 'X-Diary', undefined, 'content-type, x-diary', 'x-diary;']),
      ],
    ];
    return parts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  };
  return Array.from({ length: count }, (): Case => {
    const [preflight, simple, next] = [fieldsOf(), fieldsOf(), fieldsOf()];
    const code = pick([200, 200, 200, 204, 404, 302]);
    const hops = pick([0, 0, 0, 1, 2]);
    const to = pick(['HERE', 'OTHER', 'HOME']);
    const redirects = [to, 'THIRD']
      .slice(0, hops)
      .map((place, hop) => status(307, ['Location', `http://${place}/${hop + 1}`], ...simple));
    return {
      headers: pick(SOMETIMES),
      method: pick(['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
      credentials: random(3) === 0,
      preflights: [status(code, ...preflight)],
      answers: [...redirects, reply(...(hops === 0 ? simple : next))],
    };
  });
}
