/** No command and no log passes escape sequences in names, descriptions or headers to a terminal. */
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLog } from '../../src/service/operations/log.ts';
import { preloading, run, runAlone, serve } from '../support/command.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { answering } from '../support/listen.ts';
import { waitFor } from '../support/wait.ts';

const folder = temporaryFolder();

/** Clears the screen in two ways, starts a new line, and reverses the direction of the text. */
const HOSTILE = 'Evil\u001b[2J\u009b2J\nsoup\u202e';
const ESCAPED = ['\\u001b[2J', '\\u009b2J', '\\u202e'];

/** Characters that may not reach a terminal, except line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const RAW = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

function expectHarmless(text: string): void {
  expect(text).not.toMatch(RAW);
  for (const escaped of ESCAPED) expect(text).toContain(escaped);
}

describe.concurrent('a hostile description or name is escaped', () => {
  let csv = '';
  let index = '';
  let imported = { code: null as number | null, stdout: '', stderr: '' };

  beforeAll(async () => {
    csv = await folder.write('foods\u009b2J\u202e.csv', `${HEADER}\n"${HOSTILE}",1,2,3,4,5,6\n`);
    index = folder.path('foods.idx');
    imported = await run(['import', csv, '--to', index, '--name', HOSTILE]);
  });

  test('in the table of search, search --explain and inspect', async () => {
    const data = ['--food-data', index];
    const table = (await run(['search', 'evil', ...data])).stdout;
    expectHarmless(table.replaceAll(/\n *│|│/g, ''));
    expect(table.match(/.*soup/g)).toHaveLength(1);
    const explained = (await run(['search', 'evil', '--explain', ...data])).stdout;
    expectHarmless(explained);
    expect(explained.split('\n')).toHaveLength(3);
    const facts = (await run(['inspect', index])).stdout;
    expectHarmless(facts);
    expect(facts).not.toMatch(/^soup/m);
  });

  test('in search --json and inspect --json, with the same data', async () => {
    const found = await run(['search', 'evil', '--json', '--food-data', index]);
    expect(found.stdout).not.toMatch(RAW);
    expect(JSON.parse(found.stdout)).toMatchObject([{ description: HOSTILE }]);
    const facts = await run(['inspect', index, '--json']);
    expect(facts.stdout).not.toMatch(RAW);
    expect(JSON.parse(facts.stdout)).toMatchObject({ name: HOSTILE, sample: [HOSTILE] });
  });

  test('in the report and the progress of an import', async () => {
    expect(imported.code).toBe(0);
    expect(imported.stdout).toContain('\\u009b2J\\u202e.csv');
    expect(imported.stdout + imported.stderr).not.toMatch(RAW);
  });

  test('in the greeting of serve, and an Origin with control characters of one and two bytes in its log', async () => {
    const service = await serve(['--food-data', index]);
    expectHarmless(service.greeting);
    const socket = connect(service.port, '127.0.0.1');
    const origin = Buffer.concat([Buffer.from('https://x\u009b2J\u202e'), Buffer.of(0x9b)]);
    socket.write('GET /api/food?q=egg HTTP/1.1\r\nHost: x\r\nOrigin: ');
    socket.end(Buffer.concat([origin, Buffer.from('\r\n\r\n')]));
    await waitFor(async () => service.errors().includes('may not read'));
    await service.stop();
    expect(service.errors()).not.toMatch(RAW);
    // Programs that make the JSON readable decode its escapes.
    const line = JSON.parse(service.errors().split('\n')[0] ?? '') as { msg: string; origin: string };
    expect(line.msg + line.origin).not.toMatch(RAW);
    expect(line.origin).toBe('https://xÂ\\u009b2Jâ\\u0080®\\u009b');
  });
});

test.each([
  ['thrown', 'throw'],
  ['rejected', 'void Promise.reject'],
])('an internal error that is %s is escaped with its stack', async (_how, raise) => {
  const script = `Object.defineProperty(process.stdout, 'columns', { get() { ${raise}(new Error(${JSON.stringify(HOSTILE)})) } })`;
  const { code, stderr } = await runAlone(['search', 'egg'], preloading(script));
  expect(code).toBe(1);
  expectHarmless(stderr);
  expect(stderr).toMatch(/^Error: Evil.*\nsoup.*\n +at /);
});

test.concurrent.each([
  ['a file', ['search', 'egg', '--food-data', '/nowhere\u001b\u009b\u202e.csv']],
  ['a flag', ['search', 'egg', '--no\u009bsuch\u202e']],
  ['a command', ['ser\u009bve\u202e']],
  ['a text without matches', ['search', 'zzz\u009b\u202e']],
])('a message is escaped if it is about %s with control characters', async (_what, args) => {
  const { stdout, stderr } = await run(args);
  expect(stdout + stderr).not.toMatch(RAW);
  expect(stdout + stderr).toContain('\\u009b');
});

test('control characters in an answer are escaped by check-cors', async () => {
  const url = await answering((_, response) => {
    const headers = { 'Access-Control-Allow-Origin': 'https://x\u009b2J', Vary: '\u0090q\u009c' };
    response.writeHead(200, headers).end();
  });
  const { stdout } = await run(['check-cors', url, '--origin', 'http://localhost']);
  expect(stdout).not.toMatch(RAW);
  expect(stdout).toContain('< access-control-allow-origin: https://x\\u009b2J');
  expect(stdout).toContain('< vary: \\u0090q\\u009c');
});

describe('the log in a terminal', () => {
  afterEach(() => void vi.restoreAllMocks());

  /** What the log writes, without colours. */
  async function written(use: (log: Awaited<ReturnType<typeof createLog>>) => void): Promise<string> {
    vi.stubGlobal('process', Object.create(process, { stderr: { value: Object.create(process.stderr) } }));
    let text = '';
    Object.assign(process.stderr, {
      write: (chunk: unknown) => {
        text += String(chunk);
        return true;
      },
    });
    const log = await createLog('info', true);
    use(log);
    await expect.poll(() => text).toContain('\n');
    vi.unstubAllGlobals();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    return text.replaceAll(/\u001b\[\d+m/g, '');
  }

  test('shows names and messages in one harmless line', async () => {
    const text = await written((log) => log.warn({ name: HOSTILE }, `a data set: ${HOSTILE}`));
    expectHarmless(text);
    expect(text.split('\n')).toHaveLength(2);
  });

  test('keeps the lines of a stack', async () => {
    const text = await written((log) => log.error(new Error(HOSTILE), 'a failure'));
    expectHarmless(text);
    expect(text).toMatch(/\n +at /);
  });
});
