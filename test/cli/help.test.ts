/** The conventions of a command line: examples in its help, three exit codes, and colours only where they are wanted. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it, test } from 'vitest';
import { linesInTerminal, MAIN, run, TWO_FOODS } from '../support/command.ts';
import { HEADER, temporaryFolder } from '../support/files.ts';
import { describeWithScript } from '../support/requirements.ts';

const folder = temporaryFolder();
const COMMANDS = ['serve', 'search', 'amounts', 'import', 'inspect', 'check-cors'];

const helpOf = async (...args: string[]): Promise<string> => (await run([...args, '--help'])).stdout;

const examplesIn = (help: string): string[] =>
  Array.from(help.matchAll(/^ {2}food-lookup (.*)$/gm), ([, example = '']) => example);

describe('the help', () => {
  test('names every command, each with examples and exit codes', async () => {
    const help = await helpOf();
    const [, list = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(help) ?? [];
    expect(Array.from(list.matchAll(/^ {2}([\w-]+)/gm), ([, name]) => name)).toEqual([...COMMANDS, 'help']);
    const page = await readFile('docs/operations.md', 'utf8');
    for (const command of ['', ...COMMANDS]) {
      const text = command === '' ? help : await helpOf(command);
      expect(examplesIn(text), command).not.toEqual([]);
      for (const example of examplesIn(text)) expect(example).toContain(command);
      expect(text.match(/^ {2}[012] {2}\S/gm), command).toHaveLength(3);
      if (command !== '') expect(page).toMatch(new RegExp(`^\\|.*\`${command}\`.*\\|$`, 'm'));
    }
  });

  it.each(COMMANDS)('has examples of %s with existing flags', async (command) => {
    const help = await helpOf(command);
    for (const example of examplesIn(help)) {
      for (const [flag] of example.matchAll(/(?<= )--[\w-]+/g))
        expect(help).toMatch(new RegExp(`^ +(-\\w, )?${flag}\\b`, 'm'));
      expect(example, 'the shells of Windows do not know single quotes').not.toContain("'");
    }
  });

  test('has examples of searches that work', async () => {
    const examples = examplesIn(await helpOf('search')).filter((each) => !each.includes('foods.idx'));
    for (const example of examples) {
      const words = example.matchAll(/"([^"]*)"|(\S+)/g);
      const args = Array.from(words, ([, quoted, bare]) => quoted ?? bare ?? '');
      expect(await run(args), example).toMatchObject({ code: 0, stderr: '' });
    }
    expect(examples.length).toBeGreaterThan(1);
  });
});

describe('the exit code is', () => {
  it.each(['help', 'serve --help', 'search zzzz'])('0 for %s', async (line) => {
    expect(await run(line.split(' '))).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    'import /nowhere.csv --to /nowhere/foods.idx',
    'inspect package.json',
    'check-cors http://127.0.0.1:9/ --origin https://app.example',
  ])('1 for %s', async (line) => expect((await run(line.split(' '))).code).toBe(1));

  it.each([
    ...['', 'serve --port http', 'search', 'search egg milk', 'search egg --json --explain'],
    ...['search Ei --language de --explain'],
    ...['search egg --food-data mysql://db/foods', 'import --to foods.idx', 'inspect', 'inspect a.idx b.idx'],
    ...['import foods.csv --to mysql://db/foods', 'import usda:nowhere --to foods.idx'],
    'import usda:foundation --to foods.idx --sha256 abc',
  ])('2 for %s', async (line) => {
    const args = line === '' ? [] : line.split(' ');

    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });
});

const ESCAPE = '\x1b';

test('output that is not to a terminal has no colours and no progress bar', async () => {
  const imports = 'import data/starter-foods.csv --dry-run';
  for (const line of ['--help', 'search egg', 'search egg --explain', imports]) {
    const { stdout, stderr } = await run(line.split(' '));
    expect(stdout + stderr, line).not.toContain(ESCAPE);
  }
});

describeWithScript('at a terminal', () => {
  test('the progress of an import is one line, which is cleared before a message', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => `Egg ${i},1,2,3,4,5,6`);
    const file = await folder.write('late.csv', [HEADER, ...rows, 'Milk,x,2,3,4,5,6'].join('\n'));
    const lines = await linesInTerminal(120, `import ${file} --to ${folder.path('late.idx')} 2>&1 || true`);
    const written = lines.flatMap((line) => line.split(`${ESCAPE}[K`));
    expect(written).toContainEqual(expect.stringMatching(/late\.csv: read, \d+ %, [\d,]+ rows, .* left$/));
    expect(written.at(-1)).toMatch(/^food-lookup: Data file .* line 40002, /);
  });

  /** The output of a service until Ctrl-C. */
  async function served(environment: Record<string, string>): Promise<string> {
    const command = `${process.execPath} ${MAIN} serve --port 0 --log-level debug`;
    const child = spawn('script', ['--quiet', '--command', command, '/dev/null'], {
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', FOOD_DATA: TWO_FOODS, ...environment },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      if (!output.includes('origins') && String(chunk).includes('origins')) child.stdin.write('\x03');
      output += String(chunk);
    });
    await once(child, 'close');
    return output;
  }

  test('the log is coloured, but not with NO_COLOR', async () => {
    const [coloured, plain] = await Promise.all([served({}), served({ NO_COLOR: '1' })]);
    expect(coloured).toContain(`${ESCAPE}[`);
    expect(plain).toContain('stopping at SIGINT');
    expect(plain).not.toContain(ESCAPE);
  });
});
