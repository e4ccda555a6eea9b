/** Compares what documents show of the command, and its messages in docs/own-foods.md, with its output. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readFoods } from '#tables';
import { collect } from '../support/collect.ts';
import { linesInTerminal, run, serve, TWO_FOODS } from '../support/command.ts';
import { describeWithScript } from '../support/requirements.ts';

const page = await readFile('docs/own-foods.md', 'utf8');
const FOLDERS = ['test/files/workbooks', 'test/files/bad'];

describeWithScript('the terminal in docs/own-foods.md', () => {
  test('is what the command prints at a width of 100 columns', async () => {
    const [, args = '', block = ''] = /<!-- terminal: (.*) -->\n```text\n([\s\S]*?)\n```/.exec(page) ?? [];
    const [prompt = '', ...lines] = block.split('\n');
    expect(prompt).toBe(`$ food-lookup ${args}`);
    expect(await linesInTerminal(100, args, FOLDERS[0])).toEqual(lines);
  });
});

describe('the commonest mistakes in docs/own-foods.md', async () => {
  const [, section = ''] = /### The ten commonest mistakes\n([\s\S]*?)\n## /.exec(page) ?? [];
  const messages = Array.from(section.matchAll(/^\| `(.*?)` \|/gm), ([, message = '']) => message);
  const files = FOLDERS.flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
  const refusals = await Promise.all(
    files.map((file) => collect(readFoods(file)).then(String, (error: Error) => error.message)),
  );

  test('number ten', () => expect(messages).toHaveLength(10));

  test.each(messages)('are refused with the words: %s', (message) => {
    expect(refusals.filter((refusal) => refusal.includes(message))).not.toEqual([]);
  });
});

test('check-cors prints what docs/cross-origin.md shows', async () => {
  const document = await readFile('docs/cross-origin.md', 'utf8');
  const pattern = /```text\n\$ food-lookup check-cors '(.*?)' --origin (.*)\n([\s\S]*?)```/;
  const [, url = '', origin = '', shown] = pattern.exec(document) ?? [];
  const service = await serve([], { FOOD_DATA: TWO_FOODS });
  const here = (text: string) => text.replaceAll(':3001', `:${service.port}`);
  const { stdout } = await run(['check-cors', here(url), '--origin', origin]);
  await service.stop();
  expect(stdout).toBe(here(shown ?? ''));
});
