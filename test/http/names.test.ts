/** What `GET /names?description=TEXT` answers, and the searches by words that find foods by these names. */
import { describe, expect, it, test } from 'vitest';
import { serviceForAll } from '../support/lifetime.ts';
import { ask, catalogOf, food, startService, targetOf } from '../support/service.ts';

const MILK = 'Milk, low fat';
const FOODS = [
  food(MILK, { names: ['1% milk', 'Lowfat milk'] }),
  food('Arugula, raw', { names: ['Rocket', 'rucola', 'Rauke "wild"'] }),
  food('Rocket, raw'),
  food('Rucolino', { names: ['番茄'] }),
  food('Milk chocolate'),
];

const service = serviceForAll(async () => startService(await catalogOf(FOODS)));
const targetOfNames = (description: string) => `/names?${new URLSearchParams({ description })}`;

test('the names of exactly this description are answered in their order', async () => {
  expect((await ask(service, targetOfNames(MILK))).body).toBe('["1% milk","Lowfat milk"]');
  for (const description of ['Milk', 'Rocket, raw', 'zzz'])
    expect((await ask(service, targetOfNames(description))).body).toBe('[]');
});

describe('a search by words', () => {
  it.each([
    ['a whole name of several words', '1% milk', MILK],
    ['in any order', 'milk 1%', MILK],
    ['in the plural', 'lowfat milks', MILK],
    ['a whole name before a description that has more words', 'rocket', 'Arugula, raw'],
    ['a name in another script', '番茄', 'Rucolino'],
    ['the beginning of a description before that of a name', 'ruco', 'Rucolino'],
    ['the beginning of a name', 'rock', 'Rocket, raw'],
    ['a word of a name, misspelt', 'rukola', 'Arugula, raw'],
    ['a word of a description before that of a name', 'milk', MILK],
  ])('finds %s: %s', async (_what, text, description) => {
    const { body } = await ask(service, `${targetOf(text)}&match=words`);
    expect(JSON.parse(body)[0]).toMatchObject({ description });
  });

  test('and the plain search sees descriptions alone', async () => {
    expect((await ask(service, targetOf('Lowfat'))).body).toBe('[]');
  });
});
