/** The example at the top of src/engine/index.ts, run as it stands. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as core from '#core';
import * as engine from '#engine';
import { numbered } from '../support/service.ts';

const [, block = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('src/engine/index.ts', 'utf8')) ?? [];
const example = block.replace(/^ \* ?/gm, '');
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as typeof Function;

test('the example builds an index, searches it, and reads it back from its bytes', async () => {
  const given = { ...core, ...engine, foods: numbered(['Egg, raw', 'Eggplant, raw', 'Nutmeg']) };
  const body = `${example}\nreturn { found, words, portions, again };`;
  const run = AsyncFunction(...Object.keys(given), body);
  const { found, words, portions, again } = await run(...Object.values(given));
  expect(found.map((food: core.FoodEntry) => food.description)).toEqual(['Egg, raw', 'Eggplant, raw']);
  expect(core.textOfUtf8(words.body)).toContain('Egg, raw');
  expect(core.textOfUtf8(portions)).toBe('[]');
  expect(JSON.parse(core.textOfUtf8(again.search('egg')))).toEqual(found);
});

test('it has at most 20 lines', () => expect(example.trim().split('\n').length).toBeLessThanOrEqual(20));
