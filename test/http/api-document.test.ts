/** Compares the OpenAPI document with the service: requests every example, and checks every answer against its schema. */
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { openCatalog } from '../../src/cli/open-catalog.ts';
import {
  ask,
  type MadeUpCatalog,
  type Reply,
  type Service,
  sendRaw,
  startService,
  targetOf,
} from '../support/service.ts';

interface Example {
  readonly value: unknown;
}
interface Described {
  readonly headers?: Readonly<Record<string, { readonly schema: object }>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: object; readonly examples: Record<string, Example> }>
  >;
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly examples: Record<string, Example> }[];
  readonly responses: Readonly<Record<string, Described>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const ORIGIN = 'https://app.example';
const JSON_TYPE = 'application/json';
const portionsOf = (description: string): string => `/portions?${new URLSearchParams({ description })}`;

let service: Service;
let faulty: Service;
let limited: Service;
let full: Service;
/** Occupies the only connection of the full service. */
let held: Socket;
let document: Document;
const ajv = new Ajv2020({ strict: false });

beforeAll(async () => {
  const catalog = await openCatalog(undefined);
  const fail = () => {
    throw new Error('the store is down');
  };
  const failing: MadeUpCatalog = {
    dataSet: catalog.dataSet,
    search: fail,
    portions: fail,
    close: async () => {},
  };
  service = await startService(catalog, { allowedOrigin: ORIGIN });
  faulty = await startService(failing, { allowedOrigin: ORIGIN });
  limited = await startService(catalog, { allowedOrigin: ORIGIN, rateLimit: { requests: 1, seconds: 60 } });
  full = await startService(catalog, { allowedOrigin: ORIGIN, maxConnections: 1 });
  held = connect(full.port, '127.0.0.1');
  held.write(`GET ${targetOf('egg')} HTTP/1.1\r\nHost:`);
  document = JSON.parse((await ask(service, '/openapi.json')).body) as Document;
  ajv.addSchema(document, 'document');
});
afterAll(async () => {
  held.destroy();
  await Promise.all([service, faulty, limited, full].map((each) => each.close()));
});

const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`the document does not have ${method} ${path}`);
  return found;
};

/** Checks an answer against its description in the document. */
function expectAsDescribed(reply: Reply, path: string, method: string): void {
  const described = operation(path, method).responses[reply.status];
  expect(described, `${method} ${path} answers ${reply.status}`).toBeDefined();
  const place = `document#/paths/${path.replaceAll('/', '~1')}/${method}/responses/${reply.status}`;
  for (const [name, value] of Object.entries(reply.headers)) {
    const key = Object.keys(described?.headers ?? {}).find((each) => each.toLowerCase() === name);
    if (key === undefined) continue;
    expect(ajv.validate({ $ref: `${place}/headers/${key}/schema` }, value), `${name}: ${value}`).toBe(true);
  }
  if (described?.content === undefined) {
    expect(reply.body).toBe('');
    return;
  }
  expect(reply.headers['content-type']).toBe(`${JSON_TYPE}; charset=utf-8`);
  const valid = ajv.validate(
    { $ref: `${place}/content/application~1json/schema` },
    JSON.parse(reply.body) as unknown,
  );
  expect(ajv.errors ?? [], reply.body.slice(0, 200)).toEqual([]);
  expect(valid).toBe(true);
}

const withOrigin = { headers: { origin: ORIGIN } };

/** Requests that provoke the documented errors, by path. */
const FAULTS: Readonly<Record<string, Readonly<Record<string, () => Promise<Reply>>>>> = {
  '/api/food': faultsOf(targetOf('egg'), `${targetOf('egg')}&match=exact`),
  '/portions': faultsOf(portionsOf('Egg, whole, raw'), '/portions'),
};

/** @param target a valid target @param wrong a target that is answered 400 */
function faultsOf(target: string, wrong: string) {
  const path = target.replace(/\?.*/, '');
  return {
    400: () => ask(service, wrong, withOrigin),
    405: () => ask(service, target, { ...withOrigin, method: 'DELETE' }),
    414: () => ask(service, `${target}&`.padEnd(17_012, 'a'), withOrigin),
    429: async () => {
      // Searches and portions share a limit.
      const allowed = await ask(limited, target, withOrigin);
      if (path === '/api/food') expectAsDescribed(allowed, path, 'get');
      return ask(limited, target, withOrigin);
    },
    431: () => ask(service, target, { headers: { 'x-long': 'a'.repeat(40_000) } }),
    500: () => ask(faulty, target, withOrigin),
    503: () => ask(full, target, withOrigin),
    505: async () => replyOf(await sendRaw(service, `GET ${target} HTTP/2.0\r\nHost: x\r\n\r\n`)),
  };
}

/** The answer in bytes. */
function replyOf(received: string): Reply {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const headers = Array.from(head.matchAll(/^(.+?): (.*)$/gm), ([, name = '', value]) => [
    name.toLowerCase(),
    value,
  ]);
  return { status: Number(head.slice(9, 12)), headers: Object.fromEntries(headers), body };
}

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document) as object as Record<string, unknown>);
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
  expect(validator.version).toBe('3.1');
});

test('the document has the search and the portions, and no internal path', () => {
  expect(Object.keys(document.paths)).toEqual(['/api/food', '/portions']);
  expect(Object.keys(document.paths['/portions'] ?? {}).toSorted()).toEqual(['get', 'head']);
  expect(Object.keys(document.paths['/api/food'] ?? {}).toSorted()).toEqual(['get', 'head', 'options']);
  expect(Object.keys(document.paths)).not.toContain('/docs');
});

test('every example of a text gets the answer with the same name', async () => {
  const byWords = await ask(service, `${targetOf('brocoli')}&match=words`, withOrigin);
  expect(byWords.headers['matched-words']).toBe('brocoli=broccoli');
  expectAsDescribed(byWords, '/api/food', 'get');
  await expectExamples('/api/food', 'q', 4);
  await expectExamples('/portions', 'description', 2);
});

async function expectExamples(path: string, parameter: string, least: number): Promise<void> {
  const { parameters, responses } = operation(path, 'get');
  const answers = responses[200]?.content?.[JSON_TYPE]?.examples ?? {};
  const texts = parameters.find(({ name }) => name === parameter)?.examples ?? {};
  expect(Object.keys(texts).length).toBeGreaterThanOrEqual(least);
  expect(Object.keys(answers)).toEqual(Object.keys(texts));
  for (const [name, { value: text }] of Object.entries(texts)) {
    const reply = await ask(
      service,
      `${path}?${new URLSearchParams({ [parameter]: String(text) })}`,
      withOrigin,
    );
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
    for (const name of Object.keys(responses[status]?.headers ?? {})) {
      expect(Object.keys(reply.headers), status).toContain(name.toLowerCase());
    }
    expect(JSON.parse(reply.body)).toEqual(responses[status]?.content?.[JSON_TYPE]?.examples.error?.value);
  }
});

test('docs/http-api.md lists the status of every error', async () => {
  const client = await startService(await openCatalog(undefined), { nodeEnv: 'production' });
  const provoked = [
    ['403', '/../x', {}],
    ['404', '/nowhere', {}],
    ['412', '/index.html', { 'if-match': '"x"' }],
    ['413', '/nowhere', { 'content-type': 'application/json', 'content-length': '1048577' }],
    ['416', '/index.html', { range: 'bytes=99999-' }],
  ] as const;
  for (const [status, target, headers] of provoked) {
    const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const method = status === '413' ? 'POST' : 'GET';
    const reply = replyOf(
      await sendRaw(client, [`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n')),
    );
    expect([String(reply.status), JSON.parse(reply.body)]).toEqual([status, { error: expect.any(String) }]);
  }
  await client.close();
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
  it.each(['egg', 'a', ',', ' ', '100%', 'crème', 'İ', '\u0000', 'date, medjool'])('to %j', async (text) => {
    const reply = await ask(service, targetOf(text), { headers: { origin: ORIGIN } });
    expectAsDescribed(reply, '/api/food', 'get');
  });

  test('of portions, to conditional requests and to HEAD', async () => {
    const target = portionsOf('Egg, whole, raw');
    const { headers } = await ask(service, target);
    for (const method of ['GET', 'HEAD'] as const) {
      expectAsDescribed(await ask(service, target, { method }), '/portions', method.toLowerCase());
      const known = { 'if-none-match': headers.etag ?? '' };
      const reply = await ask(service, target, { method, headers: known });
      expect(reply.status).toBe(304);
      expectAsDescribed(reply, '/portions', method.toLowerCase());
    }
  });

  test('to conditional requests, to HEAD and to a preflight', async () => {
    const { headers } = await ask(service, targetOf('egg'));
    const known = { 'if-none-match': headers.etag ?? '' };
    for (const method of ['GET', 'HEAD'] as const) {
      const reply = await ask(service, targetOf('egg'), { method, headers: known });
      expect(reply.status).toBe(304);
      expectAsDescribed(reply, '/api/food', method.toLowerCase());
    }
    expectAsDescribed(await ask(service, targetOf('egg'), { method: 'HEAD' }), '/api/food', 'head');
    const preflight = {
      origin: ORIGIN,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-diary',
    };
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

describe('the documentation itself', () => {
  it.each(['/openapi.json', '/docs', '/docs/json', '/docs/yaml', '/docs/static/swagger-ui.css'])(
    '%s exists in every mode, without cross-origin headers',
    async (path) => {
      const { status, headers } = await ask(service, path, { headers: { origin: ORIGIN } });
      expect(status).toBe(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('has a policy that allows no foreign resource and no inline code', async () => {
    const { headers, body } = await ask(service, '/docs');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/https?:\/\//);
  });

  it.each([
    '/docs/../package.json',
    '/docs/static/%2e%2e/package.json',
    '/docs/static/..%2f..%2fpackage.json',
  ])('serves no file from outside: %s', async (path) => {
    const { status, body } = await ask(service, path);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(JSON.parse(body)).toEqual({ error: expect.any(String) });
  });
});
