/** The MCP server as an assistant uses it: started by the SDK's own client, over a real pipe. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openCatalog } from '#service';
import { freePort } from '../support/free-port.ts';
import { serviceForAll, startForTest } from '../support/lifetime.ts';
import { answering } from '../support/listen.ts';
import { catalogOf, food, numbered, startService } from '../support/service.ts';

const SERVER = 'packages/mcp/dist/server.js';
const catalog = await openCatalog(undefined);
const service = serviceForAll(() => startService(catalog));
const urlOf = ({ port }: { readonly port: number }): string => `http://127.0.0.1:${port}`;

/** A client of a server with this `FOOD_LOOKUP_URL`; its calls are checked against the schemas that the server states. */
async function connected(FOOD_LOOKUP_URL = '') {
  const client = new Client({ name: 'test', version: '1' });
  const started = { command: process.execPath, args: [SERVER], env: { FOOD_LOOKUP_URL } };
  await client.connect(new StdioClientTransport(started));
  return { client, tools: (await client.listTools()).tools };
}

async function assistant(url: string): Promise<Client> {
  const { client } = await connected(url);
  onTestFinished(() => client.close());
  return client;
}

const call = async (client: Client, name: string, args: object): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: { ...args } })) as CallToolResult;

const linesOf = ({ content }: CallToolResult): string[] =>
  content.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : []));

/** That of the built-in foods, and its tools. */
let builtIn: Client;
let tools: Awaited<ReturnType<typeof connected>>['tools'];
/** The tools with the example that the description of each has. */
let examples: readonly (readonly [name: string, args: object])[];

beforeAll(async () => {
  ({ client: builtIn, tools } = await connected());
  examples = tools.map(({ name, description = '' }) => {
    const [, sentence, example = ''] = /^([^.]+); for example (\{.*\})\.$/.exec(description) ?? [];
    expect(sentence, name).toMatch(/^[A-Z]/);
    return [name, JSON.parse(example)];
  });
});

afterAll(() => builtIn.close());

test('offers four lookups, each with a sentence and an example', () => {
  const names = ['search_foods', 'weigh_foods', 'nutrients_of', 'find_barcode'];
  expect(examples.map(([name]) => name)).toEqual(names);
});

test('the built-in foods give the answers of a service with them', async () => {
  const remote = await assistant(urlOf(service));
  const more = [
    ['search_foods', { text: 'brocoli' }],
    ['search_foods', { text: 'zzzz' }],
    ['nutrients_of', { description: 'Nothing' }],
  ] as const;
  for (const [name, args] of [...examples, ...more]) {
    const answer = await call(builtIn, name, args);
    expect(answer.isError, name).toBeUndefined();
    expect(answer.structuredContent, name).toBeDefined();
    expect(await call(remote, name, args)).toEqual(answer);
  }
});

describe('the answers', () => {
  test('of a search have what was corrected, and a table', async () => {
    const answer = await call(builtIn, 'search_foods', { text: 'brocoli raw', limit: 2 });
    expect(answer.structuredContent).toMatchObject({
      matchedWords: [{ typed: 'brocoli', searched: 'broccoli' }],
      foods: [{ description: 'Broccoli, raw', kcal: 34, fat_g: '0.09' }, {}],
      more: true,
    });
    expect(linesOf(answer)).toEqual([
      '“brocoli” was read as “broccoli”.',
      '| food, per 100 g | kcal | carbohydrate g | protein g | fat g |',
      '| --- | --- | --- | --- | --- |',
      '| Broccoli, raw | 34 | 6.64 | 2.82 | 0.09 |',
      expect.stringMatching(/^\| .* \|$/),
      'There are more foods.',
    ]);
  });

  test('have 20 foods, and 100 at most', async () => {
    const eggs = Array.from({ length: 150 }, (_, i) => `Egg ${i}`);
    const many = await startForTest(await catalogOf(numbered(eggs)));
    const client = await assistant(urlOf(many));
    for (const [limit, foods] of [
      [undefined, 20],
      [100, 100],
    ]) {
      const { structuredContent } = await call(client, 'search_foods', { text: 'egg', limit });
      expect(structuredContent).toMatchObject({ foods: { length: foods }, more: true });
    }
    for (const limit of [0, 101, 1.5])
      expect(await call(client, 'search_foods', { text: 'egg', limit })).toMatchObject({ isError: true });
    const lines = Array<string>(51).fill('1 egg');
    expect(await call(client, 'weigh_foods', { lines })).toMatchObject({ isError: true });
  });

  test('of lines have weights, figures, and why one is unknown', async () => {
    const lines = ['2 eggs, beaten', '1 knob of butter'];
    const answer = await call(builtIn, 'weigh_foods', { lines });
    expect(answer.structuredContent).toMatchObject({
      foods: [{ grams: 100, kcal: '143.00', description: 'Egg, whole, raw' }, { grams: null }],
      total: { grams: 100, kcal: '143.00', unknown: 1 },
    });
    expect(linesOf(answer).slice(2)).toEqual([
      '| 2 eggs, beaten | Egg, whole, raw | 100 | 143.00 | 0.72 | 12.56 | 8.70 |  |',
      '| 1 knob of butter | Butter, salted | – | – | – | – | – | The weight of “knob” is not known. |',
      '| total |  | 100 | 143.00 | 0.72 | 12.56 | 8.70 | without 1 of 2 foods |',
    ]);
  });

  test('have nutrients, and codes, of a service that knows them', async () => {
    const nutrients = [{ nutrient: 'Fibre', amount: '2.40', unit: 'g' }];
    const [rye, code] = [food('Rye | bread', { nutrients, codes: ['4006381333931'] }), '4006381333931'];
    const client = await assistant(urlOf(await startForTest(await catalogOf([rye]))));
    const found = await call(client, 'find_barcode', { code });
    expect(found.structuredContent).toMatchObject({ foods: [{ description: 'Rye | bread' }], more: false });
    expect(linesOf(found).at(-1)).toBe('| Rye \\| bread | 100 | 1.5 | 2 | 0.60 |');
    const known = await call(client, 'nutrients_of', { description: 'Rye | bread' });
    expect(known.structuredContent).toEqual({ nutrients });
    expect(linesOf(known).at(-1)).toBe('| Fibre | 2.40 g |');
  });
});

describe('an error says what to do', () => {
  const search = (client: Client) => call(client, 'search_foods', { text: 'egg' });
  const searched = async (url: string) => search(await assistant(url));

  test('where nothing answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const answer = await searched(url);
    expect(answer.isError).toBe(true);
    expect(linesOf(answer)).toEqual([
      `There is no readable response from ${url}: nothing answers there. Start the service, or correct FOOD_LOOKUP_URL; without FOOD_LOOKUP_URL, the built-in foods are searched.`,
    ]);
  });

  test('where the address is none', async () => {
    expect(linesOf(await searched('localhost:3001'))).toEqual([
      '"localhost:3001" is not the address of a service. Write it with its scheme, such as http://localhost:3001. It is that of FOOD_LOOKUP_URL; without it, the built-in foods are searched.',
    ]);
  });

  test('where another server answers', async () => {
    const other = await answering((_, response) => response.writeHead(404).end('<html>'));
    expect(linesOf(await searched(other))).toEqual([
      'The response (status 404) is not from a food search. FOOD_LOOKUP_URL names the service that answered so.',
    ]);
  });

  test('where the service asks to wait', async () => {
    const limited = await startForTest(catalog, { rateLimit: { requests: 1, seconds: 60 } });
    const client = await assistant(urlOf(limited));
    await search(client);
    const [said] = linesOf(await search(client));
    expect(said).toMatch(/^Too many searches: 1 in 60 s are allowed\. Try again in /);
  });
});

test('it contains no package, and imports those that its own package names', async () => {
  const imports = (await readFile(SERVER, 'utf8')).matchAll(/^import .*? from "(.*?)";$/gm);
  const names = Array.from(imports, ([, from = '']) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? '');
  const { dependencies } = JSON.parse(await readFile('packages/mcp/package.json', 'utf8'));
  expect([...new Set(names)].filter((name) => !name.startsWith('node:')).toSorted()).toEqual(
    Object.keys(dependencies).toSorted(),
  );
});

test('nothing but the protocol is on its output, and it ends with its input', async () => {
  const child = spawn(process.execPath, [SERVER], { env: { FOOD_LOOKUP_URL: '' } });
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'search_foods', arguments: { text: 'egg' } } },
  ];
  const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.end(lines.join(''));
  const [out, error] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  expect(error).toBe('');
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2]);
});

describe('docs/assistants.md', async () => {
  const page = await readFile('docs/assistants.md', 'utf8');
  const blocks = Array.from(page.matchAll(/```json\n([\s\S]*?)```/g), ([, block = '']) => JSON.parse(block));
  const manifest = JSON.parse(await readFile('packages/mcp/package.json', 'utf8'));

  test.each(blocks.map((block) => [Object.keys(block)[0] ?? '', block]))(
    'has a block of %s that names the command',
    (key, block) => {
      const { 'food-lookup': configured } = block[key];
      expect(manifest.bin).toHaveProperty(configured.command);
      expect(configured.env).toEqual({ FOOD_LOOKUP_URL: 'http://localhost:3001' });
    },
  );

  test('has blocks for three kinds of programs, and the tools with what they take', async () => {
    const keys = blocks.map((block) => Object.keys(block)[0]);
    expect(keys).toEqual(['mcpServers', 'servers', 'context_servers']);
    const rows = Array.from(page.matchAll(/^\| `(\w+_\w+)` \| (.*?) \|/gm), ([, name, takes = '']) => [
      name,
      Array.from(takes.matchAll(/`(text|lines|limit|description|code|language)`/g), ([, each]) => each),
    ]);
    const taken = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]);
    expect(rows).toEqual(taken);
  });
});

test('an assistant may ask in another language', async () => {
  const found = await call(builtIn, 'search_foods', { text: 'Vollmilch', language: 'de', limit: 1 });
  expect(linesOf(found)[2]).toMatch(/^\| Vollmilch, 3,25 % Fett \|/);
  const weighed = await call(builtIn, 'weigh_foods', { lines: ['200 g de riz'], language: 'fr' });
  expect(linesOf(weighed)[2]).toMatch(/^\| 200 g de riz \| Riz/);
});
