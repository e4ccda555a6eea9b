/** Compares the OpenAPI document with the service: requests every example, and checks every answer against its schema. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { createConfig, lint } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { openCatalog } from '#service';
import { LOOKUPS, SEARCH } from '../../src/service/operations/outcomes.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import {
  ask,
  catalogOf,
  food,
  ORIGIN,
  type Reply,
  rawRequest,
  sendRaw,
  startService,
  targetOf,
} from '../support/service.ts';

interface Example {
  readonly value: unknown;
}
interface Described {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<
    Record<string, { readonly examples?: Record<string, Example>; readonly example?: unknown }>
  >;
}
interface Operation {
  readonly parameters: readonly { readonly $ref: string }[];
  readonly responses: Readonly<Record<string, Described | { readonly $ref: string }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const JSON_TYPE = 'application/json';
const portionsOf = (description: string): string => `/portions?${new URLSearchParams({ description })}`;

const FILE = await readFile('docs/openapi.json', 'utf8');
const document: Document = JSON.parse(FILE);
const ajv = new Ajv2020({ strict: false }).addSchema(document, 'document');

const catalog = await openCatalog(undefined);
const fail = () => {
  throw new Error('the store is down');
};
const service = serviceForAll(() => startService(catalog, { allowedOrigin: ORIGIN }));
const failing = { search: fail, searchWords: fail, lookUp: fail };
const faulty = serviceForAll(() => startService(failing, { allowedOrigin: ORIGIN }));

const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`the document does not have ${method} ${path}`);
  return found;
};

/** Headers of HTTP itself, and those for security, which helmet adds to all routes but the search. */
const GENERAL =
  /^(connection|keep-alive|date|content-(type|length|encoding|security-policy)|cross-origin-resource-policy|referrer-policy|x-(content-type-options|frame-options))$/;

/** What a reference such as `#/components/headers/ETag` leads to; anything else as it is. */
function resolved<T extends object>(described: T | { readonly $ref: string }): T {
  if (!('$ref' in described)) return described;
  let found: unknown = document;
  for (const name of described.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[name];
  return found as T;
}

const responseOf = (path: string, method: string, status: number | string): Described => {
  const { responses } = operation(path, method);
  const found = responses[status] ?? responses[`${String(status)[0]}XX`];
  if (found === undefined) throw new Error(`the document does not have ${status} of ${method} ${path}`);
  return resolved<Described>(found);
};

function expectAsDescribed(reply: Reply, path: string, method: string): void {
  const described = operation(path, method).responses[reply.status];
  const { headers = {}, content } = responseOf(path, method, reply.status);
  for (const [name, value] of Object.entries(reply.headers)) {
    if (GENERAL.test(name)) continue;
    const key = Object.keys(headers).find((each) => each.toLowerCase() === name) ?? '';
    expect(headers, `${method} ${path}, ${reply.status}: ${name}`).toHaveProperty([key]);
    const isValid = ajv.validate({ $ref: `document${headers[key]?.$ref}/schema` }, value);
    expect(isValid, `${name}: ${value}`).toBe(true);
  }
  if (content === undefined) {
    expect(reply.body).toBe('');
    return;
  }
  expect(reply.headers['content-type']).toBe(`${JSON_TYPE}; charset=utf-8`);
  const place =
    described !== undefined && '$ref' in described
      ? described.$ref
      : `#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${reply.status}`;
  ajv.validate({ $ref: `document${place}/content/application~1json/schema` }, JSON.parse(reply.body));
  expect(ajv.errors ?? [], reply.body.slice(0, 200)).toEqual([]);
}

const withOrigin = { headers: { origin: ORIGIN } };

/** Requests that provoke the documented errors, by path. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, () => Promise<Reply>>>>> = {
  '/api/food': faultsOf(targetOf('egg'), `${targetOf('egg')}&match=exact`),
  '/portions': faultsOf(portionsOf('Egg, whole, raw'), '/portions'),
  '/names': faultsOf(portionsOf('Egg, whole, raw').replace('portions', 'names'), '/names'),
  '/amounts': faultsOf('/amounts?q=2%20eggs', '/amounts'),
  '/nutrients': faultsOf(portionsOf('Egg, whole, raw').replace('portions', 'nutrients'), '/nutrients'),
};

/** @param target a valid target @param wrong a target that is answered 400 */
function faultsOf(target: string, wrong: string) {
  const path = target.replace(/\?.*/, '');
  return {
    400: () => ask(service, wrong, withOrigin),
    405: () => ask(service, target, { ...withOrigin, method: 'DELETE' }),
    414: () => ask(service, `${target}&`.padEnd(17_012, 'a'), withOrigin),
    429: async () => {
      // Each has its own, or the first search of the other would be more than a second ago.
      const rateLimit = { requests: 1, seconds: 60 };
      const limited = await startForTest(catalog, { allowedOrigin: ORIGIN, rateLimit });
      expectAsDescribed(await ask(limited, target, withOrigin), path, 'get');
      return ask(limited, target, withOrigin);
    },
    431: () => ask(service, target, { headers: { 'x-long': 'a'.repeat(40_000) } }),
    500: () => ask(faulty, target, withOrigin),
    503: async () => {
      const full = await startForTest(catalog, { allowedOrigin: ORIGIN, maxConnections: 1 });
      // Occupies the only connection, until its head is late.
      const held = connect(full.port, '127.0.0.1');
      held.write(`GET ${target} HTTP/1.1\r\nHost:`);
      onTestFinished(() => void held.destroy());
      return ask(full, target, withOrigin);
    },
    505: async () => replyOf(await sendRaw(service, `GET ${target} HTTP/2.0\r\nHost: x\r\n\r\n`)),
  };
}

function replyOf(received: string): Reply {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const fields = Array.from(head.matchAll(/^(.+?): (.*)$/gm));
  const headers = Object.fromEntries(fields.map(([, name = '', value]) => [name.toLowerCase(), value]));
  return { status: Number(head.slice(9, 12)), headers, body, bytes: Buffer.from(body) };
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as object as Record<string, unknown>);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test("the document follows Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ['recommended'] });
  expect(await lint({ ref: 'docs/openapi.json', config })).toEqual([]);
});

test('the document has the paths of the service that are for others, with all their methods', async () => {
  expect(Object.keys(document.paths)).toEqual(Object.keys(FAULTS));
  const looked = [SEARCH, ...LOOKUPS].map(({ path }) => path);
  expect(Object.keys(document.paths).toSorted()).toEqual(looked.toSorted());
  for (const [path, operations] of Object.entries(document.paths)) {
    const { headers } = await ask(service, path, { method: 'DELETE' });
    expect(Object.keys(operations).join(', ').toUpperCase()).toBe(headers.allow);
  }
});

test('every example of a text gets the answer with the same name', async () => {
  const byWords = await ask(service, `${targetOf('brocoli')}&match=words`, withOrigin);
  expect(byWords.headers['matched-words']).toBe('brocoli=broccoli');
  expectAsDescribed(byWords, '/api/food', 'get');
  await expectExamples('/api/food', 'q', 4);
  await expectExamples('/portions', 'description', 2);
  const named = await catalogOf([food('Milk, low fat', { names: ['1% milk', 'Lowfat milk'] })]);
  await expectExamples('/names', 'description', 2, await startForTest(named));
  await expectExamples('/amounts', 'q', 2);
  const fibre = { nutrient: 'Fibre', amount: '2.40', unit: 'g' };
  const nutrients = [fibre, { nutrient: 'Sodium', amount: '142', unit: 'mg' }];
  const nutritious = await startForTest(await catalogOf([food('Bread, rye', { nutrients })]));
  await expectExamples('/nutrients', 'description', 2, nutritious);
});

async function expectExamples(path: string, parameter: string, least: number, of = service): Promise<void> {
  const answers = responseOf(path, 'get', 200).content?.[JSON_TYPE]?.examples ?? {};
  const parameters = operation(path, 'get').parameters.map(
    resolved<{ readonly name: string; readonly examples: Readonly<Record<string, Example>> }>,
  );
  const texts = parameters.find(({ name }) => name === parameter)?.examples ?? {};
  expect(Object.keys(texts).length).toBeGreaterThanOrEqual(least);
  expect(Object.keys(answers)).toEqual(Object.keys(texts));
  for (const [name, { value: text }] of Object.entries(texts)) {
    const reply = await ask(of, `${path}?${new URLSearchParams({ [parameter]: String(text) })}`, withOrigin);
    expect(JSON.parse(reply.body), name).toEqual(answers[name]?.value);
    expectAsDescribed(reply, path, 'get');
  }
}

test.each(Object.keys(FAULTS))('every documented error of %s occurs and equals its example', async (path) => {
  const { responses } = operation(path, 'get');
  const faults = FAULTS[path] ?? {};
  const errors = Object.keys(responses).filter((status) => Number(status) >= 400);
  expect(errors).toEqual(Object.keys(faults));
  for (const status of errors) {
    const reply = await faults[status]?.();
    expect(reply?.status).toBe(Number(status));
    if (reply === undefined) continue;
    expectAsDescribed(reply, path, 'get');
    const { headers = {}, content } = responseOf(path, 'get', status);
    for (const name of Object.keys(headers))
      expect(Object.keys(reply.headers), status).toContain(name.toLowerCase());
    expect(JSON.parse(reply.body)).toEqual(content?.[JSON_TYPE]?.example);
  }
});

test('docs/http-api.md lists the status of every error', async () => {
  const client = await startForTest(catalog, { nodeEnv: 'production' });
  const provoked: readonly (readonly [string, string, ...string[]])[] = [
    ['403', '/../x'],
    ['404', '/nowhere'],
    ['412', '/openapi.json', 'If-Match: "x"'],
    ['413', '/nowhere', 'Content-Type: application/json', 'Content-Length: 1048577'],
    ['416', '/openapi.json', 'Range: bytes=99999-'],
  ];
  for (const [status, target, ...headers] of provoked) {
    const method = status === '413' ? 'POST' : 'GET';
    const request = rawRequest(method, target, ['Connection: close', ...headers]);
    const reply = replyOf(await sendRaw(client, request));
    expect([String(reply.status), JSON.parse(reply.body)]).toEqual([status, { error: expect.any(String) }]);
  }
  const [, table = ''] =
    /\| status \| when .*\n((?:\|.*\n)+)/.exec(await readFile('docs/http-api.md', 'utf8')) ?? [];
  const listed = Array.from(table.matchAll(/^\| (\d+) /gm), ([, status]) => status);
  // test/http/protocol.test.ts provokes 408.
  const occurring = [
    ...Object.values(FAULTS).flatMap((faults) => Object.keys(faults)),
    ...provoked.map(([status]) => status),
    '408',
  ];
  expect(listed).toEqual([...new Set(occurring)].toSorted());
});

describe('answers match their description', () => {
  it.each([
    ...['egg', 'a', ',', ' ', '100%', 'crème', 'İ', '\u0000', 'date, medjool'].map(targetOf),
    portionsOf('Egg, whole, raw'),
    `${targetOf('4006381333931')}&match=barcode`,
  ])('to GET, HEAD and conditional requests of %s', async (target) => {
    const path = target.replace(/\?.*/, '');
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await ask(service, target, { method, ...withOrigin });
      expectAsDescribed(reply, path, method.toLowerCase());
      const known = { origin: ORIGIN, 'if-none-match': reply.headers.etag ?? '' };
      const unchanged = await ask(service, target, { method, headers: known });
      expect(unchanged.status).toBe(304);
      expectAsDescribed(unchanged, path, method.toLowerCase());
    }
  });

  test.each(Object.keys(FAULTS))('to an erroneous HEAD of %s', async (path) => {
    const { responses } = operation(path, 'head');
    const target = `${path}?q=egg&description=egg&`.padEnd(17_012, 'a');
    const long = await ask(service, target, { method: 'HEAD', ...withOrigin });
    expect([long.status, Object.keys(responses)]).toEqual([414, ['200', '304', '4XX', '5XX']]);
    expectAsDescribed(long, path, 'head');
  });

  test('to a preflight', async () => {
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-diary' };
    const preflight = { origin: ORIGIN, ...asked };
    const reply = await ask(service, targetOf('egg'), { method: 'OPTIONS', headers: preflight });
    expect(reply.headers['access-control-allow-headers']).toBe('x-diary');
    expectAsDescribed(reply, '/api/food', 'options');
  });

  test('but not if a field is missing or added', () => {
    const place = 'document#/components/schemas/FoodEntry';
    const entry = { carbohydrate_g: 1, protein_g: null, fat_g: '0.10', kcal: 2, description: 'Egg' };
    expect(ajv.validate({ $ref: place }, entry)).toBe(true);
    expect(ajv.validate({ $ref: place }, { ...entry, fat_g: 0.1 })).toBe(false);
    expect(ajv.validate({ $ref: place }, { ...entry, fat_g: '0.1' })).toBe(false);
    expect(ajv.validate({ $ref: place }, { ...entry, salt_g: 1 })).toBe(false);
    const { kcal: _, ...without } = entry;
    expect(ajv.validate({ $ref: place }, without)).toBe(false);
  });
});

test('the documents themselves are served in every mode, without cross-origin headers', async () => {
  const inDevelopment = await startForTest(catalog, { nodeEnv: 'development' });
  for (const each of [service, inDevelopment]) {
    const page = await ask(each, '/docs', withOrigin);
    const { body, status, headers } = await ask(each, '/openapi.json', withOrigin);
    expect([page.status, status, body]).toEqual([200, 200, FILE]);
    expect(Object.keys({ ...page.headers, ...headers }).join()).not.toContain('access-control');
    const files = Array.from(page.body.matchAll(/(?:href="|url\()\.(\/[\w.-]+)/g), ([, file = '']) => file);
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const file of files) expect((await ask(each, file)).status, file).toBe(200);
    expect((await ask(each, '/docs/')).headers.location).toBe('../docs');
  }
});
