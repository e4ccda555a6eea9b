/** The terminals and messages in docs/data.md are those of the command. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { readFoods } from '../../src/readers/read-foods.ts';
import { collect } from '../support/collect.ts';
import { MAIN } from '../support/command.ts';

const page = await readFile('docs/data.md', 'utf8');
const FOLDERS = ['test/files/workbooks', 'test/files/bad'];

test('the picture of the terminal is what a terminal of 100 columns shows', async () => {
  const [, args = '', block = ''] = /<!-- terminal: (.*) -->\n```text\n([\s\S]*?)\n```/.exec(page) ?? [];
  const [prompt = '', ...lines] = block.split('\n');
  expect(prompt).toBe(`$ food-lookup ${args}`);
  const command = `stty cols 100; ${process.execPath} ${resolve(MAIN)} ${args} 2>/dev/null`;
  const { stdout } = await promisify(execFile)('script', ['-qec', command, '/dev/null'], {
    cwd: FOLDERS[0],
    env: { PATH: process.env.PATH },
  });
  expect(stdout.replaceAll('\r', '').trimEnd().split('\n')).toEqual(lines);
});

describe('the commonest mistakes', () => {
  const [, section = ''] = /### The ten commonest mistakes\n([\s\S]*?)\n## /.exec(page) ?? [];
  const messages = Array.from(
    section.matchAll(/^ +food-lookup: (Data file "(.*?)".*)$/gm),
    ([, message = '', name = '']) => ({ name, message }),
  );

  test('are ten', () => expect(messages).toHaveLength(10));

  test.each(messages)('$name', async ({ name, message }) => {
    const folder = FOLDERS.find((each) => readdirSync(each).includes(name));
    const path = `${folder}/${name}`;
    const refusal = await collect(readFoods(path)).catch((error: Error) => error.message);
    expect(String(refusal).replace(path, name)).toBe(message);
  });
});
